-- Drives a real Neovim without a screen: opens a file, asks about a selection through the code-action menu, and
-- writes what the user would see (menu, diagnostics, hover, progress, buffer) as JSON.
-- arg: 1 the file, 2 the file for the outcome, 3... the server's command
local file, out = arg[1], arg[2]
local command = vim.list_slice(arg, 3)
local seen = { progress = {}, messages = {} }

local function wait(what, condition)
  if not vim.wait(15000, condition, 20) then error('waited in vain for ' .. what) end
end

vim.api.nvim_create_autocmd('LspProgress', {
  callback = function(event)
    local value = event.data.params.value
    table.insert(seen.progress, { kind = value.kind, text = value.title or value.message or '' })
  end,
})
vim.lsp.handlers['window/showMessage'] = function(_, params) table.insert(seen.messages, params.message) end
vim.ui.select = function(items, options, on_choice)
  seen.menu = vim.tbl_map(options.format_item or tostring, items)
  on_choice(items[1], 1)
end

local function main()
  vim.lsp.config('socreates', { cmd = command, filetypes = { 'python' }, root_markers = { '.git' } })
  vim.lsp.enable('socreates')
  vim.cmd.edit(vim.fn.fnameescape(file))
  vim.bo.filetype = 'python'
  wait('the server', function() return #vim.lsp.get_clients({ name = 'socreates' }) == 1 end)
  local client = vim.lsp.get_clients({ name = 'socreates' })[1]
  wait('initialize', function() return client.initialized end)
  seen.encoding = client.offset_encoding
  -- An unsaved change: two lines above everything, so that only the buffer has the right numbers.
  vim.api.nvim_buf_set_lines(0, 0, 0, false, { '# 😀 not saved', '' })
  local last = vim.api.nvim_buf_line_count(0)
  vim.lsp.buf.code_action({ range = { start = { 1, 0 }, ['end'] = { last, 0 } } })
  wait('the menu', function() return seen.menu ~= nil end)
  wait('diagnostics', function() return #vim.diagnostic.get(0) > 0 end)
  seen.diagnostics = vim.tbl_map(function(one)
    local text = vim.api.nvim_buf_get_lines(0, one.lnum, one.lnum + 1, false)[1]
    return { line = one.lnum, message = one.message, severity = one.severity, source = one.source, code = one.code,
      text = text:sub(one.col + 1, one.lnum == one.end_lnum and one.end_col or -1) }
  end, vim.diagnostic.get(0))
  vim.api.nvim_win_set_cursor(0, { seen.diagnostics[1].line + 1, 4 })
  vim.lsp.buf.hover()
  local function hover_window()
    for _, window in ipairs(vim.api.nvim_list_wins()) do
      if vim.api.nvim_win_get_config(window).relative ~= '' then return window end
    end
  end
  wait('the hover window', hover_window)
  seen.hover = vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(hover_window()), 0, -1, false)
  -- The user types above the finding: the diagnostic has to follow its line.
  vim.api.nvim_win_set_cursor(0, { 1, 0 })
  vim.api.nvim_buf_set_lines(0, 0, 0, false, { '# one more line' })
  wait('the diagnostic to follow', function()
    local now = vim.diagnostic.get(0)[1]
    return now ~= nil and now.lnum == seen.diagnostics[1].line + 1
  end)
  wait('the end of the progress', function()
    return vim.iter(seen.progress):any(function(one) return one.kind == 'end' end)
  end)
  client:stop()
  wait('the server to end', function() return client:is_stopped() end)
end

local ok, failure = xpcall(main, debug.traceback)
seen.failure = not ok and failure or nil
vim.fn.writefile({ vim.json.encode(seen) }, out)
vim.cmd.quitall({ bang = true })
