--- The findings as the server told of them last, which is the one truth: nothing here changes them.
local M = {}

---@class socreates.Place
---@field uri string
---@field range lsp.Range
---@field message string

---@class socreates.Said
---@field author string
---@field text string
---@field at string

---@class socreates.Told What may be shown below a question (setting review.reveal).
---@field before string[]
---@field places socreates.Place[]
---@field after string[]
---@field named boolean Whether the rule may be named.
---@field more boolean Whether there is more to open.

---@class socreates.Finding
---@field id string
---@field kind 'question'|'warning'
---@field category string
---@field rule? string
---@field uri string
---@field range lsp.Range In the units of the client's offset_encoding, lines from 0.
---@field message string
---@field why string
---@field quote string
---@field related socreates.Place[]
---@field source 'model'|'examiner'
---@field status string
---@field thread socreates.Said[]
---@field told? socreates.Told

---@type table<integer, table<string, socreates.Finding[]>>
local known = {}

---@type (fun(uri: string))[]
local listeners = {}

--- Call a function whenever the findings of a document changed.
---@param listener fun(uri: string)
function M.listen(listener) table.insert(listeners, listener) end

--- Those that the server asks again by itself, as the ground of an answer is gone.
---@param before socreates.Finding[]
---@param now socreates.Finding[]
---@return socreates.Finding[]
local function asked_again(before, now)
  local settled = {}
  for _, finding in ipairs(before) do
    settled[finding.id] = not M.is_shown(finding) or nil
  end
  return vim.tbl_filter(function(finding)
    local last = finding.thread[#finding.thread]
    return settled[finding.id] and M.is_shown(finding) and last ~= nil and last.author == 'socreates'
  end, now)
end

--- `socreates/didChangeFindings`.
---@param params { uri: string, findings: socreates.Finding[], told?: table<string, socreates.Told> }
---@param context { client_id: integer }
function M.on_change(_, params, context)
  known[context.client_id] = known[context.client_id] or {}
  for _, finding in ipairs(params.findings) do
    finding.told = params.told and params.told[finding.id]
  end
  local again = asked_again(known[context.client_id][params.uri] or {}, params.findings)
  known[context.client_id][params.uri] = #params.findings > 0 and params.findings or nil
  for _, listener in ipairs(listeners) do
    listener(params.uri)
  end
  vim.api.nvim_exec_autocmds('User', { pattern = 'SocreatesFindings', modeline = false, data = { uri = params.uri } })
  vim.cmd.redrawstatus({ bang = true })
  if again[1] then
    local line = again[1].range.start.line + 1
    require('socreates.show').say(('Socreates asks again, line %d: %s'):format(line, again[1].message), 'WarningMsg')
  end
end

---@param finding socreates.Finding
---@return boolean
function M.is_shown(finding) return finding.status == 'open' or finding.status == 'stale' end

--- What is known of all servers that run: of one document, or of all in the order of their names.
---@param uri? string
---@return socreates.Finding[], table<string, string> encodings by the id of a finding
function M.all(uri)
  local found, encodings = {}, {}
  for client_id, documents in pairs(known) do
    local client = vim.lsp.get_client_by_id(client_id)
    if not client then known[client_id] = nil end
    for _, name in ipairs(client and vim.fn.sort(vim.tbl_keys(documents)) or {}) do
      for _, finding in ipairs((not uri or uri == name) and documents[name] or {}) do
        table.insert(found, finding)
        encodings[finding.id] = client and client.offset_encoding
      end
    end
  end
  return found, encodings
end

--- Those that the editor shows.
---@param uri? string
---@return socreates.Finding[], table<string, string> encodings
function M.shown(uri)
  local found, encodings = M.all(uri)
  return vim.tbl_filter(M.is_shown, found), encodings
end

---@param id string
---@return socreates.Finding?
function M.get(id)
  for _, finding in ipairs((M.all())) do
    if finding.id == id then return finding end
  end
end

--- The server that told of a finding.
---@param id string
---@return vim.lsp.Client?
function M.client(id)
  for client_id, documents in pairs(known) do
    for _, found in pairs(documents) do
      for _, finding in ipairs(found) do
        if finding.id == id then return vim.lsp.get_client_by_id(client_id) end
      end
    end
  end
end

--- Those that a line is about; without any, those on the lines that are nearest.
---@param bufnr integer
---@param line integer From 0.
---@return socreates.Finding[]
function M.at(bufnr, line)
  local found = M.shown(vim.uri_from_bufnr(bufnr))
  local function distance(finding)
    local first, last = finding.range.start.line, finding.range['end'].line
    return math.max(first - line, line - last, 0)
  end
  local nearest = math.huge
  for _, finding in ipairs(found) do
    nearest = math.min(nearest, distance(finding))
  end
  return vim.tbl_filter(function(finding) return distance(finding) == nearest end, found)
end

--- How many questions and warnings are open.
---@param findings socreates.Finding[]
---@return integer questions, integer warnings
function M.count(findings)
  local questions, warnings = 0, 0
  for _, finding in ipairs(findings) do
    if M.is_shown(finding) and finding.kind == 'warning' then
      warnings = warnings + 1
    elseif M.is_shown(finding) then
      questions = questions + 1
    end
  end
  return questions, warnings
end

---@param findings socreates.Finding[]
---@return string such as `2 questions, 1 warning`; '' for none
function M.tally(findings)
  local questions, warnings = M.count(findings)
  local words = {}
  if questions > 0 then table.insert(words, ('%d question%s'):format(questions, questions == 1 and '' or 's')) end
  if warnings > 0 then table.insert(words, ('%d warning%s'):format(warnings, warnings == 1 and '' or 's')) end
  return table.concat(words, ', ')
end

return M
