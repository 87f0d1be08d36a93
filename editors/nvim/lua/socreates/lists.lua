--- The open questions in the location list of a window (one document) and in the quickfix list (all documents).
--- A list that was made is kept in step with the server.
local findings = require('socreates.findings')

local M = {}

---@class socreates.List
---@field id integer
---@field uri? string The document of a location list; nil for the quickfix list.
---@field win? integer

---@type socreates.List[]
local lists = {}

---@param uri? string
---@return table[] items
local function items_of(uri)
  local shown, encodings = findings.shown(uri)
  local items = {}
  for _, finding in ipairs(shown) do
    local location = { uri = finding.uri, range = finding.range }
    local item = vim.lsp.util.locations_to_items({ location }, encodings[finding.id])[1]
    if item then
      item.text = (finding.message:gsub('%s+', ' '))
      item.type = finding.kind == 'warning' and 'W' or 'I'
      item.user_data = { socreates = finding.id }
      table.insert(items, item)
    end
  end
  table.sort(items, function(a, b)
    if a.filename ~= b.filename then return a.filename < b.filename end
    return a.lnum < b.lnum
  end)
  return items
end

---@param list { uri?: string, win?: integer }
---@param action string
---@param what table
local function set(list, action, what)
  if list.win then
    vim.fn.setloclist(list.win, {}, action, what)
  else
    vim.fn.setqflist({}, action, what)
  end
end

---@param list { uri?: string, win?: integer }
---@param what table
---@return table
local function get(list, what)
  if not list.win then return vim.fn.getqflist(what) end
  return vim.api.nvim_win_is_valid(list.win) and vim.fn.getloclist(list.win, what) or { id = 0 }
end

--- Make a list, or bring the one that is there up to date.
---@param uri? string The document; nil for all.
---@param win? integer The window of a location list.
function M.fill(uri, win)
  local list = { uri = uri, win = win }
  local title = uri and 'Socreates: ' .. vim.fn.fnamemodify(vim.uri_to_fname(uri), ':~:.') or 'Socreates'
  local same = get(list, { id = 0, title = true })
  local replaces = same.id ~= 0 and same.title == title
  set(list, replaces and 'r' or ' ', { title = title, items = items_of(uri) })
  if replaces then return end
  list.id = get(list, { id = 0 }).id
  table.insert(lists, list)
end

--- Show a list that was made; without anything in it, close it.
---@param win? integer The window of a location list.
function M.open(win)
  if win and not vim.api.nvim_win_is_valid(win) then return end
  if win then
    vim.api.nvim_win_call(win, function() vim.cmd('lwindow') end)
  else
    vim.cmd('botright cwindow')
  end
end

findings.listen(function(uri)
  lists = vim.tbl_filter(function(list) return get(list, { id = list.id }).id == list.id end, lists)
  for _, list in ipairs(lists) do
    if not list.uri or list.uri == uri then set(list, 'r', { id = list.id, items = items_of(list.uri) }) end
  end
end)

return M
