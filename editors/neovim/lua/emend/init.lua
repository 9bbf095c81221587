--- Emend in Neovim: ghost text, next edits and edits by an instruction, from the language server `emend lsp`.
local client = require("emend.client")
local ghost = require("emend.ghost")
local next_edit = require("emend.next_edit")

local M = {}

--- Starts Emend. May be called again with other options.
---@param given? table See `:help emend-options`; what is not told is as there. Throws where an option is not understood.
function M.setup(given)
  local options = require("emend.options").take(given)
  client.settings = { emend = vim.deepcopy(options.settings) }
  require("emend.highlights").setup()
  require("emend.keys").setup()
  require("emend.status")
  client.on_attach = { ghost.follow, next_edit.follow }
  local group = vim.api.nvim_create_augroup("emend", {})
  vim.api.nvim_create_autocmd({ "BufEnter", "FileType" }, {
    group = group,
    callback = function(event) client.attach(event.buf) end,
  })
  vim.api.nvim_create_autocmd("VimLeavePre", { group = group, callback = function() client.is_leaving = true end })
  for _, window in ipairs(vim.api.nvim_list_wins()) do client.attach(vim.api.nvim_win_get_buf(window)) end
  client.settings_changed()
end

--- Accepts ghost text: all of it, a word, a line. Each tells whether there was any.
function M.accept() return ghost.accept("all") end
function M.accept_word() return ghost.accept("word") end
function M.accept_line() return ghost.accept("line") end

--- Shows the next or the previous ghost text; asks for more where there is but one.
function M.next() ghost.cycle(1) end
function M.previous() ghost.cycle(-1) end

--- Takes ghost text away.
function M.dismiss() return ghost.dismiss() end

--- Asks for ghost text.
function M.trigger() ghost.trigger() end

--- Whether ghost text is seen, for mappings of one's own.
function M.is_visible() return ghost.is_visible() end

--- Goes to the next edit, or accepts it where the cursor is there already. Tells whether there was one.
function M.next_edit() return next_edit.jump_or_accept() end

--- Accepts it with all that is one thing with it.
function M.next_edit_all() return next_edit.accept_all() end

--- Takes it away: for now, or so that it does not come again.
function M.next_edit_hide() return next_edit.hide() end
function M.next_edit_reject() return next_edit.reject() end

--- Asks for one, and tells why where there is none.
function M.next_edit_trigger() next_edit.trigger() end

--- Whether there is one, for mappings of one's own.
function M.has_next_edit() return next_edit.is_visible() end

--- A few words for a status line.
---@return string
function M.statusline() return require("emend.status").line() end

return M
