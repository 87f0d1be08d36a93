--- `:Socreates`: what it takes, and what each word does.
local M = {}

---@class socreates.Given
---@field target socreates.Target
---@field words string[] What follows the subcommand.
---@field text string The same, as it was typed.
---@field bang boolean

local function actions() return require('socreates.actions') end
local function thread() return require('socreates.thread') end

--- Do something with the question at the cursor.
---@param given socreates.Given
---@param act fun(id: string)
local function with_finding(given, act)
  local line = given.target.line1 and given.target.line1 - 1 or vim.api.nvim_win_get_cursor(given.target.win)[1] - 1
  thread().choose(given.target.bufnr, line, act)
end

local SCOPES = { 'file', 'changes', 'workspace' }

---@param given socreates.Given
---@return ('file'|'changes'|'workspace')?
local function scope_of(given) return vim.tbl_contains(SCOPES, given.words[1]) and given.words[1] or nil end

---@return string[]
local function revisions()
  local listed = vim.system({ 'git', 'for-each-ref', '--format=%(refname:short)' }, { timeout = 1000 }):wait()
  return vim.list_extend({ 'HEAD', 'HEAD~1' }, vim.split(listed.stdout or '', '\n', { trimempty = true }))
end

---@class socreates.Subcommand
---@field run fun(given: socreates.Given)
---@field words? fun(): string[] What may follow it.
---@field only? boolean Whether nothing else may.

---@type table<string, socreates.Subcommand>
local subcommands = {
  review = {
    run = function(given) actions().review(given.target, scope_of(given)) end,
    words = function() return SCOPES end,
    only = true,
  },
  changes = {
    run = function(given) actions().review(given.target, 'changes', given.words[1]) end,
    words = revisions,
  },
  unread = { run = function(given) actions().unread(given.target) end },
  ask = { run = function(given) actions().ask(given.target, given.text) end },
  thread = { run = function(given) with_finding(given, thread().open) end },
  reply = {
    run = function(given)
      with_finding(given, function(id)
        if given.text == '' then return thread().reply(id) end
        thread().say(id, given.text)
      end)
    end,
    words = function() return { 'It is intended.', 'I changed it, look again.', 'Tell me more.' } end,
  },
  dismiss = {
    run = function(given)
      with_finding(given, function(id) thread().dismiss(id, given.text ~= '' and given.text or nil) end)
    end,
  },
  restore = { run = function(given) thread().choose_settled(given.target.bufnr) end },
  list = { run = function(given) actions().list(given.target, given.bang) end },
  clear = { run = function(given) actions().clear(given.target, given.bang) end },
  preview = {
    run = function(given) actions().preview(given.target, scope_of(given)) end,
    words = function() return SCOPES end,
    only = true,
  },
  survey = { run = function(given) actions().survey(given.target, given.text) end },
  reset = {
    run = function(given) actions().reset(given.target, given.words[1] == 'purge') end,
    words = function() return { 'purge' } end,
    only = true,
  },
  status = { run = function(given) actions().status(given.target) end },
  cancel = { run = function() actions().cancel() end },
}

---@return string[]
local function names() return vim.fn.sort(vim.tbl_keys(subcommands)) end

--- Run `:Socreates`; alone it reviews.
---@param given table As nvim_create_user_command gives it.
function M.run(given)
  local name, bang = (given.fargs[1] or 'review'):match('^(.-)(!?)$')
  local subcommand = subcommands[name]
  if not subcommand then
    local message = ('Socreates: there is no %s; there are %s.'):format(name, table.concat(names(), ', '))
    return vim.notify(message, vim.log.levels.WARN)
  end
  local known = subcommand.only and subcommand.words and subcommand.words()
  if known and given.fargs[2] and not vim.tbl_contains(known, given.fargs[2]) then
    local message = 'Socreates: after %s there may be %s, and not %s.'
    return vim.notify(message:format(name, table.concat(known, ', '), given.fargs[2]), vim.log.levels.WARN)
  end
  local target = actions().here()
  if given.range > 0 then
    target.line1, target.line2 = given.line1, given.line2
  end
  subcommand.run({
    target = target,
    words = vim.list_slice(given.fargs, 2),
    text = vim.trim((given.args:gsub('^%s*%S+', '', 1))),
    bang = given.bang or bang == '!',
  })
end

--- Complete a subcommand, or what may follow it.
---@param lead string
---@param line string
---@return string[]
function M.complete(lead, line)
  local before = line:match('Socreates!?%s+(.*)$') or ''
  local name, rest = before:match('^(%S+)%s+(.*)$')
  if not name then
    return vim.tbl_filter(function(one) return vim.startswith(one, lead) end, names())
  end
  local subcommand = subcommands[name]
  local words = subcommand and subcommand.words and subcommand.words() or {}
  -- What holds spaces is completed as a whole, of which only the last word is replaced.
  local done = #rest - #lead
  return vim.tbl_map(
    function(one) return one:sub(done + 1) end,
    vim.tbl_filter(function(one) return vim.startswith(one, rest) end, words)
  )
end

return M
