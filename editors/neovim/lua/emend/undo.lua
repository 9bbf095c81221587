--- Undo.
local M = {}

--- What comes next is undone by itself, apart from what was typed before.
function M.begin_step()
  vim.cmd("let &l:undolevels = &l:undolevels")
end

return M
