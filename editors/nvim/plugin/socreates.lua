-- The command and what has to be there before a server runs. Everything else is loaded when it is used.
if vim.g.loaded_socreates then return end
vim.g.loaded_socreates = true

vim.api.nvim_create_user_command('Socreates', function(given) require('socreates.commands').run(given) end, {
  nargs = '*',
  range = true,
  bang = true,
  desc = 'Questions about code, by Socreates',
  complete = function(...) return require('socreates.commands').complete(...) end,
})

vim.api.nvim_create_autocmd('LspAttach', {
  group = vim.api.nvim_create_augroup('socreates', {}),
  desc = 'Show the questions of Socreates as its options say',
  callback = function(event)
    local client = vim.lsp.get_client_by_id(event.data.client_id)
    if client and client.name == 'socreates' then require('socreates.display').begin(client) end
  end,
})
