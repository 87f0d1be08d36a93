--- The running server: found or started, asked, and told to stop.
local server = require('socreates.server')

local M = {}

local NEW = vim.fn.has('nvim-0.11') == 1

---@param bufnr integer
---@return vim.lsp.Client?
local function own(bufnr) return vim.lsp.get_clients({ name = 'socreates', bufnr = bufnr })[1] end

---@return vim.lsp.Client?
local function any() return vim.lsp.get_clients({ name = 'socreates' })[1] end

---@param bufnr? integer Its own client, else any; nil means any.
---@return vim.lsp.Client?
function M.get(bufnr) return own(bufnr or vim.api.nvim_get_current_buf()) or any() end

---@param condition fun(): boolean
---@param done fun(ok: boolean)
local function poll(condition, done)
  local tries = 0
  local function look()
    tries = tries + 1
    if condition() then return done(true) end
    if tries > 1500 then return done(false) end
    vim.defer_fn(look, 20)
  end
  look()
end

--- Do something with the server of a buffer, which is started if there is none. A file that no server has yet is
--- given to it first, since otherwise what is on disk would be read, and not what the buffer holds.
---@param bufnr integer
---@param use fun(client: vim.lsp.Client)
function M.with(bufnr, use)
  local client = own(bufnr) or not server.is_file(bufnr) and any() or nil
  if client and client.initialized then return use(client) end
  local id, problem = client and client.id or nil, nil
  if not id then
    id, problem = server.start(bufnr)
  end
  if not id then
    vim.notify(
      problem or 'Socreates: the server did not start; :checkhealth socreates may tell why.',
      vim.log.levels.WARN
    )
    return
  end
  poll(function()
    client = vim.lsp.get_client_by_id(id)
    return client ~= nil and client.initialized == true
  end, function(ok)
    if ok then
      return use(client --[[@as vim.lsp.Client]])
    end
    vim.notify('Socreates: the server does not answer; :checkhealth socreates may tell why.', vim.log.levels.WARN)
  end)
end

---@type table<integer, table<fun(result: table?), true>> What waits for an answer, by client.
local waiting = {}

--- A server ended: nobody answers any more.
---@param client_id integer
function M.ended(client_id)
  local left = waiting[client_id] or {}
  waiting[client_id] = nil
  for done in pairs(left) do
    done(nil)
  end
end

--- Send a request. What went wrong is told; `done` is then called with nil, as when the server ends before it answers.
---@param client vim.lsp.Client
---@param method string
---@param params table
---@param done fun(result: table?)
---@param bufnr? integer
function M.request(client, method, params, done, bufnr)
  local mine = waiting[client.id] or {}
  waiting[client.id] = mine
  local function finish(result) done(result) end
  mine[finish] = true
  local function answered(err, result)
    if not mine[finish] then return end
    mine[finish] = nil
    if err then vim.notify('Socreates: ' .. (err.message or vim.inspect(err)), vim.log.levels.WARN) end
    finish(not err and result or nil)
  end
  -- An empty table would go as an empty list.
  local given = next(params) == nil and vim.empty_dict() or params
  local sent
  if NEW then
    sent = client:request(method, given, answered, bufnr)
  else
    sent = client.request(method, given, answered, bufnr)
  end
  if not sent then answered({ message = 'the server has ended.' }) end
end

---@param client vim.lsp.Client
---@param method string
---@param params table
function M.notify(client, method, params)
  if NEW then
    client:notify(method, params)
  else
    client.notify(method, params)
  end
end

return M
