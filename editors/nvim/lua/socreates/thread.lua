--- The talk about one finding, in a floating window: the question, what may be told of it, and what was said.
local client_of = require('socreates.client')
local findings = require('socreates.findings')
local progress = require('socreates.progress')
local show = require('socreates.show')

local M = {}

---@class socreates.Open
---@field float socreates.Float
---@field id string
---@field pending? string What the user said a moment ago.
---@field heard? string What came of the answer so far.
---@field said? integer How much was said when it was shown last.
---@field places table<integer, socreates.Place> By line of the window, from 1.

---@type socreates.Open?
local open

local WHO = { user = 'You', model = 'The model', examiner = 'The examiner', socreates = 'Socreates' }
local SETTLED = { answered = 'Answered', resolved = 'Resolved', withdrawn = 'Withdrawn', dismissed = 'Dismissed' }
local FOOTER = 'r reply · d dismiss · m more · u open again · q close'

---@param finding socreates.Finding
---@return string
local function origin(finding)
  local rule = finding.rule and finding.told and finding.told.named and ', rule ' .. finding.rule or ''
  local kind = finding.kind == 'warning' and 'Warning' or 'Question'
  local stale = finding.status == 'stale' and ' The lines changed since it was asked.' or ''
  return ('%s on %s, asked by the %s%s.%s'):format(kind, finding.category, finding.source, rule, stale)
end

---@param place socreates.Place
---@return string
local function named(place)
  return ('%s:%d'):format(vim.fn.fnamemodify(vim.uri_to_fname(place.uri), ':~:.'), place.range.start.line + 1)
end

---@param one socreates.Said
---@param lines socreates.Line[]
local function add_said(one, lines)
  vim.list_extend(lines, { { '' }, { WHO[one.author] or 'Not said on this machine', 'Identifier' } })
  vim.list_extend(lines, show.lines(one.text, nil, '  '))
end

---@param window socreates.Open
---@param finding socreates.Finding
---@return socreates.Line[]
local function lines_of(window, finding)
  local lines = show.lines(finding.message, 'Title')
  window.places = {}
  local told = finding.told or { before = {}, places = {}, after = {} }
  for _, paragraph in ipairs(told.before) do
    if vim.trim(paragraph) ~= '' then vim.list_extend(lines, vim.list_extend({ { '' } }, show.lines(paragraph))) end
  end
  if #told.places > 0 then table.insert(lines, { '' }) end
  for _, place in ipairs(told.places) do
    table.insert(lines, { ('  %s  %s'):format(named(place), place.message), 'Underlined' })
    window.places[#lines] = place
  end
  for _, paragraph in ipairs(told.after) do
    if vim.trim(paragraph) ~= '' then vim.list_extend(lines, vim.list_extend({ { '' } }, show.lines(paragraph))) end
  end
  vim.list_extend(lines, { { '' }, { origin(finding), 'Comment' } })
  for _, one in ipairs(finding.thread) do
    add_said(one, lines)
  end
  if window.pending then
    add_said({ author = 'user', text = window.pending, at = '' }, lines)
    vim.list_extend(lines, { { '' }, { window.heard and 'Answer' or '…', 'Comment' } })
    if window.heard then vim.list_extend(lines, show.lines(window.heard, nil, '  ')) end
  end
  if SETTLED[finding.status] then vim.list_extend(lines, { { '' }, { SETTLED[finding.status] .. '.', 'MoreMsg' } }) end
  return lines
end

--- Show the open window as things are now.
local function refresh()
  local finding = open and open.float:is_open() and findings.get(open.id)
  if not open or not finding then return end
  local said = #finding.thread
  open.float:show(lines_of(open, finding), open.pending ~= nil or (open.said ~= nil and said > open.said))
  open.said = said
end

findings.listen(function() refresh() end)

--- Go to the place that the cursor is on.
local function jump()
  local place = open and open.places[vim.api.nvim_win_get_cursor(open.float.win)[1]]
  if not open or not place then return end
  open.float:close()
  local client = client_of.get()
  vim.lsp.util.show_document(place, client and client.offset_encoding or 'utf-16', { focus = true })
end

--- Open the window of a finding, or look at the one that is open.
---@param id string
function M.open(id)
  if open and open.id == id and open.float:is_open() then
    vim.api.nvim_set_current_win(open.float.win)
    return refresh()
  end
  if open then open.float:close() end
  if not findings.get(id) then return show.say('Socreates: this question is gone.', 'WarningMsg') end
  open = { float = show.open('Socreates', FOOTER), id = id, places = {} }
  open.float:map('r', function() M.reply(id) end)
  open.float:map('d', function() M.dismiss(id) end)
  open.float:map('m', function() M.more(id) end)
  open.float:map('u', function() M.restore(id) end)
  open.float:map('<CR>', jump)
  refresh()
end

---@param id string
---@param method string
---@param params table
---@param done fun(result: table?)
local function request(id, method, params, done)
  local function send(client) client_of.request(client, method, vim.tbl_extend('force', { id = id }, params), done) end
  local client = findings.client(id)
  if client then return send(client) end
  client_of.with(vim.api.nvim_get_current_buf(), send)
end

local ENDS = { withdrawn = 'withdrawn', resolved = 'resolved' }

--- Say something about a finding; its window shows the answer.
---@param id string
---@param text string
function M.say(id, text)
  M.open(id)
  local window = open
  if not window or window.id ~= id then return end
  window.pending, window.heard = text, nil
  refresh()
  local token = progress.token(function(value)
    window.heard = (window.heard or '') .. (value.text or '')
    refresh()
  end)
  local params = { text = text, partialResultToken = token, workDoneToken = progress.token() }
  request(id, 'socreates/reply', params, function(result)
    progress.forget(token)
    window.pending, window.heard = nil, nil
    refresh()
    if not result then return end
    local status = type(result.finding) == 'table' and result.finding.status or 'open'
    local stands = status == 'answered' and 'answered' or 'the question stands'
    show.say(('Socreates: %s.'):format(ENDS[result.verdict] or stands))
  end)
end

--- Ask for a reply and say it.
---@param id string
function M.reply(id)
  vim.ui.input({ prompt = 'Reply: ' }, function(text)
    if text and vim.trim(text) ~= '' then M.say(id, text) end
  end)
end

--- Open the next rung of a question's ladder; where there is none, ask for more.
---@param id string
function M.more(id)
  local finding = findings.get(id)
  if finding and finding.told and not finding.told.more then return M.say(id, 'Tell me more.') end
  request(id, 'socreates/more', {}, function(result)
    if result then M.open(id) end
  end)
end

--- Take a finding out of the editor, for a reason if one is given; it is not asked again.
---@param id string
---@param reason? string
function M.dismiss(id, reason)
  request(id, 'socreates/dismiss', { reason = reason }, function(result)
    if not result then return end
    if open and open.id == id then open.float:close() end
    show.say('Socreates: dismissed. :Socreates restore brings it back.')
  end)
end

--- Open again what was dismissed or settled.
---@param id string
function M.restore(id)
  request(id, 'socreates/restore', {}, function(result)
    if result then show.say('Socreates: open again.') end
  end)
end

--- Do something with the finding at the cursor; of several, the user chooses.
---@param bufnr integer
---@param line integer From 0.
---@param act fun(id: string)
function M.choose(bufnr, line, act)
  -- In the window of a thread, its finding is meant.
  if open and open.float:is_open() and open.float.buf == bufnr then return act(open.id) end
  local found = findings.at(bufnr, line)
  if #found == 0 then return show.say('Socreates: no open question in this file.', 'WarningMsg') end
  if #found == 1 then return act(found[1].id) end
  vim.ui.select(found, {
    prompt = 'Which question?',
    format_item = function(finding) return finding.message:gsub('%s+', ' ') .. '' end,
  }, function(finding)
    if finding then act(finding.id) end
  end)
end

---@param settled socreates.Finding[]
local function choose_settled(settled)
  if #settled == 0 then return show.say('Socreates: nothing was dismissed or settled.') end
  vim.ui.select(settled, {
    prompt = 'Open again:',
    format_item = function(finding)
      return ('%s: %s'):format(SETTLED[finding.status], (finding.message:gsub('%s+', ' ')))
    end,
  }, function(finding)
    if finding then M.restore(finding.id) end
  end)
end

--- Choose among what was dismissed or settled, and open it again.
---@param bufnr integer
function M.choose_settled(bufnr)
  client_of.with(bufnr, function(client)
    -- Dismissals of earlier sessions are read from disk only where they are asked for.
    client_of.request(client, 'socreates/findings', { status = 'dismissed' }, function(dismissed)
      if not dismissed then return end
      client_of.request(client, 'socreates/findings', {}, function(all)
        local settled = vim.tbl_filter(function(one) return SETTLED[one.status] ~= nil end, all and all.findings or {})
        choose_settled(settled)
      end, bufnr)
    end, bufnr)
  end)
end

return M
