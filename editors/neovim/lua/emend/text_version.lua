--- Versions of the texts of buffers. Unlike `changedtick`, they do not change when a buffer is written.
local M = {}

---@type table<integer, integer>
local versions = {}
local count, changes = 0, 0

---@type fun()[]
local listeners = {}

---@param buffer integer
local function set(buffer)
  count = count + 1
  versions[buffer] = count
end

---@param buffer integer
local function changed(buffer)
  set(buffer)
  changes = changes + 1
  for _, listener in ipairs(listeners) do listener() end
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
    set(buffer)
  end
  return versions[buffer]
end

--- The number of changes so far in all buffers that have a version.
---@return integer
function M.changes()
  return changes
end

--- Calls `listener` after each change of the text of a buffer that has a version. It must not change a text.
---@param listener fun()
function M.on_change(listener)
  listeners[#listeners + 1] = listener
end

return M
