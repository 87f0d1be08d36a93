-- Drives a real Neovim through one review by a real model, of which nothing is known but that it answers.
-- vim.g.drive: file, out
local drive = vim.g.drive
local seen = { progress = {}, prompts = {} }

local function wait(what, condition)
  if not vim.wait(240000, condition, 10) then error('waited in vain for ' .. what) end
end

vim.api.nvim_create_autocmd('LspProgress', {
  callback = function(event)
    local value = event.data.params.value
    table.insert(seen.progress, { kind = value.kind, text = value.message or value.title or '' })
  end,
})

local function main()
  vim.cmd.edit(vim.fn.fnameescape(drive.file))
  vim.cmd('4,5Socreates')
  wait('the end of the review', function()
    local last = seen.progress[#seen.progress]
    return last and last.kind == 'end'
  end)
  seen.messages = vim.tbl_map(function(one) return one.message end, vim.diagnostic.get(0))
  local client = vim.lsp.get_clients({ name = 'socreates' })[1]
  seen.status = client:request_sync('socreates/status', vim.empty_dict(), 60000, 0).result
end

local ok, failure = xpcall(main, debug.traceback)
seen.failure = not ok and failure or nil
seen.said = vim.api.nvim_exec2('messages', { output = true }).output
vim.fn.writefile({ vim.json.encode(seen) }, drive.out)
vim.cmd.quitall({ bang = true })
