--- Completion menus and snippets, which take precedence over ghost text.
local M = {}

---@param name string
---@param ask fun(loaded: table): boolean
local function of_plugin(name, ask)
  local loaded = package.loaded[name]
  if type(loaded) ~= "table" then return false end
  local ok, is_open = pcall(ask, loaded)
  return ok and is_open == true
end

--- Whether a completion menu is open: that of Neovim, or that of a completion plugin.
---@return boolean
function M.is_open()
  return vim.fn.pumvisible() == 1
    or of_plugin("cmp", function(cmp) return cmp.core.view:visible() end)
    or of_plugin("blink.cmp", function(blink) return blink.is_menu_visible() end)
end

--- Whether a snippet with a further placeholder is active.
---@return boolean
function M.is_in_snippet()
  return vim.snippet.active({ direction = 1 })
    or of_plugin("luasnip", function(luasnip) return luasnip.locally_jumpable(1) end)
end

return M
