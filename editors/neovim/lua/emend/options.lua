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

--- The problems of the options that were given last, each a sentence; those options have their defaults.
---@type string[]
M.problems = {}

---@param value any
local function is_command(value)
  return type(value) == "table" and type(value[1]) == "string"
end

--- Why an option is invalid, as a sentence; nil if it is valid.
---@param name string its path, such as `keys.accept`
---@param path string that of its table, such as `keys.`
---@param value any
---@param known table the defaults of its table
---@param default any
---@return string?
local function problem_of(name, path, value, known, default)
  if name == "cmd" then
    return not is_command(value) and "`cmd` must be a list of strings, such as { \"emend\", \"lsp\", \"--stdio\" }." or nil
  end
  if path == "api_key_cmd." then
    return not is_command(value) and ("`%s` must be a list of strings, such as { \"pass\", \"show\", \"mistral\" }."):format(name) or nil
  end
  if default == nil then
    local names = vim.tbl_keys(known)
    if path == "" then names[#names + 1] = "cmd" end
    table.sort(names)
    return ("`%s` is not an option. The options are: %s."):format(name, table.concat(names, ", "))
  end
  if path == "keys." then
    return type(value) ~= "string" and value ~= false and ("`%s` must be a key, or false for none."):format(name) or nil
  end
  if name == "keys" and value == false then return nil end
  if type(value) ~= type(default) then return ("`%s` must be a %s, not a %s."):format(name, type(default), type(value)) end
end

--- The valid options of a table; the problems of the others are added to `M.problems`.
---@param given table
---@param known table
---@param path string
---@return table
local function valid(given, known, path)
  local kept = {}
  local names = vim.tbl_keys(given)
  table.sort(names, function(a, b) return tostring(a) < tostring(b) end)
  for _, key in ipairs(names) do
    local name, value = path .. tostring(key), given[key]
    local problem = problem_of(name, path, value, known, known[key])
    if problem then
      M.problems[#M.problems + 1] = problem
    elseif type(value) == "table" and path == "" and not open_ended[name] then
      kept[key] = valid(value, known[key], name .. ".")
    else
      kept[key] = value
    end
  end
  return kept
end

--- Sets the current options to the defaults, overridden by the given ones. Invalid ones are left out; `M.problems` has
--- the reasons.
---@param given? table
---@return emend.Options
function M.take(given)
  M.problems = {}
  if given ~= nil and type(given) ~= "table" then
    M.problems = { ("`setup` takes a table of options, not a %s."):format(type(given)) }
    given = {}
  end
  M.current = vim.tbl_deep_extend("force", vim.deepcopy(M.defaults), valid(given or {}, M.defaults, ""))
  return M.current
end

return M
