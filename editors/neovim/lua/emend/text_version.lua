--- Versions of the texts of buffers. Unlike `changedtick`, they do not change when a buffer is written.
local M = {}

---@type table<integer, integer>
local versions = {}
local count = 0

---@param buffer integer
local function changed(buffer)
  count = count + 1
  versions[buffer] = count
end

--- The version of the text of a loaded buffer: another number after each change of the text.
---@param buffer integer
---@return integer
function M.of(buffer)
  if not versions[buffer] then
    local is_attached = vim.api.nvim_buf_attach(buffer, false, {
      on_lines = function() changed(buffer) end,
      on_reload = function() changed(buffer) end,
      on_detach = function() versions[buffer] = nil end,
    })
    if not is_attached then return -1 end
    changed(buffer)
  end
  return versions[buffer]
end

return M
