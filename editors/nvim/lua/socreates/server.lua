--- Where the server is, how it is run, and in which buffers. Nothing of the project decides any of it.
local options = require('socreates.options')

local M = {}

local NAME = 'socreates-lsp'

M.MISSING = 'Socreates: the server socreates-lsp was not found. Install it (:help socreates-install), '
  .. "or say where it is: require('socreates').setup({ cmd = '/path/to/socreates-lsp' })"

--- What keeps Python from importing packages of the project in the place of the server's.
M.ENVIRONMENT = { PYTHONPATH = '', PYTHONHOME = '', PYTHONSAFEPATH = '1' }

local windows = vim.fn.has('win32') == 1

---@param path string
---@return string
local function real(path) return vim.fs.normalize(vim.uv.fs_realpath(path) or path) end

---@param path string
---@param folder? string
---@return boolean
local function is_inside(path, folder)
  if not folder or folder == '' then return false end
  local whole, part = real(folder):gsub('/$', '') .. '/', real(path) .. '/'
  return part:sub(1, #whole) == whole
end

---@param path string
---@return boolean
local function is_absolute(path) return path:match('^[/\\]') ~= nil or path:match('^%a:[/\\]') ~= nil end

--- The folders that are looked into: PATH, a virtual environment, one that is there for this, and the user's own.
---@return string[]
local function folders()
  local found = vim.split(vim.env.PATH or '', windows and ';' or ':', { trimempty = true })
  local bin = windows and 'Scripts' or 'bin'
  if vim.env.VIRTUAL_ENV then table.insert(found, vim.fs.joinpath(vim.env.VIRTUAL_ENV, bin)) end
  table.insert(found, vim.fs.joinpath(vim.fn.stdpath('data') --[[@as string]], 'socreates', bin))
  table.insert(found, vim.fs.joinpath(vim.uv.os_homedir() or '', '.local', 'bin'))
  return vim.tbl_filter(is_absolute, found)
end

--- The server's command; nil with a sentence if there is none.
---
--- What lies inside the project is passed over, as whoever wrote the project could have put it there. A virtual
--- environment that the user activated counts.
---@param root? string The project's folder.
---@return string[]? command, string? problem
function M.command(root)
  local given = options.get().cmd
  if given then
    local command = type(given) == 'table' and vim.deepcopy(given) or { given }
    command[1] = vim.fn.exepath(vim.fn.expand(command[1] or ''))
    if command[1] == '' then return nil, 'Socreates: there is no program ' .. vim.inspect(given) .. ' (option cmd).' end
    return command --[[@as string[] ]]
  end
  for _, folder in ipairs(folders()) do
    local program = vim.fn.exepath(vim.fs.joinpath(folder, NAME))
    if program ~= '' and (not is_inside(folder, root) or is_inside(folder, vim.env.VIRTUAL_ENV)) then
      return { program }
    end
  end
  return nil, M.MISSING
end

local told = {}

--- Tell a problem; the same one once.
---@param problem string
local function tell_once(problem)
  if told[problem] then return end
  told[problem] = true
  vim.schedule(function() vim.notify(problem, vim.log.levels.WARN) end)
end

--- Whether a buffer is the text of a file, or of one that will be.
---@param bufnr integer
---@return boolean
function M.is_file(bufnr)
  local name = vim.api.nvim_buf_get_name(bufnr)
  return vim.bo[bufnr].buftype == '' and name ~= '' and not name:match('^%a[%w+.-]+://')
end

---@param bufnr integer
---@return string?
local function root_of(bufnr)
  local known = vim.fn.has('nvim-0.11') == 1 and vim.lsp.config.socreates or nil
  return vim.fs.root(bufnr, known and known.root_markers or options.get().root_markers)
end

--- The configuration of the client: a file `lsp/socreates.lua` for Neovim 0.11, and what 0.10 is started with.
---@return vim.lsp.Config
function M.config()
  local chosen = options.get()
  return {
    name = 'socreates',
    cmd = function(dispatchers, config)
      local root = config and config.root_dir or vim.uv.cwd()
      local command, problem = M.command(root)
      if not command then error(problem, 0) end
      return vim.lsp.rpc.start(command, dispatchers, { env = config and config.cmd_env or M.ENVIRONMENT })
    end,
    cmd_env = M.ENVIRONMENT,
    root_markers = chosen.root_markers,
    root_dir = function(bufnr, on_dir)
      local root = root_of(bufnr)
      if not M.is_file(bufnr) then return end
      -- A list in the user's own vim.lsp.config takes the place of the function above, and of its search.
      if type(vim.lsp.config.socreates.cmd) == 'table' then return on_dir(root) end
      local command, problem = M.command(root or vim.uv.cwd())
      if command then return on_dir(root) end
      tell_once(problem --[[@as string]])
    end,
    filetypes = chosen.filetypes,
    -- An empty table would be sent as an empty list.
    settings = next(chosen.settings) and { socreates = chosen.settings } or {},
    capabilities = { experimental = { socreates = { findings = true } } },
    on_exit = vim.schedule_wrap(function(_, _, client_id) require('socreates.client').ended(client_id) end),
    commands = require('socreates.actions').client_commands,
    handlers = {
      ['socreates/didChangeFindings'] = function(...) return require('socreates.findings').on_change(...) end,
      ['window/showMessageRequest'] = function(...) return require('socreates.prompt').on_request(...) end,
      ['$/progress'] = function(...) return require('socreates.progress').on_progress(...) end,
    },
  }
end

--- Start the server for a buffer, as vim.lsp.start does where there is no vim.lsp.config.
---@param bufnr integer
---@return integer? client_id, string? problem
function M.start(bufnr)
  local config = vim.fn.has('nvim-0.11') == 1 and vim.deepcopy(vim.lsp.config.socreates) or M.config()
  local root = M.is_file(bufnr) and root_of(bufnr) or vim.fs.root(vim.uv.cwd() or '.', options.get().root_markers)
  local command, problem = M.command(root or vim.uv.cwd())
  if not command and type(config.cmd) ~= 'table' then return nil, problem end
  local whole = vim.lsp.protocol.make_client_capabilities()
  config.root_dir = root
  config.capabilities = vim.tbl_deep_extend('force', whole, config.capabilities or {})
  return vim.lsp.start(config, { bufnr = bufnr, attach = M.is_file(bufnr) })
end

---@param bufnr integer
local function start_where_wanted(bufnr)
  local wanted = options.get().filetypes
  if not M.is_file(bufnr) or (wanted and not vim.tbl_contains(wanted, vim.bo[bufnr].filetype)) then return end
  local _, problem = M.start(bufnr)
  if problem then tell_once(problem) end
end

--- Have the server run in the files that are open and in those that will be.
function M.enable()
  if vim.fn.has('nvim-0.11') == 1 then
    vim.lsp.config('socreates', M.config())
    vim.lsp.enable('socreates')
    return
  end
  vim.api.nvim_create_autocmd('FileType', {
    group = vim.api.nvim_create_augroup('socreates.start', {}),
    callback = function(event) start_where_wanted(event.buf) end,
  })
  for _, bufnr in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(bufnr) and vim.bo[bufnr].filetype ~= '' then start_where_wanted(bufnr) end
  end
end

return M
