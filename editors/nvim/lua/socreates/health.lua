--- `:checkhealth socreates`.
local health = vim.health

local M = {}

local function check_neovim()
  if vim.fn.has('nvim-0.10') == 0 then return health.error('Neovim 0.10 or newer is needed.') end
  health.ok('Neovim ' .. tostring(vim.version()))
  if vim.fn.has('nvim-0.11') == 0 then
    health.info("vim.lsp.enable() comes with Neovim 0.11; here, require('socreates').setup() starts the server.")
  end
end

local function check_options()
  local problems = require('socreates.options').problems
  for _, problem in ipairs(problems) do
    health.error('Option: ' .. problem)
  end
  if #problems == 0 then health.ok('The options are in order.') end
end

local function check_server()
  local server = require('socreates.server')
  local command, problem = server.command(vim.uv.cwd())
  if not command then
    return health.error(problem --[[@as string]], { ':help socreates-install' })
  end
  local asked = vim.list_extend(vim.deepcopy(command), { '--version' })
  local ran, told = pcall(function() return vim.system(asked, { env = server.ENVIRONMENT, timeout = 30000 }):wait() end)
  if not ran or told.code ~= 0 then
    local why = ran and vim.trim(told.stderr or '') or tostring(told)
    return health.error(('%s does not run: %s'):format(command[1], why))
  end
  health.ok(('%s (%s)'):format(vim.trim(told.stdout), command[1]))
end

---@param client vim.lsp.Client
local function check_status(client)
  local status
  require('socreates.client').request(client, 'socreates/status', {}, function(result) status = result or {} end)
  vim.wait(30000, function() return status ~= nil end, 20)
  if not status or not status.reviewer then return health.warn('The server does not tell its status.') end
  local model = type(status.reviewer.model) == 'string' and ' with ' .. status.reviewer.model or ''
  health.ok(('Questions come from: %s%s. %s'):format(status.reviewer.provider, model, status.reviewer.why))
  for _, one in ipairs(status.skipped) do
    health.info(('Passed over: %s, %s'):format(one.model, one.reason))
  end
  for name, path in vim.spairs(status.tools) do
    if type(path) == 'string' then
      health.ok(('%s: %s'):format(name, path))
    else
      health.warn(
        ('%s is not there: %s.'):format(name, name == 'git' and "changes can't be reviewed" or 'it goes without')
      )
    end
  end
  for _, problem in ipairs(status.problems) do
    health.warn(problem)
  end
end

local function check_clients()
  local clients = vim.lsp.get_clients({ name = 'socreates' })
  if #clients == 0 then
    return health.info('The server does not run yet: it starts with a file, or with :Socreates review.')
  end
  for _, client in ipairs(clients) do
    health.ok(('The server runs for %s.'):format(client.root_dir or client.config.root_dir or 'single files'))
  end
  check_status(clients[1])
end

--- Tell what is there, what is missing, and what to do about it.
function M.check()
  health.start('Socreates')
  check_neovim()
  check_options()
  check_server()
  check_clients()
end

return M
