--- Undo steps, and the last changes by Emend, each as a whole, which may be in several files.
local M = {}

---@class emend.ChangedBuffer
---@field buffer integer
---@field before integer the state of its undo tree before the change
---@field after integer

---@class emend.Change
---@field buffers emend.ChangedBuffer[]
---@field has_files boolean whether it also made, renamed or deleted files

--- The changes that can be undone, the last one at the end.
---@type emend.Change[]
local changes = {}
local max_changes = 20

--- Starts a new undo step, separate from the text typed before.
function M.begin_step()
  vim.cmd("let &l:undolevels = &l:undolevels")
end

--- The state of a buffer's undo tree, which `:undo` returns to.
---@param buffer integer
---@return integer
local function state(buffer)
  return vim.api.nvim_buf_call(buffer, function() return vim.fn.undotree().seq_cur end)
end

--- The buffers whose texts an edit changes, loaded, and whether it also makes, renames or deletes files.
---@param edit lsp.WorkspaceEdit
---@return integer[] buffers, boolean has_files
local function buffers_of(edit)
  local uris, has_files = {}, false
  for uri in pairs(edit.changes or {}) do uris[uri] = true end
  for _, change in ipairs(edit.documentChanges or {}) do
    if change.textDocument then uris[change.textDocument.uri] = true else has_files = true end
  end
  local buffers = {}
  for uri in pairs(uris) do
    local buffer = vim.uri_to_bufnr(uri)
    -- A file that the edit makes is no file yet.
    if not has_files then vim.fn.bufload(buffer) end
    if vim.api.nvim_buf_is_loaded(buffer) then buffers[#buffers + 1] = buffer end
  end
  return buffers, has_files
end

--- Runs `apply`, which applies the edit to the buffers, as an undo step of its own in each of them.
---@param edit lsp.WorkspaceEdit
---@param apply fun(): any
---@return any result what `apply` returns
function M.record(edit, apply)
  local buffers, has_files = buffers_of(edit)
  local before = {}
  for _, buffer in ipairs(buffers) do
    vim.api.nvim_buf_call(buffer, M.begin_step)
    before[buffer] = state(buffer)
  end
  local result = apply()
  local changed = {}
  for _, buffer in ipairs(buffers) do
    local after = vim.api.nvim_buf_is_loaded(buffer) and state(buffer) or before[buffer]
    if after ~= before[buffer] then changed[#changed + 1] = { buffer = buffer, before = before[buffer], after = after } end
  end
  if #changed > 0 or has_files then changes[#changes + 1] = { buffers = changed, has_files = has_files } end
  if #changes > max_changes then table.remove(changes, 1) end
  return result
end

--- Applies an edit to the buffers, as an undo step of its own in each of them.
---@param edit lsp.WorkspaceEdit
---@param encoding string
function M.apply(edit, encoding)
  M.record(edit, function() vim.lsp.util.apply_workspace_edit(edit, encoding) end)
end

--- Whether `u` took a change back already.
---@param change emend.Change
local function is_undone(change)
  return not change.has_files and vim.iter(change.buffers):all(function(one)
    return vim.api.nvim_buf_is_loaded(one.buffer) and state(one.buffer) == one.before
  end)
end

--- Takes the last change back in all of its buffers, or in none where one of them has changed since. The next call takes
--- the change before it back. Nothing is saved.
---@return string? text what was done, or why nothing was; nil where there is no change
function M.run()
  while #changes > 0 and is_undone(changes[#changes]) do table.remove(changes) end
  local last = changes[#changes]
  if not last then return end
  if last.has_files then return "the last change also made, renamed or deleted files; `u` in each file undoes its part." end
  local moved, names = {}, {}
  for _, one in ipairs(last.buffers) do
    local is_loaded = vim.api.nvim_buf_is_loaded(one.buffer)
    local name = vim.api.nvim_buf_is_valid(one.buffer) and vim.api.nvim_buf_get_name(one.buffer) or ""
    names[#names + 1] = name == "" and "a closed buffer" or vim.fn.fnamemodify(name, ":~:.")
    if not is_loaded or state(one.buffer) ~= one.after then moved[#moved + 1] = names[#names] end
  end
  if #moved > 0 then
    return ("%s changed since; `u` in each file undoes its part."):format(table.concat(moved, ", "))
  end
  for _, one in ipairs(last.buffers) do
    vim.api.nvim_buf_call(one.buffer, function() vim.cmd("silent undo " .. one.before) end)
  end
  table.remove(changes)
  table.sort(names)
  local files = #names > 4 and require("emend.report_window").count(#names, "file") or table.concat(names, ", ")
  return ("the last change is undone in %s, not saved yet."):format(files)
end

return M
