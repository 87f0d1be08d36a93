--- The plugin's own options. What the server is set to goes by `settings`, under the server's own names.
local M = {}

---@class socreates.Options
---@field cmd? string|string[] The server, where it is to be found neither on PATH nor in a place of its own.
---@field settings? table The server's settings, such as `{ model = { name = 'qwen3:8b' } }`.
---@field filetypes? string[] The filetypes to serve; nil means all.
---@field root_markers? string[] What marks the folder that is a project.
---@field inline? 'line'|'all'|false How questions show in the text: below the cursor's line, behind every line, as
--- vim.diagnostic.config() says.
---@field open_list? boolean Whether the list of questions opens after a review.
---@field echo? boolean Whether progress and results are told in the command line.
local defaults = {
  cmd = nil,
  settings = {},
  filetypes = nil,
  root_markers = { '.git', 'socreates.toml' },
  inline = 'line',
  open_list = false,
  echo = true,
}

local kinds = {
  cmd = { 'string', 'table' },
  settings = { 'table' },
  filetypes = { 'table' },
  root_markers = { 'table' },
  inline = { 'string', 'boolean' },
  open_list = { 'boolean' },
  echo = { 'boolean' },
}

---@type socreates.Options
local current = vim.deepcopy(defaults)

---@type string[] What was wrong with the options that were given; |:checkhealth| tells.
M.problems = {}

---@param name string
---@param value any
---@return string? problem
local function problem_of(name, value)
  if not kinds[name] then
    return ('there is no option %s; there are %s'):format(name, table.concat(vim.fn.sort(vim.tbl_keys(kinds)), ', '))
  end
  if not vim.tbl_contains(kinds[name], type(value)) then
    return ('%s has to be a %s'):format(name, table.concat(kinds[name], ' or a '))
  end
  if name == 'inline' and not vim.tbl_contains({ 'line', 'all', false }, value) then
    return "inline has to be 'line', 'all' or false"
  end
end

--- Take options. What is wrong is told, and the rest holds.
---@param given socreates.Options
function M.set(given)
  current, M.problems = vim.deepcopy(defaults), {}
  if type(given) ~= 'table' then
    table.insert(M.problems, 'the options have to be a table')
    given = {}
  end
  for name, value in pairs(given) do
    local problem = problem_of(name, value)
    if problem then
      table.insert(M.problems, problem)
    else
      current[name] = vim.deepcopy(value)
    end
  end
  if #M.problems > 0 then vim.notify('Socreates: ' .. table.concat(M.problems, '; ') .. '.', vim.log.levels.WARN) end
end

---@return socreates.Options
function M.get() return current end

return M
