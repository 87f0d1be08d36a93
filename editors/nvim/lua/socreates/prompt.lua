--- What the server asks the user, by vim.ui.select. No choice means no.
local M = {}

--- Do something as soon as the user types neither a text nor a command: a key that was meant for these must not
--- be an answer.
---@param act fun()
local function when_at_rest(act)
  if vim.api.nvim_get_mode().mode:match('^[nc]?$') and vim.fn.getcmdtype() == '' then return act() end
  vim.notify('Socreates asks for your word: leave this mode to see it.', vim.log.levels.WARN)
  vim.api.nvim_create_autocmd('ModeChanged', {
    pattern = '*:n',
    once = true,
    callback = function()
      vim.schedule(function() when_at_rest(act) end)
    end,
  })
end

--- `window/showMessageRequest`.
---@param params lsp.ShowMessageRequestParams
function M.on_request(_, params)
  local thread, is_main = coroutine.running()
  if not thread or is_main then return vim.NIL end
  when_at_rest(function()
    vim.ui.select(params.actions or {}, {
      kind = 'socreates',
      prompt = params.message,
      format_item = function(action) return action.title end,
    }, function(choice)
      -- Later, since the select that Neovim comes with calls back before there is anything to resume.
      vim.schedule(function() coroutine.resume(thread, choice or vim.NIL) end)
    end)
  end)
  return coroutine.yield()
end

return M
