--- Socreates in Neovim: questions about code, beside the lines they are about. See |socreates.txt|.
local M = {}

--- Set options and have the server run in every file of a project.
---
--- `vim.lsp.enable('socreates')` does the same without options on Neovim 0.11 and newer.
---@param given? socreates.Options
function M.setup(given)
  require('socreates.options').set(given or {})
  require('socreates.server').enable()
end

--- For a statusline: what is read at this moment, else how many questions and warnings this buffer has, else ''.
---@return string
function M.statusline() return require('socreates.progress').statusline() end

return M
