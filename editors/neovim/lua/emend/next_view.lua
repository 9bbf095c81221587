--- Draws next edits with extmarks: removed text is highlighted, inserted text follows it or is below.
local position = require("emend.position")

local M = {}

local namespace = vim.api.nvim_create_namespace("emend_next_edit")

---@param buffer integer
---@param row integer
---@param column integer
---@param mark vim.api.keyset.set_extmark
local function set(buffer, row, column, mark)
  mark.undo_restore = false
  vim.api.nvim_buf_set_extmark(buffer, namespace, row, column, mark)
end

---@param lines string[]
local function as_virtual(lines)
  return vim.tbl_map(function(line) return { { line == "" and " " or line, "EmendAdd" } } end, lines)
end

--- Draws one edit.
---@param buffer integer
---@param edit lsp.TextEdit
---@param encoding string
local function draw_edit(buffer, edit, encoding)
  local row, column, end_row, end_column = position.of_range(buffer, edit.range, encoding)
  if row ~= end_row or column ~= end_column then
    set(buffer, row, column, { end_row = end_row, end_col = end_column, hl_group = "EmendDelete" })
  end
  local text = edit.newText:gsub("\r\n", "\n")
  if text == "" then return end
  if row == end_row and not text:find("\n", 1, true) then
    return set(buffer, row, end_column, { virt_text = { { text, "EmendAdd" } }, virt_text_pos = "inline" })
  end

  -- Whole lines are drawn in their final form; inserted lines at their final place.
  local is_insertion = row == end_row and column == end_column
  if is_insertion and column == 0 and text:sub(-1) == "\n" then
    local lines = vim.split(text:sub(1, -2), "\n", { plain = true })
    return set(buffer, row, 0, { virt_lines = as_virtual(lines), virt_lines_above = true })
  end
  local last_line = position.line(buffer, end_row)
  if is_insertion and column == #last_line and text:sub(1, 1) == "\n" then
    return set(buffer, row, 0, { virt_lines = as_virtual(vim.split(text:sub(2), "\n", { plain = true })) })
  end
  local whole = position.line(buffer, row):sub(1, column) .. text .. last_line:sub(end_column + 1)
  local lines = vim.split(whole, "\n", { plain = true })
  -- A range that ends at the start of a line does not change that line.
  local is_next_line_kept = end_column == 0 and end_row > row
  if is_next_line_kept and text:sub(-1) == "\n" then table.remove(lines) end
  set(buffer, is_next_line_kept and end_row - 1 or end_row, 0, { virt_lines = as_virtual(lines) })
end

--- Draws a next edit in its buffer, with its reason.
---@param buffer integer
---@param item table NextEditItem of docs/lsp.md
---@param options { encoding: string, hint: string? }
function M.draw(buffer, item, options)
  for _, edit in ipairs(item.edits) do draw_edit(buffer, edit, options.encoding) end
  if options.hint then
    local row = position.of_range(buffer, item.range, options.encoding)
    M.hint(buffer, row, options.hint)
  end
end

--- Draws a short text at the end of a line.
---@param buffer integer
---@param row integer
---@param text string
function M.hint(buffer, row, text)
  set(buffer, row, 0, { virt_text = { { " " .. text, "EmendHint" } }, virt_text_pos = "eol" })
end

--- Removes the extmarks in all buffers.
function M.clear()
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do vim.api.nvim_buf_clear_namespace(buffer, namespace, 0, -1) end
end

return M
