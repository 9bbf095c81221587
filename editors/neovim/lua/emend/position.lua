--- Columns of the protocol and of Neovim: the one counts in the units that were agreed on, the other in bytes from 0.
local M = {}

local is_newer = vim.fn.has("nvim-0.11") == 1

--- The byte at which a column of the protocol begins; the end of the line for one behind it.
---@param line string
---@param character integer
---@param encoding string
---@return integer
function M.byte_of(line, character, encoding)
  if encoding == "utf-8" then return math.min(character, #line) end
  if is_newer then return vim.str_byteindex(line, encoding, character, false) end
  local ok, byte = pcall(vim.str_byteindex, line, character, encoding == "utf-16")
  return ok and byte or #line
end

--- How many UTF-16 units a text has.
---@param text string
---@return integer
function M.utf16_length(text)
  if is_newer then return vim.str_utfindex(text, "utf-16") end
  local _, utf16 = vim.str_utfindex(text)
  return utf16
end

--- The cursor of a window, as the protocol has it.
---@param window integer
---@param encoding string
---@return { line: integer, character: integer }
function M.cursor(window, encoding)
  return vim.lsp.util.make_position_params(window, encoding).position
end

--- A line of a buffer, counted from 0; empty behind its end.
---@param buffer integer
---@param row integer
---@return string
function M.line(buffer, row)
  return vim.api.nvim_buf_get_lines(buffer, row, row + 1, false)[1] or ""
end

--- A range of the protocol in rows and bytes, both from 0; its end is not in it.
---@param buffer integer
---@param range lsp.Range
---@param encoding string
---@return integer row, integer column, integer end_row, integer end_column
function M.of_range(buffer, range, encoding)
  local from, to = range.start, range["end"]
  local count = vim.api.nvim_buf_line_count(buffer)
  if to.line >= count then
    -- The end of the last line is where a text ends that the protocol counts a line more of.
    to = { line = count - 1, character = math.huge }
  end
  local row = math.min(from.line, count - 1)
  local function column(of)
    local line = M.line(buffer, of.line)
    return of.character == math.huge and #line or M.byte_of(line, of.character, encoding)
  end
  return row, from.line >= count and #M.line(buffer, row) or column(from), to.line, column(to)
end

return M
