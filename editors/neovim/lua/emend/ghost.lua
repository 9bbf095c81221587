--- Ghost text: requested while the user types, drawn at the cursor, kept while the typed text matches it, and accepted
--- in whole or in part.
local client = require("emend.client")
local fit = require("emend.fit")
local menu = require("emend.menu")
local options = require("emend.options")
local position = require("emend.position")
local text_version = require("emend.text_version")
local undo = require("emend.undo")
local view = require("emend.ghost_view")

local M = {}

local invoked, automatic = 1, 2

--- The active suggestion.
---@type { buffer: integer, items: emend.Item[], index: integer, is_seen: boolean }?
local offer
--- Cancels the request in progress.
local cancel = function() end
local timer = assert(vim.uv.new_timer())
--- The state of the text for which no automatic request is made, after dismissing a suggestion.
---@type { buffer: integer, version: integer }?
local dismissed
--- Whether the user is indenting the cursor's line, and the line at the last change.
---@type { buffer: integer, row: integer, line: string, is_indenting: boolean }?
local last_line

---@return integer buffer, integer row, integer column
local function cursor()
  local row, column = unpack(vim.api.nvim_win_get_cursor(0))
  return vim.api.nvim_get_current_buf(), row - 1, column
end

local function is_inserting()
  return vim.api.nvim_get_mode().mode:sub(1, 1) == "i"
end

--- The current item, aligned with the current text.
---@return emend.Fit?, emend.Item?
local function current()
  local buffer, row, column = cursor()
  if not offer or offer.buffer ~= buffer then return nil end
  local item = offer.items[offer.index]
  if item.row ~= row then return nil end
  local lines = vim.api.nvim_buf_get_lines(buffer, row, row + item.rows + 1, false)
  if #lines ~= item.rows + 1 then return nil end
  local before = lines[1]:sub(1, column)
  lines[1] = lines[1]:sub(column + 1)
  return fit.try(item, before, table.concat(lines, "\n")), item
end

---@param item lsp.InlineCompletionItem
---@param buffer integer
---@param encoding string
---@return emend.Item
local function to_item(item, buffer, encoding)
  local text = type(item.insertText) == "table" and item.insertText.value or item.insertText --[[@as string]]
  local row, column, end_row, end_column
  if item.range then
    row, column, end_row, end_column = position.of_range(buffer, item.range, encoding)
  else
    _, row, column = cursor()
    end_row, end_column = row, column
  end
  return {
    head = position.line(buffer, row):sub(1, column),
    text = (text:gsub("\r\n", "\n")),
    tail = position.line(buffer, end_row):sub(end_column + 1),
    row = row,
    rows = end_row - row,
    taken = 0,
    command = item.command,
  }
end

---@param item emend.Item
local function tell_shown(item)
  local server = client.of(offer.buffer)
  if server and item.command then
    client.notify(server, "textDocument/didShowCompletion", { item = { command = item.command } })
  end
end

--- Draws the active suggestion if it matches the current text.
---@return boolean is_drawn
local function draw()
  local fitting, item = current()
  if not fitting or not item or not fit.is_seen(fitting) then return false end
  local buffer, row, column = cursor()
  if menu.is_open() then
    view.clear(buffer)
  else
    view.draw(buffer, { row = row, column = column }, fitting)
    if not offer.is_seen then tell_shown(item) end
    offer.is_seen = true
  end
  return true
end

--- Removes the active suggestion, and cancels the request in progress.
function M.hide()
  cancel()
  timer:stop()
  if offer then view.clear(offer.buffer) end
  offer = nil
end

local ask

--- Requests ghost text at the cursor, and draws it.
---@param trigger 1|2
---@param step? integer The number of suggestions to cycle by.
function ask(trigger, step)
  cancel()
  local buffer = vim.api.nvim_get_current_buf()
  local server = client.of(buffer)
  -- A server that has exited is started again; `follow` then requests ghost text.
  if not server and trigger == automatic then return client.attach(buffer) end
  if not server then return client.with(buffer, function() ask(trigger, step) end) end
  if not is_inserting() then return end
  client.last_subject = "ghost-text"
  local version = text_version.of(buffer)
  local place = vim.api.nvim_win_get_cursor(0)
  cancel = client.ask(server, buffer, "textDocument/inlineCompletion", {
    textDocument = client.document(buffer),
    position = position.cursor(0, server.offset_encoding),
    context = { triggerKind = trigger },
  }, function(problem, result)
    if problem or not result or not is_inserting() then return end
    -- The answer is only valid for the text and the position of the request.
    if vim.api.nvim_get_current_buf() ~= buffer or text_version.of(buffer) ~= version then return end
    if not vim.deep_equal(vim.api.nvim_win_get_cursor(0), place) then return end
    local items = result.items or result
    if trigger == invoked and #items == 0 then client.tell_briefly("no ghost text here; `:Emend why ghost-text` shows the reason.") end
    if #items == 0 then return end
    if step and #items == 1 and offer then client.tell_briefly("there is no other suggestion.") end
    local index = trigger == invoked and (step or 0) % #items + 1 or 1
    offer = {
      buffer = buffer,
      items = vim.tbl_map(function(item) return to_item(item, buffer, server.offset_encoding) end, items),
      index = index,
      is_seen = false,
    }
    if not draw() then offer = nil end
  end)
end

---@param trigger 1|2
local function ask_soon(trigger)
  cancel()
  timer:stop()
  timer:start(options.current.ghost_text.debounce_ms, 0, vim.schedule_wrap(function() ask(trigger) end))
end

--- The state of the text that is requested again, and how often it was.
---@type { buffer: integer, version: integer, times: integer }?
local repeated
local max_repeats, repeat_ms = 3, 2000

--- Requests ghost text again, a few times for each state of the text: the server was too busy, or has learnt more.
function M.again()
  local buffer = vim.api.nvim_get_current_buf()
  local version = text_version.of(buffer)
  if offer or not options.current.ghost_text.enabled or not client.is_on or not is_inserting() or menu.is_open() then return end
  if vim.deep_equal(dismissed, { buffer = buffer, version = version }) then return end
  local is_same = repeated and repeated.buffer == buffer and repeated.version == version
  if is_same and repeated.times >= max_repeats then return end
  repeated = { buffer = buffer, version = version, times = is_same and repeated.times + 1 or 1 }
  ask_soon(automatic)
  local times = repeated.times
  vim.defer_fn(function()
    if repeated.buffer == buffer and repeated.version == version and repeated.times == times then M.again() end
  end, repeat_ms)
end

--- Records whether the last change on the cursor's line was its indentation.
local function watch_indentation()
  local buffer, row = cursor()
  local line = position.line(buffer, row)
  local is_same_line = last_line and last_line.buffer == buffer and last_line.row == row
  local is_blank = line:match("^%s*$") ~= nil
  last_line = {
    buffer = buffer,
    row = row,
    line = line,
    is_indenting = is_blank and is_same_line == true and (last_line.is_indenting or last_line.line ~= line),
  }
end

--- Called when the text has changed, or insert mode begins.
local function changed()
  watch_indentation()
  if not options.current.ghost_text.enabled or not client.is_on then return M.hide() end
  local buffer = vim.api.nvim_get_current_buf()
  if dismissed and dismissed.buffer == buffer and dismissed.version == text_version.of(buffer) then return end
  dismissed = nil
  if draw() then return end
  M.hide()
  if not menu.is_open() then ask_soon(automatic) end
end

--- Called when the cursor has moved: removes ghost text that no longer matches.
local function moved()
  if not offer then return end
  if not draw() then M.hide() end
end

--- Registers the autocommands of a buffer. Where the user is typing in it already, ghost text is requested.
---@param buffer integer
function M.follow(buffer)
  local group = vim.api.nvim_create_augroup("emend_ghost_text_" .. buffer, {})
  local function on(events, callback)
    vim.api.nvim_create_autocmd(events, { group = group, buffer = buffer, callback = function() callback() end })
  end
  on("InsertEnter", function()
    last_line = nil
    changed()
  end)
  on({ "TextChangedI", "TextChangedP", "CompleteDone" }, changed)
  on("CursorMovedI", moved)
  on({ "InsertLeave", "BufLeave" }, M.hide)
  -- A window that opens and closes while the user types leaves insert mode on.
  on("BufEnter", function()
    if is_inserting() then changed() end
  end)
  if is_inserting() and vim.api.nvim_get_current_buf() == buffer then changed() end
end

--- Whether ghost text is visible.
---@return boolean
function M.is_visible()
  if not is_inserting() or menu.is_open() then return false end
  local fitting = current()
  return fitting ~= nil and fit.is_seen(fitting)
end

--- Whether a key that also indents accepts ghost text: not while the user indents the line, nor if the ghost text begins
--- with the indentation that the key would insert.
---@return boolean
function M.takes_tab()
  if not M.is_visible() then return false end
  local fitting = current() --[[@as emend.Fit]]
  local buffer, row, column = cursor()
  local is_in_indentation = position.line(buffer, row):sub(1, column):match("^%s*$") ~= nil
  if not is_in_indentation then return true end
  if last_line and last_line.row == row and last_line.is_indenting then return false end
  return not fitting.ghost:match("^[ \t]")
end

---@param item emend.Item
---@param server vim.lsp.Client
local function tell_accepted(item, server, buffer)
  if not item.command then return end
  client.ask(server, buffer, "workspace/executeCommand", item.command, function() end)
end

--- Accepts ghost text, or a prefix of it.
---@param part "all"|"word"|"line"
---@return boolean is_accepted
function M.accept(part)
  local fitting, item = current()
  if not fitting or not item or not offer or not fit.is_seen(fitting) then return false end
  local buffer, row, column = cursor()
  local piece = fitting.ghost
  if part == "word" then piece = fit.first_word(piece) end
  if part == "line" then piece = fit.first_line(piece) end
  local is_all = #piece == #fitting.ghost
  local lines = vim.split(piece, "\n", { plain = true })

  -- The end of the replaced text, in bytes after the cursor; it may be on another line.
  local replaced = fitting.covered:sub(1, fit.replaced_by(fitting, #piece))
  local _, breaks = replaced:gsub("\n", "")
  local end_column = breaks == 0 and column + #replaced or #replaced:match("[^\n]*$")
  view.clear(buffer)
  undo.begin_step()
  vim.api.nvim_buf_set_text(buffer, row, column, row + breaks, end_column, lines)
  local new_row, new_column = row + #lines - 1, #lines == 1 and column + #piece or #lines[#lines]
  vim.api.nvim_win_set_cursor(0, { new_row + 1, new_column })
  undo.begin_step()

  local server = client.of(buffer)
  if is_all then
    offer = nil
    if server then tell_accepted(item, server, buffer) end
    return true
  end
  local taken = item.taken + position.utf16_length(fitting.typed .. piece)
  offer.items = {
    {
      head = position.line(buffer, new_row):sub(1, new_column),
      text = fitting.ghost:sub(#piece + 1),
      tail = item.tail,
      row = new_row,
      rows = item.rows - breaks,
      taken = taken,
      command = item.command,
    },
  }
  offer.index = 1
  if server and item.command then
    local params = { item = { command = item.command }, acceptedLength = taken }
    client.notify(server, "textDocument/didPartiallyAcceptCompletion", params)
  end
  draw()
  return true
end

--- Shows another suggestion, and requests more if there is only one.
---@param step 1|-1
function M.cycle(step)
  if not offer or #offer.items < 2 then return ask(invoked, offer and step or 0) end
  view.clear(offer.buffer)
  offer.index = (offer.index - 1 + step) % #offer.items + 1
  offer.is_seen = false
  draw()
end

--- Requests ghost text explicitly, also where automatic ghost text is off.
function M.trigger()
  dismissed = nil
  ask(invoked)
end

--- Dismisses ghost text; the same suggestion is not shown again for this text.
---@return boolean is_dismissed
function M.dismiss()
  local was_visible = M.is_visible()
  if was_visible and offer then
    local buffer, item = offer.buffer, offer.items[offer.index]
    dismissed = { buffer = buffer, version = text_version.of(buffer) }
    local server = client.of(buffer)
    if server and item.command then
      client.ask(server, buffer, "notifyRejected", { uuids = item.command.arguments }, function() end)
    end
  end
  M.hide()
  return was_visible
end

return M
