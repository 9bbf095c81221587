--- Next edits: requested after a pause in normal mode, drawn at their place; one key goes to them and accepts them.
local client = require("emend.client")
local options = require("emend.options")
local position = require("emend.position")
local report_window = require("emend.report_window")
local text_version = require("emend.text_version")
local undo = require("emend.undo")
local view = require("emend.next_view")

local M = {}

local invoked, automatic = 1, 2

--- The active suggestion, and the number of changes of texts before its request: after a further one, it is out of date.
---@type { item: table, encoding: string, changes: integer, is_checked?: boolean }?
local offer
local cancel = function() end
local timer = assert(vim.uv.new_timer())
--- The cursor's place at the last request; there is no second request for the same place.
---@type { buffer: integer, row: integer }?
local requested_at

--- How often a request is repeated, and after how many milliseconds at first where it failed. Each further time it is
--- twice as long.
local max_repeats = 5
local failed_repeat_ms = 300

local function is_normal()
  return vim.api.nvim_get_mode().mode == "n"
end

--- The buffer of a suggestion; -1 if its file is not open.
---@param item table NextEditItem of docs/lsp.md
---@return integer
local function buffer_of(item)
  return vim.fn.bufnr(vim.uri_to_fname(item.textDocument.uri))
end

--- The buffer of the active suggestion; -1 if its file is not open.
---@return integer
local function target()
  return offer and buffer_of(offer.item) or -1
end

--- The rows of the active suggestion.
---@param buffer integer
---@return integer first, integer last
local function rows(buffer)
  local first, last = math.huge, 0
  local ranges = vim.tbl_map(function(edit) return edit.range end, offer.item.edits)
  for _, range in ipairs(#ranges > 0 and ranges or { offer.item.range }) do
    local row, _, end_row = position.of_range(buffer, range, offer.encoding)
    first, last = math.min(first, row), math.max(last, end_row)
  end
  return first, last
end

--- Whether the cursor is at the edit.
local function is_there()
  local buffer = target()
  if buffer ~= vim.api.nvim_get_current_buf() then return false end
  local first, last = rows(buffer)
  local row = vim.api.nvim_win_get_cursor(0)[1] - 1
  return first <= row and row <= last
end

---@return string
local function reason()
  local key = options.current.keys and options.current.keys.next_edit
  return (key and key .. " " or "") .. offer.item.reason
end

--- A short description of the edit's place, if that is not visible.
---@return string?
local function direction()
  local buffer = target()
  local line = offer.item.range.start.line + 1
  if buffer ~= vim.api.nvim_get_current_buf() then
    local path = vim.fn.fnamemodify(vim.uri_to_fname(offer.item.textDocument.uri), ":~:.")
    return ("→ %s:%d  %s"):format(path, line, reason())
  end
  if line < vim.fn.line("w0") then return ("↑ %d  %s"):format(line, reason()) end
  if line > vim.fn.line("w$") then return ("↓ %d  %s"):format(line, reason()) end
end

local function draw()
  view.clear()
  local hints = options.current.next_edit.hint
  local buffer = target()
  if buffer ~= -1 and vim.api.nvim_buf_is_loaded(buffer) then
    text_version.of(buffer)
    view.draw(buffer, offer.item, { encoding = offer.encoding, hint = hints and reason() or nil })
  end
  local elsewhere = hints and direction()
  if elsewhere then view.hint(vim.api.nvim_get_current_buf(), vim.api.nvim_win_get_cursor(0)[1] - 1, elsewhere) end
end

--- Removes the active suggestion, and cancels the request in progress.
---@return boolean was_there
function M.hide()
  cancel()
  timer:stop()
  local was_there = offer ~= nil
  offer = nil
  view.clear()
  return was_there
end

--- The diagnostics of a buffer.
---@param buffer integer
---@return lsp.Diagnostic[]
local function diagnostics(buffer)
  local found = {}
  for _, one in ipairs(vim.diagnostic.get(buffer, { severity = { min = vim.diagnostic.severity.WARN } })) do
    local known = vim.tbl_get(one, "user_data", "lsp")
    if known and known.range then
      found[#found + 1] = { range = known.range, severity = one.severity, message = one.message }
    end
  end
  return found
end

--- Whether a buffer that the server does not have has another text than its file.
---@param buffer integer -1 for a file that is not open
local function is_unsaved(buffer)
  return buffer ~= -1 and not client.of(buffer) and vim.bo[buffer].modified
end

local ask_soon

---@param trigger 1|2
---@param on_no_suggestion? fun(text: string)
---@param repeats? integer the number of earlier requests
local function ask(trigger, on_no_suggestion, repeats)
  cancel()
  local buffer = vim.api.nvim_get_current_buf()
  local server = client.of(buffer)
  if not server then return client.attach(buffer) end
  if not is_normal() then return end
  if trigger == invoked then client.last_subject = "next-edit" end
  text_version.of(buffer)
  local changes = text_version.changes()
  requested_at = { buffer = buffer, row = vim.api.nvim_win_get_cursor(0)[1] }
  cancel = client.ask(server, buffer, "emend/nextEdit", {
    textDocument = client.document(buffer),
    position = position.cursor(0, server.offset_encoding),
    context = { triggerKind = trigger, diagnostics = diagnostics(buffer) },
  }, function(problem, result)
    local repeat_ms = failed_repeat_ms
    if not problem then repeat_ms = result.repeatAfterMs end
    if repeat_ms and trigger == automatic and (repeats or 0) < max_repeats then
      local times = repeats or 0
      timer:start(repeat_ms * 2 ^ times, 0, vim.schedule_wrap(function() ask(automatic, nil, times + 1) end))
      return
    end
    if problem then return on_no_suggestion and on_no_suggestion(problem.message) end
    if result.kind ~= "offered" then return on_no_suggestion and on_no_suggestion(result.text) end
    if vim.api.nvim_get_current_buf() ~= buffer or not is_normal() then return end
    if text_version.changes() ~= changes then return ask_soon(options.current.next_edit.debounce_ms) end
    local item = result.suggestion
    if not item.textDocument.version and is_unsaved(buffer_of(item)) then
      return on_no_suggestion and on_no_suggestion("the next edit is for the file on the disk, and its buffer is not saved.")
    end
    offer = { item = item, encoding = server.offset_encoding, changes = changes }
    client.last_subject = "next-edit"
    draw()
    client.notify(server, "emend/nextEdit/shown", { id = offer.item.id })
  end)
end

--- Requests a next edit after a delay, in place of a request in progress.
---@param delay_ms integer
function ask_soon(delay_ms)
  cancel()
  timer:stop()
  if not options.current.next_edit.enabled or not client.is_on then return end
  timer:start(delay_ms, 0, vim.schedule_wrap(function() ask(automatic) end))
end

--- Called when the user has changed the text, or has left insert mode.
local function changed()
  if offer then return end
  M.hide()
  ask_soon(options.current.next_edit.debounce_ms)
end

-- Any change of a text ends the suggestion: one by the user, by an edit or an undo of Emend in a hidden buffer too, or
-- by another plugin.
text_version.on_change(function()
  if not offer then return end
  offer = nil
  vim.schedule(function()
    if offer then return end
    M.hide()
    ask_soon(options.current.next_edit.debounce_ms)
  end)
end)

--- Called when the cursor has moved to another line of a changed buffer.
local function moved()
  local buffer = vim.api.nvim_get_current_buf()
  if offer or not requested_at or requested_at.buffer ~= buffer then return end
  if requested_at.row == vim.api.nvim_win_get_cursor(0)[1] then return end
  ask_soon(options.current.next_edit.debounce_ms + 200)
end

--- Registers the autocommands of a buffer. Where it was changed already, a next edit is requested.
---@param buffer integer
function M.follow(buffer)
  text_version.of(buffer)
  local group = vim.api.nvim_create_augroup("emend_next_edit_" .. buffer, {})
  local function on(events, callback)
    vim.api.nvim_create_autocmd(events, { group = group, buffer = buffer, callback = function() callback() end })
  end
  on({ "TextChanged", "InsertLeave" }, changed)
  on("CursorMoved", moved)
  on("InsertEnter", M.hide)
  on("BufEnter", function()
    local server = client.of(buffer)
    if server then
      client.notify(server, "textDocument/didFocus", { textDocument = { uri = vim.uri_from_bufnr(buffer) } })
    end
  end)
  if vim.bo[buffer].modified and vim.api.nvim_get_current_buf() == buffer then changed() end
end

--- Whether there is a next edit that the key goes to, or accepts.
---@return boolean
function M.is_visible()
  return is_normal() and offer ~= nil
end

--- What is said where files have other texts than those that a suggestion was made for.
---@param changed string[] their paths
local function tell_changed(changed)
  local rest = #changed > 1 and (" and %d more have"):format(#changed - 1) or " has"
  client.tell(changed[1] .. rest .. " changed since the next edit was suggested. Nothing was changed.", vim.log.levels.WARN)
  ask_soon(0)
end

--- Whether the file of the active suggestion was not open, and may have changed on the disk since.
local function needs_check()
  return not offer.item.textDocument.version and not offer.is_checked
end

--- Ends the active suggestion if its file has changed since, and else calls `on_unchanged`.
---@param on_unchanged fun()
local function check(on_unchanged)
  local checked = offer
  local buffer = vim.api.nvim_get_current_buf()
  local server = client.any(buffer)
  if not server then return end
  client.ask(server, buffer, "emend/nextEdit/check", { id = checked.item.id }, function(problem, result)
    if offer ~= checked then return end
    if not problem and #result.changed == 0 then
      offer.is_checked = true
      return on_unchanged()
    end
    M.hide()
    if problem then return client.tell(problem.message, vim.log.levels.ERROR) end
    tell_changed(result.changed)
  end)
end

local function jump()
  local first = offer.item.edits[1]
  local range = first and first.range or offer.item.range
  local location = { uri = offer.item.textDocument.uri, range = { start = range.start, ["end"] = range.start } }
  vim.lsp.util.show_document(location, offer.encoding, { reuse_win = true, focus = true })
  client.attach(vim.api.nvim_get_current_buf())
  draw()
  if needs_check() then check(function() end) end
end

local function accept()
  local item, encoding = offer.item, offer.encoding
  local buffer = vim.api.nvim_get_current_buf()
  local server = client.any(buffer)
  M.hide()
  if #item.edits > 0 then undo.apply(item.workspaceEdit, encoding) end
  if server then client.ask(server, buffer, "emend/nextEdit/accept", { id = item.id }, function() end) end
  ask_soon(0)
end

--- Goes to the next edit, or accepts it if the cursor is there.
---@return boolean is_done
function M.jump_or_accept()
  if not M.is_visible() then return false end
  if not is_there() then
    jump()
    -- A place to review is done once the cursor is there.
    if #offer.item.edits > 0 then return true end
  end
  if #offer.item.edits > 0 and needs_check() then check(accept) else accept() end
  return true
end

--- The result of a workspace edit, such as "3 edits in 2 files".
---@param edit lsp.WorkspaceEdit
local function amount(edit)
  local edits, files = 0, 0
  for _, changes in pairs(edit.changes or {}) do
    edits, files = edits + #changes, files + 1
  end
  for _, change in ipairs(edit.documentChanges or {}) do
    edits, files = edits + #(change.edits or {}), files + 1
  end
  local how = files > 1 and "; `:Emend undo` takes them back." or "."
  return ("%s in %s, not saved yet%s"):format(report_window.count(edits, "edit"), report_window.count(files, "file"), how)
end

--- Whether the server has the texts of all buffers that an edit changes.
---@param edit lsp.WorkspaceEdit
local function is_for_present_texts(edit)
  local uris = vim.tbl_keys(edit.changes or {})
  for _, change in ipairs(edit.documentChanges or {}) do uris[#uris + 1] = change.textDocument and change.textDocument.uri end
  return not vim.iter(uris):any(function(uri) return is_unsaved(vim.fn.bufnr(vim.uri_to_fname(uri))) end)
end

--- Accepts the next edit with all other edits of the same change, such as the rest of a rename.
---@return boolean is_asked
function M.accept_all()
  if not M.is_visible() then return false end
  local item, encoding, is_asked_of = offer.item, offer.encoding, offer
  local buffer = vim.api.nvim_get_current_buf()
  local server = client.any(buffer)
  if not server then return false end
  client.ask(server, buffer, "emend/nextEdit/accept", { id = item.id, chain = true }, function(problem, result)
    if problem then return client.tell(problem.message, vim.log.levels.ERROR) end
    if not result.edit then
      if #(result.changed or {}) > 0 then return tell_changed(result.changed) end
      return client.tell("the edits would cause errors together, or the suggestion is out of date. Accept them one by one.", vim.log.levels.WARN)
    end
    if offer ~= is_asked_of or not is_for_present_texts(result.edit) then return client.tell("the text has changed in the meantime.", vim.log.levels.WARN) end
    M.hide()
    undo.apply(result.edit, encoding)
    client.tell(amount(result.edit))
    ask_soon(0)
  end)
  return true
end

--- Rejects the next edit: it is not shown again while the text at its place is unchanged.
---@return boolean was_there
function M.reject()
  if not M.is_visible() then return false end
  local server = client.any(vim.api.nvim_get_current_buf())
  if server then client.notify(server, "emend/nextEdit/reject", { id = offer.item.id }) end
  return M.hide()
end

--- Requests a next edit explicitly, and shows the reason if there is none.
function M.trigger()
  M.hide()
  client.with(vim.api.nvim_get_current_buf(), function() ask(invoked, client.tell) end)
end

return M
