-- What goes wrong in the hands of people: words that mean nothing, buffers that are no files, a server that dies.
-- vim.g.drive: out, hanging (a file that is there once the model hangs)
local drive = vim.g.drive
local seen = { told = {} }

local function wait(what, condition)
  if not vim.wait(60000, condition, 10) then error('waited in vain for ' .. what) end
end

local function told(what, act)
  local said
  local notify, echo = vim.notify, vim.api.nvim_echo
  vim.notify = function(message) said = message end
  vim.api.nvim_echo = function(chunks, history)
    if history then said = chunks[1][1] end
  end
  act()
  wait(what, function() return said end)
  vim.notify, vim.api.nvim_echo = notify, echo
  seen.told[what] = said
end

local function floats()
  return #vim.tbl_filter(
    function(window) return vim.api.nvim_win_get_config(window).relative ~= '' end,
    vim.api.nvim_list_wins()
  )
end

local function main()
  for _, words in ipairs({ 'review everything', 'preview nothing', 'reset all', 'dismiss', 'cancel' }) do
    told(words, function() vim.cmd('Socreates ' .. words) end)
  end
  vim.cmd.terminal('true')
  told('terminal', function() vim.cmd('Socreates') end)
  told('options', function() require('socreates.options').set('nothing') end)

  -- The server runs for one file already. Another one, which was never written, in two windows and a second tab.
  vim.cmd('edit! one.py')
  told('status', function() vim.cmd('Socreates clear') end)
  vim.cmd('tabnew two.py')
  vim.cmd('vsplit')
  vim.cmd('filetype detect')
  vim.api.nvim_buf_set_lines(0, 0, -1, false, { 'import requests', 'x = "😀", requests.get(1).text' })
  told('never written', function() vim.cmd('2,2Socreates') end)
  seen.lines = vim.tbl_map(function(one) return one.lnum end, vim.diagnostic.get(0))
  vim.cmd('runtime! plugin/socreates.lua')

  -- The server dies while it is asked; the next command starts another one.
  vim.cmd('Socreates ask HANG')
  wait('the model', function() return vim.uv.fs_stat(drive.hanging) and floats() == 1 end)
  local client = vim.lsp.get_clients({ name = 'socreates' })[1]
  client:stop(true)
  wait('the window to close', function() return floats() == 0 end)
  seen.statusline = require('socreates').statusline()
  told('again', function() vim.cmd('Socreates clear') end)
  seen.is_another = vim.lsp.get_clients({ name = 'socreates', bufnr = 0 })[1].id ~= client.id

  -- The buffer goes while it is reviewed.
  vim.cmd('Socreates')
  vim.cmd('bdelete!')
  wait('its end', function() return next(require('socreates.progress').running()) == nil end)
end

local ok, failure = xpcall(main, debug.traceback)
seen.failure = not ok and failure or nil
seen.said = vim.api.nvim_exec2('messages', { output = true }).output
vim.fn.writefile({ vim.json.encode(seen) }, drive.out)
-- In the middle of a review.
vim.cmd('edit! three.py')
vim.cmd('Socreates')
vim.cmd.quitall({ bang = true })
