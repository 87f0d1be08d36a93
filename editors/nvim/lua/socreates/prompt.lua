--- What the server asks the user, by vim.ui.select. No choice means no.
local M = {}

---@return boolean
local function at_rest() return vim.api.nvim_get_mode().mode:match('^[nc]?$') ~= nil and vim.fn.getcmdtype() == '' end

--- Do something as soon as the user types neither a text nor a command: a key that was meant for these must not
--- be an answer.
---@param act fun()
local function when_at_rest(act)
  if at_rest() then return act() end
  local close = require('socreates.show').note('Socreates asks for your word: leave this mode to see it')
  local watch
  watch = vim.api.nvim_create_autocmd('ModeChanged', {
    pattern = '*:n',
    callback = vim.schedule_wrap(function()
      if not watch or not at_rest() then return end
      vim.api.nvim_del_autocmd(watch)
      watch = nil
      close()
      act()
    end),
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
