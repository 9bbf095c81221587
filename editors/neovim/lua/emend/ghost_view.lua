--- Draws ghost text with extmarks.
local M = {}

local namespace = vim.api.nvim_create_namespace("emend_ghost_text")

--- Expands tabs to spaces, for a text that begins at a screen column: virtual text does not show tabs.
---@param text string
---@param column integer
---@param width integer
---@return string
local function without_tabs(text, column, width)
  if not text:find("\t", 1, true) then return text end
  local done = ""
  for part, tab in text:gmatch("([^\t]*)(\t?)") do
    done = done .. part
    if tab ~= "" then
      local at = column + vim.fn.strdisplaywidth(done)
      done = done .. (" "):rep(width - at % width)
    end
  end
  return done
end

--- Draws ghost text at the cursor of a buffer.
---@param buffer integer
---@param cursor { row: integer, column: integer } from 0, in bytes
---@param fit emend.Fit
function M.draw(buffer, cursor, fit)
  M.clear(buffer)
  local tabstop = vim.bo[buffer].tabstop
  local before = vim.api.nvim_buf_get_text(buffer, cursor.row, 0, cursor.row, cursor.column, {})[1]
  local screen_column = vim.fn.strdisplaywidth(before)
  local function mark(row, column, options)
    options.hl_mode = options.hl_mode or "combine"
    options.undo_restore = false
    vim.api.nvim_buf_set_extmark(buffer, namespace, row, column, options)
  end

  local lines = vim.split(fit.ghost, "\n", { plain = true })
  if #lines == 1 and fit.pieces then
    for _, piece in ipairs(fit.pieces) do
      local text = without_tabs(piece.text, screen_column, tabstop)
      mark(cursor.row, cursor.column + piece.at, {
        virt_text = { { text, "EmendGhostText" } },
        virt_text_pos = "inline",
      })
    end
    return
  end

  -- The text after the cursor moves to the end of the last line of the suggestion.
  local behind = vim.split(fit.covered .. fit.tail, "\n", { plain = true })
  local first = without_tabs(lines[1], screen_column, tabstop)
  if behind[1] == "" then
    mark(cursor.row, cursor.column, { virt_text = { { first, "EmendGhostText" } }, virt_text_pos = "inline" })
  else
    local hidden = vim.fn.strdisplaywidth(behind[1], screen_column) - vim.fn.strdisplaywidth(first, screen_column)
    mark(cursor.row, cursor.column, {
      virt_text = { { first .. (" "):rep(math.max(0, hidden)), "EmendGhostText" } },
      virt_text_pos = "overlay",
      hl_mode = "replace",
    })
  end
  local below = {}
  for index = 2, #lines do
    below[#below + 1] = { { without_tabs(lines[index], 0, tabstop), "EmendGhostText" } }
  end
  if fit.tail ~= "" and #lines > 1 then table.insert(below[#below], { fit.tail }) end
  if #below > 0 then mark(cursor.row, cursor.column, { virt_lines = below }) end
  -- Further replaced lines stay in place, highlighted as removed.
  for index = 2, #behind do
    local gone = index == #behind and #behind[index] - #fit.tail or #behind[index]
    if gone > 0 then mark(cursor.row + index - 1, 0, { end_col = gone, hl_group = "EmendDelete" }) end
  end
end

--- Removes the extmarks.
---@param buffer integer
function M.clear(buffer)
  if vim.api.nvim_buf_is_valid(buffer) then vim.api.nvim_buf_clear_namespace(buffer, namespace, 0, -1) end
end

return M
