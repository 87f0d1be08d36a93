-- Drives a real Neovim without a screen through all that a user does, and writes what the user would see as JSON.
-- vim.g.drive: file, out, claim (a reply), hanging (a file that is there once the model hangs)
local drive = vim.g.drive
local seen = { progress = {}, prompts = {}, messages = {} }

local function wait(what, condition)
  if not vim.wait(60000, condition, 10) then error('waited in vain for ' .. what) end
end

vim.api.nvim_create_autocmd('LspProgress', {
  callback = function(event)
    local value = event.data.params.value
    table.insert(seen.progress, { kind = value.kind, text = value.message or value.title or '' })
  end,
})

-- The user: asked for the command that a model wants to run, denies it; asked for a code action, takes the first.
local answers = {}
vim.ui.select = function(items, options, on_choice)
  local titles = vim.tbl_map(options.format_item or tostring, items)
  table.insert(seen.prompts, { kind = options.kind or '', prompt = options.prompt or '', titles = titles })
  local wanted = table.remove(answers, 1)
  for index, title in ipairs(titles) do
    if vim.startswith(title, wanted or ' ') then return on_choice(items[index], index) end
  end
  on_choice(nil, nil)
end

local function choose(...) answers = { ... } end

local function diagnostics()
  local found = vim.diagnostic.get(0)
  table.sort(found, function(a, b) return a.lnum < b.lnum end)
  return vim.tbl_map(function(one)
    local text = vim.api.nvim_buf_get_lines(0, one.lnum, one.lnum + 1, false)[1] or ''
    return {
      line = one.lnum,
      message = one.message,
      severity = one.severity,
      code = one.code,
      text = text:sub(one.col + 1, one.lnum == one.end_lnum and one.end_col or -1),
    }
  end, found)
end

local function listed()
  return vim.tbl_map(function(item) return { line = item.lnum, text = item.text } end, vim.fn.getloclist(0))
end

local function floating()
  for _, window in ipairs(vim.api.nvim_list_wins()) do
    if vim.api.nvim_win_get_config(window).relative ~= '' then return window end
  end
end

local function float_text()
  local window = floating()
  return window and table.concat(vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false), '\n') or ''
end

local function close_float()
  vim.api.nvim_win_close(floating(), true)
  wait('the window to close', function() return not floating() end)
end

local function last_message()
  local lines = vim.split(vim.api.nvim_exec2('messages', { output = true }).output, '\n', { trimempty = true })
  return lines[#lines] or ''
end

local function to_line(text)
  for number, line in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, false)) do
    if line:find(text, 1, true) then return vim.api.nvim_win_set_cursor(0, { number, 4 }) end
  end
  error('no line has ' .. text)
end

local function main()
  vim.cmd.edit(vim.fn.fnameescape(drive.file))
  wait('the server', function()
    local client = vim.lsp.get_clients({ name = 'socreates', bufnr = 0 })[1]
    return client and client.initialized
  end)
  local client = vim.lsp.get_clients({ name = 'socreates' })[1]
  seen.encoding = client.offset_encoding
  seen.root = client.root_dir

  -- One review that never ends, by a code action on lines; ended by the user.
  vim.api.nvim_buf_set_lines(0, 0, 0, false, { '# HANG 😀, not saved' })
  choose('Ask Socreates')
  vim.lsp.buf.code_action({ range = { start = { 1, 0 }, ['end'] = { vim.api.nvim_buf_line_count(0), 0 } } })
  wait('progress', function() return #seen.progress > 1 and vim.uv.fs_stat(drive.hanging) end)
  seen.busy = require('socreates').statusline()
  vim.cmd('Socreates cancel')
  wait('its end', function() return seen.progress[#seen.progress].kind == 'end' end)
  wait('the word of it', function() return last_message():find('cancelled') end)
  table.insert(seen.messages, last_message())

  -- Again. A command is asked for, and denied.
  vim.api.nvim_buf_set_lines(0, 0, 1, false, { '# 😀 not saved' })
  choose('Ask Socreates', 'Deny')
  vim.lsp.buf.code_action({ range = { start = { 1, 0 }, ['end'] = { vim.api.nvim_buf_line_count(0), 0 } } })
  wait('diagnostics', function() return #vim.diagnostic.get(0) == 2 end)
  wait('the word of it', function() return last_message():find('2 questions') end)
  table.insert(seen.messages, last_message())
  seen.first = diagnostics()
  seen.list = listed()
  seen.statusline = require('socreates').statusline()

  to_line('return len(rows)')
  vim.lsp.buf.hover()
  wait('the hover', floating)
  seen.hover = float_text()
  close_float()

  -- The thread; an answer that cites a line.
  vim.cmd('Socreates thread')
  wait('the thread', floating)
  seen.thread = float_text()
  vim.cmd('Socreates reply ' .. drive.claim)
  wait('the answer', function() return float_text():find('Answered') end)
  seen.answered = float_text()
  close_float()
  wait('it to leave', function() return #vim.diagnostic.get(0) == 1 and #vim.fn.getloclist(0) == 1 end)

  -- The line that the answer rests on changes.
  to_line('with LOCK:')
  local row = vim.api.nvim_win_get_cursor(0)[1]
  vim.api.nvim_buf_set_lines(0, row - 1, row, false, { '    if True:' })
  wait('it to come back', function() return #vim.diagnostic.get(0) == 2 and #vim.fn.getloclist(0) == 2 end)
  seen.reopened = diagnostics()

  -- Dismissed by the code action, and gone from both.
  to_line('return len(rows)')
  choose('Socreates: dismiss')
  vim.lsp.buf.code_action()
  wait('it to go', function() return #vim.diagnostic.get(0) == 1 and #vim.fn.getloclist(0) == 1 end)
  seen.left = diagnostics()

  -- Text above: the other one follows its line.
  vim.api.nvim_buf_set_lines(0, 0, 0, false, { '# one more', '# and one more' })
  wait('it to follow', function()
    local now = diagnostics()[1]
    return now and now.line == seen.left[1].line + 2 and listed()[1].line == now.line + 1
  end)

  -- And back.
  choose('Dismissed: ' .. seen.first[1].message)
  vim.cmd('Socreates restore')
  wait('it to be there again', function() return #vim.diagnostic.get(0) == 2 end)

  for _, name in ipairs({ 'preview', 'status' }) do
    vim.cmd('Socreates ' .. name)
    wait(name, function() return floating() and float_text() ~= '' end)
    seen[name] = float_text()
    close_float()
  end
  vim.cmd('Socreates list!')
  seen.quickfix = vim.tbl_map(function(item) return item.lnum end, vim.fn.getqflist())
  vim.cmd('cclose')
  vim.cmd('Socreates clear!')
  wait('all to go', function() return #vim.diagnostic.get(0) == 1 and #vim.fn.getqflist() == 1 end)
  seen.completed = vim.fn.getcompletion('Socreates re', 'cmdline')
  vim.cmd('checkhealth socreates')
  seen.health = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n')

  client:stop()
  wait('the server to end', function() return client:is_stopped() end)
end

local ok, failure = xpcall(main, debug.traceback)
seen.failure = not ok and failure or nil
seen.said = vim.api.nvim_exec2('messages', { output = true }).output
vim.fn.writefile({ vim.json.encode(seen) }, drive.out)
vim.cmd.quitall({ bang = true })
