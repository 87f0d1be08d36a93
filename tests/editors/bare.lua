-- Asks about the file of a Neovim without the plugin; writes the menu's line and the diagnostics to $OUT.
local seen = {}
vim.ui.select = function(items, options, on_choice)
  table.insert(seen, options.format_item(items[1]))
  on_choice(items[1], 1)
end
local function there()
  local client = vim.lsp.get_clients({ name = 'socreates' })[1]
  return client and client.initialized
end
vim.wait(60000, there, 10)
vim.lsp.buf.code_action()
vim.wait(60000, function() return #vim.diagnostic.get(0) > 1 end, 10)
for _, one in ipairs(vim.diagnostic.get(0)) do
  table.insert(seen, one.message)
end
vim.fn.writefile(seen, vim.env.OUT)
vim.cmd.quitall({ bang = true })
