--- The options of `setup`, and their validation.
local M = {}

---@class emend.Options
---@field cmd? string[] The server's command line; found automatically by default, see `emend.server`.
---@field api_key_cmd table<string, string[]> The commands that print API keys, by environment variable of the server.
---@field settings table The server's settings, as in `emend.config.json`.
---@field filetypes table<string, boolean> Whether Emend is on, by filetype; `*` stands for all others.
---@field root_markers string[] The files and folders that mark the root of a workspace.
---@field ghost_text { enabled: boolean, debounce_ms: integer }
---@field next_edit { enabled: boolean, debounce_ms: integer, hint: boolean }
---@field keys false | table<string, string | false> The keys by action, see `emend.keys`.

---@type emend.Options
M.defaults = {
  cmd = nil,
  api_key_cmd = {},
  settings = {},
  filetypes = { ["*"] = true, gitrebase = false },
  root_markers = { ".git", "emend.config.json", "package.json", "pyproject.toml", "go.mod", "Cargo.toml" },
  -- The server itself waits for a pause in typing; the debounce only combines keys in quick succession.
  ghost_text = { enabled = true, debounce_ms = 20 },
  next_edit = { enabled = true, debounce_ms = 100, hint = true },
  keys = {
    accept = "<Tab>",
    accept_word = "<M-Right>",
    accept_line = "<M-C-Right>",
    next = "<M-]>",
    previous = "<M-[>",
    dismiss = "<C-]>",
    trigger = "<M-Bslash>",
    next_edit = "<Tab>",
    next_edit_all = "<M-CR>",
    next_edit_hide = "<Esc>",
    next_edit_reject = "<M-BS>",
  },
}

--- The current options: the defaults until `take` is called.
---@type emend.Options
M.current = vim.deepcopy(M.defaults)

--- The tables with arbitrary keys.
local open_ended = { settings = true, filetypes = true, root_markers = true, cmd = true }

--- The first error in the given options, as a sentence; nil if there is none.
---@param given table
---@param known table
---@param path string
---@return string?
local function first_problem(given, known, path)
  for key, value in pairs(given) do
    local name = path .. tostring(key)
    local default = known[key]
    if name == "cmd" then
      if type(value) ~= "table" or type(value[1]) ~= "string" then
        return "`cmd` must be a list of strings, such as { \"emend\", \"lsp\", \"--stdio\" }."
      end
    elseif default == nil and path ~= "api_key_cmd." then
      local names = vim.tbl_keys(known)
      if path == "" then names[#names + 1] = "cmd" end
      table.sort(names)
      return ("`%s` is not an option. The options are: %s."):format(name, table.concat(names, ", "))
    elseif path == "api_key_cmd." then
      if type(value) ~= "table" or type(value[1]) ~= "string" then
        return ("`%s` must be a list of strings, such as { \"pass\", \"show\", \"mistral\" }."):format(name)
      end
    elseif path == "keys." then
      if type(value) ~= "string" and value ~= false then return ("`%s` must be a key, or false for none."):format(name) end
    elseif name == "keys" and value == false then
      -- No keys at all.
    elseif type(value) ~= type(default) then
      return ("`%s` must be a %s, not a %s."):format(name, type(default), type(value))
    elseif type(value) == "table" and not open_ended[name] then
      local problem = first_problem(value, default, name .. ".")
      if problem then return problem end
    end
  end
end

--- Sets the current options to the defaults, overridden by the given ones. Throws for an invalid option.
---@param given? table
---@return emend.Options
function M.take(given)
  local problem = first_problem(given or {}, M.defaults, "")
  if problem then error("Emend: " .. problem, 0) end
  M.current = vim.tbl_deep_extend("force", vim.deepcopy(M.defaults), given or {})
  return M.current
end

return M
