--- Converts columns between the protocol, in the negotiated encoding, and Neovim, in bytes from 0.
local M = {}

local is_newer = vim.fn.has("nvim-0.11") == 1

--- The byte offset of a column of the protocol; the length of the line for a column after its end.
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

--- The length of a text in UTF-16 code units.
---@param text string
---@return integer
function M.utf16_length(text)
  if is_newer then return vim.str_utfindex(text, "utf-16") end
  local _, utf16 = vim.str_utfindex(text)
  return utf16
end

--- The cursor of a window as a position of the protocol.
---@param window integer
---@param encoding string
---@return { line: integer, character: integer }
function M.cursor(window, encoding)
  return vim.lsp.util.make_position_params(window, encoding).position
end

--- A line of a buffer, counted from 0; empty after the last line.
---@param buffer integer
---@param row integer
---@return string
function M.line(buffer, row)
  return vim.api.nvim_buf_get_lines(buffer, row, row + 1, false)[1] or ""
end

--- A half-open range of the protocol as rows and byte columns, both from 0.
---@param buffer integer
---@param range lsp.Range
---@param encoding string
---@return integer row, integer column, integer end_row, integer end_column
function M.of_range(buffer, range, encoding)
  local from, to = range.start, range["end"]
  local count = vim.api.nvim_buf_line_count(buffer)
  if to.line >= count then
    -- The protocol counts an additional line after the last line break; its start is the end of the last line.
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
