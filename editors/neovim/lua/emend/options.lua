--- What `setup` is told, checked once.
local M = {}

---@class emend.Options
---@field cmd? string[] The server's command line; looked for unless told, see `emend.server`.
---@field settings table The server's settings, as `emend.config.json` has them.
---@field filetypes table<string, boolean> Where Emend works; `*` stands for those that are not named.
---@field root_markers string[] What a folder holds that is a workspace.
---@field ghost_text { enabled: boolean, debounce_ms: integer }
---@field next_edit { enabled: boolean, debounce_ms: integer, hint: boolean }
---@field keys false | table<string, string | false> By action, see `emend.keys`.

---@type emend.Options
M.defaults = {
  cmd = nil,
  settings = {},
  filetypes = { ["*"] = true, gitrebase = false },
  root_markers = { ".git", "emend.config.json", "package.json", "pyproject.toml", "go.mod", "Cargo.toml" },
  -- The server waits by itself until the person pauses; this only keeps it from being asked for keys that come at once.
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

--- What is in force: the defaults until `take` is called.
---@type emend.Options
M.current = vim.deepcopy(M.defaults)

--- Whether a table is one whose keys are a person's own.
local open_ended = { settings = true, filetypes = true, root_markers = true, cmd = true }

--- The first thing that is wrong with what a person gave, as a sentence; nil when all is well.
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
        return "`cmd` is a list of texts, such as { \"npx\", \"emend\", \"lsp\", \"--stdio\" }."
      end
    elseif default == nil then
      local names = vim.tbl_keys(known)
      if path == "" then names[#names + 1] = "cmd" end
      table.sort(names)
      return ("`%s` is no option. There are: %s."):format(name, table.concat(names, ", "))
    elseif path == "keys." then
      if type(value) ~= "string" and value ~= false then return ("`%s` is a key, or false for none."):format(name) end
    elseif name == "keys" and value == false then
      -- No keys at all.
    elseif type(value) ~= type(default) then
      return ("`%s` is a %s, not a %s."):format(name, type(default), type(value))
    elseif type(value) == "table" and not open_ended[name] then
      local problem = first_problem(value, default, name .. ".")
      if problem then return problem end
    end
  end
end

--- Takes up what a person wants to have otherwise. Throws where that is not understood, and says what is.
---@param given? table
---@return emend.Options
function M.take(given)
  local problem = first_problem(given or {}, M.defaults, "")
  if problem then error("Emend: " .. problem, 0) end
  M.current = vim.tbl_deep_extend("force", vim.deepcopy(M.defaults), given or {})
  return M.current
end

return M
