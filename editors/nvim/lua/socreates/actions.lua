--- What `:Socreates` and the code actions ask of the server, and what is told of the answer.
local client_of = require('socreates.client')
local findings = require('socreates.findings')
local progress = require('socreates.progress')
local show = require('socreates.show')

local M = {}

---@class socreates.Target
---@field bufnr integer
---@field win integer
---@field line1? integer From 1; nil where no lines were named.
---@field line2? integer

---@param bufnr? integer
---@return socreates.Target
function M.here(bufnr)
  local win = vim.api.nvim_get_current_win()
  return { bufnr = bufnr or vim.api.nvim_win_get_buf(win), win = win }
end

---@param bufnr integer
---@return string?
local function uri_of(bufnr)
  return vim.api.nvim_buf_get_name(bufnr) ~= '' and vim.bo[bufnr].buftype == '' and vim.uri_from_bufnr(bufnr) or nil
end

---@param target socreates.Target
---@return table params with the document, and the lines if any were named
local function params_of(target)
  local params = { uri = uri_of(target.bufnr) }
  if params.uri and target.line1 then
    params.range = {
      start = { line = target.line1 - 1, character = 0 },
      ['end'] = { line = target.line2, character = 0 },
    }
  end
  return params
end

---@param result table
---@return string
local function words_of(result)
  local tally = findings.tally(result.findings)
  local left = result.unread and #result.unread > 0 and ' Not all was read: :Socreates unread' or ''
  if result.stop == 'cancelled' then
    return 'Socreates: cancelled.' .. (tally == '' and '' or (' %s so far.'):format(tally))
  end
  if tally == '' then return ('Socreates: %s%s'):format(result.summary, left) end
  local failed = result.stop == 'failed' and ' ' .. result.summary or ''
  return ('Socreates: %s.%s%s'):format(tally, failed, left)
end

---@param is_file boolean
---@return string how to see them
local function ways(is_file)
  if is_file then return '  ]d next · K why · :Socreates list' end
  return '  :cnext next · K why · :copen'
end

--- What is told after a review, and the list that it fills.
---@param target socreates.Target
---@param params table
---@param result table
local function reviewed(target, params, result)
  local is_file = params.scope == 'file' or params.scope == 'selection'
  local any = findings.tally(result.findings) ~= ''
  local uri = is_file and params.uri or nil
  local win = uri and vim.api.nvim_win_is_valid(target.win) and target.win or nil
  if any and (win or not uri) then
    require('socreates.lists').fill(uri, win)
    if require('socreates.options').get().open_list then require('socreates.lists').open(win) end
  end
  local shown = any and result.stop ~= 'failed'
  show.say(words_of(result) .. (shown and ways(is_file) or ''), result.stop == 'failed' and 'WarningMsg' or nil)
end

--- Review what the params say.
---@param target socreates.Target
---@param params table As of `socreates/review`.
function M.carry_out(target, params)
  params = vim.tbl_extend('force', params, { workDoneToken = progress.token() })
  params.wait = nil
  client_of.with(target.bufnr, function(client)
    client_of.request(client, 'socreates/review', params, function(result)
      if result then reviewed(target, params, result) end
    end, target.bufnr)
  end)
end

--- Review the lines that were named, else the file, else what `scope` says.
---@param target socreates.Target
---@param scope? 'file'|'changes'|'workspace'
---@param base? string A revision, for changes.
function M.review(target, scope, base)
  local params = params_of(target)
  if scope == 'changes' or scope == 'workspace' then
    return M.carry_out(target, { uri = params.uri, scope = scope, base = base })
  end
  if not params.uri then return show.say('Socreates: no file here. Try :Socreates changes', 'WarningMsg') end
  params.scope = params.range and scope ~= 'file' and 'selection' or 'file'
  params.range = params.scope == 'selection' and params.range or nil
  M.carry_out(target, params)
end

--- Go on with what the last review of this document, or of the changes in it, did not read.
---@param target socreates.Target
function M.unread(target)
  local zero = { line = 0, character = 0 }
  local asked = {
    textDocument = { uri = vim.uri_from_bufnr(target.bufnr) },
    range = { start = zero, ['end'] = zero },
    context = { diagnostics = {}, only = { 'socreates' }, triggerKind = 1 },
  }
  client_of.with(target.bufnr, function(client)
    client_of.request(client, 'textDocument/codeAction', asked, function(offered)
      for _, action in ipairs(offered or {}) do
        local params = action.command.arguments[1]
        if params.ask == 'unread' then return M.carry_out(target, params) end
      end
      show.say('Socreates: the last review left nothing unread here.')
    end, target.bufnr)
  end)
end

---@param target socreates.Target
---@param text string
local function ask(target, text)
  local float = show.open('Socreates', 'q closes · :Socreates cancel')
  local heard, question = '', show.lines(text, 'Title')
  float:show(vim.list_extend(vim.deepcopy(question), { { '' }, { '…', 'Comment' } }))
  local function write(answer)
    local lines = vim.list_extend(vim.deepcopy(question), { { '' } })
    float:show(vim.list_extend(lines, show.lines(answer)), true)
  end
  local token = progress.token(function(value)
    heard = heard .. (value.text or '')
    if vim.trim(heard) ~= '' then write(heard) end
  end)
  local more = { text = text, partialResultToken = token, workDoneToken = progress.token() }
  local params = vim.tbl_extend('force', params_of(target), more)
  client_of.with(target.bufnr, function(client)
    client_of.request(client, 'socreates/ask', params, function(result)
      progress.forget(token)
      if not result then return float:close() end
      write(result.text)
      local tally = findings.tally(result.findings)
      if tally ~= '' then show.say(('Socreates: %s.%s'):format(tally, ways(true))) end
    end, target.bufnr)
  end)
end

--- Ask something in one's own words; the lines that were named go along.
---@param target socreates.Target
---@param text string '' asks for it
function M.ask(target, text)
  if text ~= '' then return ask(target, text) end
  vim.ui.input({ prompt = 'Ask Socreates: ' }, function(given)
    if given and vim.trim(given) ~= '' then ask(target, given) end
  end)
end

---@param ranges lsp.Range[]
---@return string
local function lines_of(ranges)
  return table.concat(
    vim.tbl_map(function(range)
      local first, last = range.start.line + 1, range['end'].line + 1
      return first == last and tostring(first) or ('%d-%d'):format(first, last)
    end, ranges),
    ', '
  )
end

---@param told table The result of `socreates/preview`.
---@return socreates.Line[]
local function preview_lines(told)
  local lines = {
    {
      told.endpoint and ('To %s, for %s'):format(told.endpoint, told.model) or 'To nobody: the examiner reads it here.',
    },
  }
  if told.estimatedTokens and told.estimatedTokens > 0 then
    local cost = type(told.estimatedCostUsd) == 'number' and (', about $%.4f'):format(told.estimatedCostUsd) or ''
    table.insert(lines, { ('About %d tokens in the first request%s'):format(told.estimatedTokens, cost) })
  end
  table.insert(lines, { '' })
  for _, file in ipairs(told.files) do
    local name = vim.fn.fnamemodify(vim.uri_to_fname(file.uri), ':~:.')
    table.insert(lines, { ('%s, lines %s'):format(name, lines_of(file.ranges)) })
  end
  table.insert(lines, { #told.files == 0 and 'No file.' or '' })
  return lines
end

--- Show what a review would send, and where to. Nothing is sent.
---@param target socreates.Target
---@param scope? 'file'|'changes'|'workspace'
function M.preview(target, scope)
  local params = params_of(target)
  params.scope = scope
  client_of.with(target.bufnr, function(client)
    client_of.request(client, 'socreates/preview', params, function(told)
      if told then show.page('What a review would send', preview_lines(told)) end
    end, target.bufnr)
  end)
end

--- Take the open questions that were not talked about out of the editor.
---@param target socreates.Target
---@param everywhere boolean Of all documents, not of this one.
function M.clear(target, everywhere)
  local params = { uri = not everywhere and vim.uri_from_bufnr(target.bufnr) or nil }
  client_of.with(target.bufnr, function(client)
    client_of.request(client, 'socreates/clear', params, function(result)
      if result then show.say(('Socreates: %d cleared.'):format(result.cleared)) end
    end, target.bufnr)
  end)
end

---@param target socreates.Target
---@param purge boolean
local function reset(target, purge)
  client_of.with(target.bufnr, function(client)
    local params = { uri = uri_of(target.bufnr), purge = purge }
    client_of.request(client, 'socreates/reset', params, function(result)
      if not result then return end
      local kept = type(result.archived) == 'string' and (' The old one is kept as %s.'):format(result.archived) or ''
      show.say('Socreates: a new conversation.' .. kept)
    end, target.bufnr)
  end)
end

--- Begin a new conversation; the old one is archived, or after a question deleted.
---@param target socreates.Target
---@param purge boolean
function M.reset(target, purge)
  if not purge then return reset(target, false) end
  local choices = { 'Delete it', 'Keep it' }
  vim.ui.select(choices, { prompt = 'Delete the conversation of this project for good?' }, function(choice)
    if choice == choices[1] then reset(target, true) end
  end)
end

---@param told table The result of `socreates/status`.
---@return socreates.Line[]
local function status_lines(told)
  local reviewer = told.reviewer
  local model = type(reviewer.model) == 'string' and ' with ' .. reviewer.model or ''
  local lines = { { ('%s%s'):format(reviewer.provider, model), 'Title' } }
  vim.list_extend(lines, show.lines(reviewer.why))
  if type(told.endpoint) == 'string' then table.insert(lines, { 'Endpoint: ' .. told.endpoint }) end
  for _, one in ipairs(told.skipped) do
    table.insert(lines, { ('Passed over: %s, %s'):format(one.model, one.reason), 'Comment' })
  end
  vim.list_extend(lines, { { '' }, { ('Version %s on Python %s'):format(told.version, told.python) } })
  table.insert(lines, { ('Tokens: %d in, %d out'):format(told.usage.inputTokens, told.usage.outputTokens) })
  for _, status in ipairs(vim.fn.sort(vim.tbl_keys(told.findings))) do
    table.insert(lines, { ('Questions %s: %d'):format(status, told.findings[status]) })
  end
  vim.list_extend(lines, { { '' }, { 'Your file: ' .. told.config } })
  for _, name in ipairs(vim.fn.sort(vim.tbl_keys(told.settings))) do
    local one = told.settings[name]
    if one.source ~= 'default' then
      table.insert(lines, { ('%s = %s  (%s)'):format(name, vim.json.encode(one.value), one.source) })
    end
  end
  for _, problem in ipairs(told.problems) do
    table.insert(lines, { problem, 'WarningMsg' })
  end
  return lines
end

--- Have the whole project surveyed, and show the report.
---@param target socreates.Target
---@param focus string '' for none
function M.survey(target, focus)
  local params = { uri = uri_of(target.bufnr), workDoneToken = progress.token() }
  if focus ~= '' then params.focus = focus end
  client_of.with(target.bufnr, function(client)
    client_of.request(client, 'socreates/survey', params, function(told)
      if told then show.document('survey', told.report) end
    end, target.bufnr)
  end)
end

--- Show who reviews and why, what is set and where from.
---@param target socreates.Target
function M.status(target)
  client_of.with(target.bufnr, function(client)
    client_of.request(client, 'socreates/status', {}, function(told)
      if told then show.page('Socreates', status_lines(told)) end
    end, target.bufnr)
  end)
end

--- Show the open questions of this file, or of all files.
---@param target socreates.Target
---@param everywhere boolean
function M.list(target, everywhere)
  local lists = require('socreates.lists')
  local uri = not everywhere and uri_of(target.bufnr) or nil
  if #findings.shown(uri) == 0 then return show.say('Socreates: no open questions' .. (uri and ' here.' or '.')) end
  lists.fill(uri, uri and target.win or nil)
  lists.open(uri and target.win or nil)
end

--- End what runs.
function M.cancel()
  local ended = progress.cancel()
  if ended == 0 then show.say('Socreates: nothing is running.') end
end

---@param act fun(target: socreates.Target, params: table)
---@return fun(command: lsp.Command, context: table)
local function by_action(act)
  return function(command, context) act(M.here(context.bufnr), command.arguments[1]) end
end

--- What a code action does here, in the place of a command that nobody waits for.
M.client_commands = {
  ['socreates/review'] = by_action(M.carry_out),
  ['socreates/reply'] = by_action(function(_, params) require('socreates.thread').say(params.id, params.text) end),
  ['socreates/more'] = by_action(function(_, params) require('socreates.thread').more(params.id) end),
  ['socreates/dismiss'] = by_action(function(_, params) require('socreates.thread').dismiss(params.id) end),
}

return M
