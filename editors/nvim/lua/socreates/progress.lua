--- What the server does at this moment. Neovim's own LspProgress event goes on as ever; this is for our statusline,
--- the command line, `:Socreates cancel`, and texts that come piece by piece.
local M = {}

---@class socreates.Running
---@field client_id integer
---@field title string
---@field message? string

---@type table<string|integer, socreates.Running>
local running = {}
---@type table<string, fun(value: table)>
local partial = {}
local count = 0

--- A token for a request: what comes in parts under it goes to a function.
---@param hear? fun(value: table)
---@return string
function M.token(hear)
  count = count + 1
  local token = ('socreates.nvim-%d-%d'):format(vim.uv.os_getpid(), count)
  if hear then partial[token] = hear end
  return token
end

---@param token string
function M.forget(token) partial[token] = nil end

---@param params { token: string|integer, value: table }
---@param client_id integer
local function note(params, client_id)
  local value = params.value
  if value.kind == 'begin' then
    running[params.token] = { client_id = client_id, title = value.title, message = value.message }
  elseif value.kind == 'end' then
    running[params.token] = nil
  elseif running[params.token] then
    running[params.token].message = value.message or running[params.token].message
  end
  vim.cmd.redrawstatus({ bang = true })
  local one = running[params.token]
  if one then require('socreates.show').passing(M.words(one)) end
end

--- `$/progress`.
function M.on_progress(err, params, context)
  local hear = partial[params.token]
  if hear then return hear(params.value) end
  local result = vim.lsp.handlers['$/progress'](err, params, context)
  if type(params.value) == 'table' then note(params, context.client_id) end
  return result
end

---@param one socreates.Running
---@return string
function M.words(one) return one.message and ('%s: %s'):format(one.title, one.message) or one.title end

--- What runs, of servers that still do.
---@return table<string|integer, socreates.Running>
function M.running()
  for token, one in pairs(running) do
    if not vim.lsp.get_client_by_id(one.client_id) then running[token] = nil end
  end
  return running
end

--- End all that runs; how much that was.
---@return integer
function M.cancel()
  local ended = 0
  for token, one in pairs(M.running()) do
    local client = assert(vim.lsp.get_client_by_id(one.client_id))
    require('socreates.client').notify(client, 'window/workDoneProgress/cancel', { token = token })
    ended = ended + 1
  end
  return ended
end

---@return string
function M.statusline()
  local _, one = next(M.running())
  if one then return (M.words(one):gsub('%%', '%%%%')) end
  local findings = require('socreates.findings')
  local tally = findings.tally((findings.shown(vim.uri_from_bufnr(0))))
  return tally == '' and '' or 'Socreates: ' .. tally
end

return M
