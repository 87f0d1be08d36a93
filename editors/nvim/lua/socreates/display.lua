--- How questions show in the text: for the diagnostics of this server only, whatever others show.
local options = require('socreates.options')

local M = {}

local WIDEST = 100

---@param client_id integer
---@return integer namespace
local function namespace_of(client_id) return vim.lsp.diagnostic.get_namespace(client_id) end

--- A message in lines that fit below the text.
---@param message string
---@param room integer columns
---@return string
local function folded(message, room)
  local lines = {}
  for _, paragraph in ipairs(vim.split(message, '\n', { plain = true })) do
    local line = ''
    for word in paragraph:gmatch('%S+') do
      local longer = line == '' and word or line .. ' ' .. word
      if line ~= '' and vim.fn.strdisplaywidth(longer) > room then
        table.insert(lines, line)
        line = word
      else
        line = longer
      end
    end
    table.insert(lines, line)
  end
  return table.concat(lines, '\n')
end

---@param diagnostic vim.Diagnostic
---@return string
local function below(diagnostic)
  local first = vim.api.nvim_buf_get_lines(diagnostic.bufnr, diagnostic.lnum, diagnostic.lnum + 1, false)[1] or ''
  local indent = vim.fn.strdisplaywidth(first:sub(1, diagnostic.col))
  local gutter = vim.fn.getwininfo(vim.api.nvim_get_current_win())[1].textoff
  return folded(diagnostic.message, math.max(math.min(vim.o.columns - gutter - indent - 7, WIDEST), 20))
end

--- Have the namespace of a client show its questions as the option `inline` says.
---@param client vim.lsp.Client
function M.begin(client)
  local inline = options.get().inline
  if not inline then return end
  local lines = vim.fn.has('nvim-0.11') == 1 and inline == 'line'
  vim.diagnostic.config({
    virtual_text = not lines and { prefix = '?', source = false } or false,
    virtual_lines = lines and { current_line = true, format = below } or false,
  }, namespace_of(client.id))
end

return M
