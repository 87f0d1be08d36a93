--- The command line and floating windows.
local M = {}

---@param text string
---@return string on one line that fits, so that nobody has to press a key
local function fitted(text)
  local line = text:gsub('%s+', ' ')
  local room = math.max(vim.v.echospace, 20)
  if vim.fn.strdisplaywidth(line) <= room then return line end
  return vim.fn.strcharpart(line, 0, room - 1) .. '…'
end

--- Tell a result; `:messages` keeps it.
---@param text string
---@param highlight? string
function M.say(text, highlight)
  if require('socreates.options').get().echo then
    vim.api.nvim_echo({ { fitted(text), highlight or 'None' } }, true, {})
  end
end

--- Tell what is going on, unless something is being typed.
---@param text string
function M.passing(text)
  if require('socreates.options').get().echo and vim.api.nvim_get_mode().mode:match('^[nvV\22]') then
    vim.api.nvim_echo({ { fitted(text), 'Comment' } }, false, {})
  end
end

--- Keep a line in the corner of the screen, where no mode writes over it.
---@param text string
---@return fun() close
function M.note(text)
  local buf = vim.api.nvim_create_buf(false, true)
  vim.bo[buf].bufhidden = 'wipe'
  vim.api.nvim_buf_set_lines(buf, 0, -1, false, { text })
  local win = vim.api.nvim_open_win(buf, false, {
    relative = 'editor',
    anchor = 'NE',
    row = 0,
    col = vim.o.columns,
    width = math.min(vim.fn.strdisplaywidth(text), vim.o.columns),
    height = 1,
    style = 'minimal',
    border = 'rounded',
    focusable = false,
    noautocmd = true,
  })
  vim.wo[win].winhighlight = 'NormalFloat:WarningMsg'
  vim.cmd.redraw()
  return function()
    if vim.api.nvim_win_is_valid(win) then vim.api.nvim_win_close(win, true) end
  end
end

---@class socreates.Line
---@field [1] string
---@field [2]? string A highlight group.

---@class socreates.Float
---@field win integer
---@field buf integer
---@field room integer
local Float = {}
Float.__index = Float

local namespace = vim.api.nvim_create_namespace('socreates.float')

---@return integer
local function width() return math.max(math.min(84, vim.o.columns - 4), 20) end

---@param lines socreates.Line[]
---@return integer
local function height_of(lines)
  local rows = 0
  for _, line in ipairs(lines) do
    rows = rows + math.max(math.ceil(vim.fn.strdisplaywidth(line[1]) / (width() - 2)), 1)
  end
  return rows
end

local ENOUGH = 12

--- Where a window covers no line of the question: below the cursor, or above where there is more room.
---@return table config, integer room The rows that the window may grow to.
local function place()
  local below = vim.o.lines - vim.o.cmdheight - vim.fn.screenrow() - 3
  local above = vim.fn.screenrow() - 3
  local up = below < ENOUGH and above > below
  local config = { relative = 'cursor', anchor = up and 'SW' or 'NW', row = up and 0 or 1, col = 0 }
  return vim.tbl_extend('error', config, { width = width(), height = 1 }), math.max(up and above or below, 3)
end

--- Open a window that takes the cursor; q and Escape close it.
---@param title string
---@param footer? string
---@return socreates.Float
function M.open(title, footer)
  local buf = vim.api.nvim_create_buf(false, true)
  vim.bo[buf].bufhidden = 'wipe'
  vim.bo[buf].filetype = 'socreates'
  local where, room = place()
  local config = vim.tbl_extend('error', where, {
    style = 'minimal',
    border = 'rounded',
    title = (' %s '):format(title),
    footer = footer and (' %s '):format(footer) or nil,
  })
  local win = vim.api.nvim_open_win(buf, true, config)
  vim.wo[win].wrap, vim.wo[win].linebreak, vim.wo[win].breakindent = true, true, true
  vim.wo[win].winfixbuf = true
  local float = setmetatable({ win = win, buf = buf, room = room }, Float)
  float:map('q', function() float:close() end)
  float:map('<Esc>', function() float:close() end)
  return float
end

---@return boolean
function Float:is_open() return vim.api.nvim_win_is_valid(self.win) and vim.api.nvim_buf_is_valid(self.buf) end

function Float:close()
  if self:is_open() then vim.api.nvim_win_close(self.win, true) end
end

---@param key string
---@param act fun()
function Float:map(key, act) vim.keymap.set('n', key, act, { buffer = self.buf, nowait = true }) end

--- Show lines; the window grows with them as far as there is room.
---@param lines socreates.Line[]
---@param at_end? boolean Whether the last of them is to be seen.
function Float:show(lines, at_end)
  if not self:is_open() then return end
  vim.bo[self.buf].modifiable = true
  vim.api.nvim_buf_set_lines(self.buf, 0, -1, false, vim.tbl_map(function(line) return line[1] end, lines))
  vim.bo[self.buf].modifiable = false
  vim.api.nvim_buf_clear_namespace(self.buf, namespace, 0, -1)
  for number, line in ipairs(lines) do
    if line[2] and #line[1] > 0 then
      vim.api.nvim_buf_set_extmark(self.buf, namespace, number - 1, 0, { end_col = #line[1], hl_group = line[2] })
    end
  end
  local config = vim.api.nvim_win_get_config(self.win)
  config.height = math.min(height_of(lines), self.room)
  vim.api.nvim_win_set_config(self.win, config)
  if at_end then vim.api.nvim_win_call(self.win, function() vim.cmd('normal! Gzb') end) end
end

--- A text as lines of a window.
---@param text string
---@param highlight? string
---@param indent? string
---@return socreates.Line[]
function M.lines(text, highlight, indent)
  return vim.tbl_map(
    function(line) return { line == '' and '' or (indent or '') .. line, highlight } end,
    vim.split(vim.trim(text), '\n', { plain = true })
  )
end

--- Show a text in a window.
---@param title string
---@param lines socreates.Line[]
---@return socreates.Float
function M.page(title, lines)
  local float = M.open(title, 'q closes')
  float:show(lines)
  return float
end

--- Show Markdown in a window of its own, in a buffer that nothing is written from.
---@param title string
---@param text string
---@return integer bufnr
function M.document(title, text)
  vim.cmd.new()
  local buf = vim.api.nvim_get_current_buf()
  vim.bo[buf].buftype = 'nofile'
  vim.bo[buf].bufhidden = 'wipe'
  vim.bo[buf].swapfile = false
  vim.api.nvim_buf_set_lines(buf, 0, -1, false, vim.split(text, '\n', { plain = true }))
  pcall(vim.api.nvim_buf_set_name, buf, ('socreates://%s.md'):format(title))
  vim.bo[buf].modifiable = false
  vim.bo[buf].filetype = 'markdown'
  return buf
end

return M
