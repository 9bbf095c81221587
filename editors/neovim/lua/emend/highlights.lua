--- The highlight groups; each is a link by default, which a colour scheme or the user can override.
local M = {}

---@type table<string, string>
M.links = {
  EmendGhostText = "Comment",
  EmendAdd = "DiffAdd",
  EmendDelete = "DiffDelete",
  EmendHint = "DiagnosticHint",
}

--- Sets the links, and again after each change of the colour scheme.
function M.setup()
  local function set()
    for group, link in pairs(M.links) do vim.api.nvim_set_hl(0, group, { link = link, default = true }) end
  end
  set()
  vim.api.nvim_create_autocmd("ColorScheme", { group = vim.api.nvim_create_augroup("emend_highlights", {}), callback = set })
end

return M
