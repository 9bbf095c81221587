--- Emend in Neovim: ghost text, next edits and edits by an instruction, from the language server `emend lsp`.

-- `plugin/emend.lua` has shown the reason.
if vim.fn.has("nvim-0.10") == 0 then return { setup = function() end, statusline = function() return "" end } end

local client = require("emend.client")
local ghost = require("emend.ghost")
local next_edit = require("emend.next_edit")
-- Registers the handler of the status.
local status = require("emend.status")

local M = {}

--- Starts Emend. May be called again with other options. Invalid options are reported in one message, and left out.
---@param given? table See `:help emend-options` for the options and their defaults.
function M.setup(given)
  local options = require("emend.options").take(given)
  local problems = require("emend.options").problems
  if #problems > 0 then client.tell("options of `setup`:\n" .. table.concat(problems, "\n"), vim.log.levels.WARN) end
  client.is_set_up = true
  client.settings = { emend = vim.deepcopy(options.settings) }
  require("emend.highlights").setup()
  require("emend.keys").setup()
  client.on_attach = { ghost.follow, next_edit.follow }
  local group = vim.api.nvim_create_augroup("emend", {})
  vim.api.nvim_create_autocmd({ "BufEnter", "BufFilePost", "FileType" }, {
    group = group,
    callback = function(event)
      if event.event ~= "BufFilePost" then return client.attach(event.buf) end
      -- A terminal gets its name before its 'buftype'.
      vim.schedule(function() client.attach(event.buf) end)
    end,
  })
  -- A terminal is entered before it has its 'buftype'.
  vim.api.nvim_create_autocmd({ "BufEnter", "WinEnter" }, { group = group, callback = vim.schedule_wrap(client.note_shown) })
  client.note_shown()
  vim.api.nvim_create_autocmd("VimLeavePre", { group = group, callback = function() client.is_leaving = true end })
  client.attach_all()
  client.settings_changed()
end

--- Accepts ghost text: all of it, a word, or a line. Returns whether there was any.
function M.accept() return ghost.accept("all") end
function M.accept_word() return ghost.accept("word") end
function M.accept_line() return ghost.accept("line") end

--- Shows the next or the previous ghost text; requests more if there is only one.
function M.next() ghost.cycle(1) end
function M.previous() ghost.cycle(-1) end

--- Dismisses ghost text.
function M.dismiss() return ghost.dismiss() end

--- Requests ghost text.
function M.trigger() ghost.trigger() end

--- Whether ghost text is visible, for custom mappings.
function M.is_visible() return ghost.is_visible() end

--- Goes to the next edit, or accepts it if the cursor is there. Returns whether there was one.
function M.next_edit() return next_edit.jump_or_accept() end

--- Accepts the next edit with all other edits of the same change.
function M.next_edit_all() return next_edit.accept_all() end

--- Hides the next edit for now, or rejects it, so that it is not shown again.
function M.next_edit_hide() return next_edit.hide() end
function M.next_edit_reject() return next_edit.reject() end

--- Requests a next edit, and shows the reason if there is none.
function M.next_edit_trigger() next_edit.trigger() end

--- Whether there is a next edit, for custom mappings.
function M.has_next_edit() return next_edit.is_visible() end

--- A short text for a status line.
---@return string
function M.statusline() return status.line() end

return M
