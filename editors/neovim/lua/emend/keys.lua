--- The keys. A key with another mapping is not overridden; without a suggestion, a key has its usual meaning.
local ghost = require("emend.ghost")
local menu = require("emend.menu")
local next_edit = require("emend.next_edit")
local options = require("emend.options")

local M = {}

---@class emend.Action
---@field mode "i"|"n"
---@field description string
---@field is_for fun(): boolean Whether the key currently runs this action.
---@field call string The function of `emend` that runs it.

---@type table<string, emend.Action>
M.actions = {
  accept = {
    mode = "i",
    description = "Accept ghost text",
    is_for = function() return not menu.is_in_snippet() and ghost.takes_tab() end,
    call = "accept()",
  },
  accept_word = { mode = "i", description = "Accept a word of ghost text", is_for = ghost.is_visible, call = "accept_word()" },
  accept_line = { mode = "i", description = "Accept a line of ghost text", is_for = ghost.is_visible, call = "accept_line()" },
  next = { mode = "i", description = "Next ghost text", is_for = function() return true end, call = "next()" },
  previous = { mode = "i", description = "Previous ghost text", is_for = function() return true end, call = "previous()" },
  dismiss = { mode = "i", description = "Dismiss ghost text", is_for = ghost.is_visible, call = "dismiss()" },
  trigger = { mode = "i", description = "Request ghost text", is_for = function() return true end, call = "trigger()" },
  next_edit = {
    mode = "n",
    description = "Go to the next edit, or accept it",
    is_for = next_edit.is_visible,
    call = "next_edit()",
  },
  next_edit_all = {
    mode = "n",
    description = "Accept all edits of the same change",
    is_for = next_edit.is_visible,
    call = "next_edit_all()",
  },
  next_edit_hide = { mode = "n", description = "Hide the next edit", is_for = next_edit.is_visible, call = "next_edit_hide()" },
  next_edit_reject = { mode = "n", description = "Reject the next edit", is_for = next_edit.is_visible, call = "next_edit_reject()" },
}

--- Whether a mapping is the default of `vim.snippet` on Tab since Neovim 0.11, whose jump `fallback` does too.
local function is_default(mapping)
  return mapping.desc ~= nil and mapping.desc:find("^vim%.snippet") ~= nil
end

---@param key string
local function fallback(key)
  if key == "<Tab>" and vim.snippet.active({ direction = 1 }) then return "<Cmd>lua vim.snippet.jump(1)<CR>" end
  return key
end

---@class emend.KeyState
---@field key string
---@field taken_by? string The existing mapping of the key.

--- The state of each action's key, for `:checkhealth`.
---@type table<string, emend.KeyState>
M.state = {}

---@param name string
---@param action emend.Action
---@param key string
local function map(name, action, key)
  local there = vim.fn.maparg(key, action.mode, false, true)
  local is_ours = there.desc ~= nil and there.desc:find("^Emend: ") ~= nil
  if not vim.tbl_isempty(there) and not is_ours and not is_default(there) then
    M.state[name] = { key = key, taken_by = there.desc or there.rhs or "a function" }
    return
  end
  M.state[name] = { key = key }
  vim.keymap.set(action.mode, key, function()
    if not action.is_for() then return fallback(key) end
    return ("<Cmd>lua require('emend').%s<CR>"):format(action.call)
  end, { expr = true, replace_keycodes = true, desc = "Emend: " .. action.description })
end

--- Maps the keys of the options.
function M.setup()
  M.state = {}
  if not options.current.keys then return end
  for name, action in pairs(M.actions) do
    local key = options.current.keys[name]
    if key then map(name, action, key) end
  end
end

return M
