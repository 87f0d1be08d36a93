-- Drives a real Neovim whose server is found by the plugin itself, and reviewed by the examiner.
-- vim.g.drive: file, out
local drive = vim.g.drive
local seen = {}

local function wait(what, condition)
  if not vim.wait(60000, condition, 10) then error('waited in vain for ' .. what) end
end

local function last_message()
  local lines = vim.split(vim.api.nvim_exec2('messages', { output = true }).output, '\n', { trimempty = true })
  return lines[#lines] or ''
end

local function main()
  vim.cmd.edit(vim.fn.fnameescape(drive.file))
  seen.command, seen.problem = require('socreates.server').command(vim.uv.cwd())
  if not seen.command then wait('the word of it', function() return last_message() == seen.problem end) end
  vim.cmd('messages clear')
  vim.cmd('Socreates')
  wait('an answer', function() return last_message():find('^Socreates: ') end)
  seen.said = last_message()
  seen.messages = vim.tbl_map(function(one) return one.message end, vim.diagnostic.get(0))
  if seen.command then
    vim.cmd('Socreates unread')
    wait('an answer', function() return last_message():find('nothing unread') end)
    vim.cmd('Socreates nonsense')
    seen.unknown = last_message()
  end
  seen.whole = vim.api.nvim_exec2('messages', { output = true }).output
  vim.cmd('checkhealth socreates')
  seen.health = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n')
end

local ok, failure = xpcall(main, debug.traceback)
seen.failure = not ok and failure or nil
seen.said = seen.said or vim.api.nvim_exec2('messages', { output = true }).output
vim.fn.writefile({ vim.json.encode(seen) }, drive.out)
vim.cmd.quitall({ bang = true })
