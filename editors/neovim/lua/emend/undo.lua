--- Undo steps.
local M = {}

--- Starts a new undo step, separate from the text typed before.
function M.begin_step()
  vim.cmd("let &l:undolevels = &l:undolevels")
end

return M
