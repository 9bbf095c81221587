--- A read-only window with lines; `q` closes it.
local M = {}

--- Shows lines in a split below. A buffer of the same name is reused.
---@param name string
---@param lines string[]
---@param options? { filetype: string? }
---@return integer buffer
function M.show(name, lines, options)
  local title = "emend://" .. name
  local buffer = vim.fn.bufnr("^" .. title .. "$")
  if buffer == -1 then
    buffer = vim.api.nvim_create_buf(false, true)
    vim.api.nvim_buf_set_name(buffer, title)
    vim.bo[buffer].bufhidden = "hide"
    vim.keymap.set("n", "q", "<Cmd>close<CR>", { buffer = buffer, desc = "Close" })
  end
  vim.bo[buffer].modifiable = true
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, lines)
  vim.bo[buffer].modifiable = false
  vim.bo[buffer].filetype = options and options.filetype or "emend"
  local window = vim.fn.bufwinid(buffer)
  if window == -1 then
    window = vim.api.nvim_open_win(buffer, true, { split = "below", height = math.min(#lines + 1, math.floor(vim.o.lines / 2)) })
    vim.wo[window].number = false
    vim.wo[window].wrap = true
  end
  return buffer
end

--- A number with its noun, such as "1 file" and "2 files".
---@param number integer
---@param noun string
---@return string
function M.count(number, noun)
  return ("%d %s%s"):format(number, noun, number == 1 and "" or "s")
end

return M
