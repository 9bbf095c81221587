--- The command `:Emend`.
local M = {}

---@class emend.Subcommand
---@field description string
---@field run fun(argument: string, lines?: { first: integer, last: integer })
---@field complete? fun(): string[]

local function tell(text) require("emend.client").tell(text) end

--- Turns Emend on or off for a language; `""` stands for all languages.
---@param language string
---@param is_on boolean
local function turn(language, is_on)
  local languages = require("emend.languages")
  local state = is_on and "on" or "off"
  if language == "" then
    languages.set_all(is_on)
    return tell(state)
  end
  languages.set(language, is_on)
  tell(("%s for %s"):format(state, language))
end

--- Opens a terminal that sets up a model.
local function set_up()
  local command, problem = require("emend.server").program(require("emend.options").current.cmd, { "setup" })
  if not command then return tell(problem) end
  require("emend.api_keys").with_keys(function(keys)
    local buffer = vim.api.nvim_get_current_buf()
    local root = vim.fs.root(buffer, require("emend.options").current.root_markers)
    vim.cmd("botright new")
    local options = { env = next(keys) and keys or nil, cwd = root }
    if vim.fn.has("nvim-0.11") == 1 then
      vim.fn.jobstart(command, vim.tbl_extend("error", options, { term = true }))
    else
      vim.fn.termopen(command, options)
    end
    vim.cmd.startinsert()
  end)
end

--- Pauses automatic suggestions; 0 minutes end the pause.
---@param argument string the number of minutes; `""` stands for 5
local function snooze(argument)
  local minutes = argument == "" and 5 or tonumber(argument)
  if not minutes then return tell(("`%s` is not a number of minutes."):format(argument)) end
  local client = require("emend.client")
  local servers = vim.lsp.get_clients({ name = "emend" })
  if #servers == 0 then return tell("the server is not running; run `:checkhealth emend` for the reason.") end
  for index, server in ipairs(servers) do
    client.ask(server, 0, "emend/snooze", { minutes = minutes }, function(problem)
      if problem then return tell(problem.message) end
      if index > 1 then return end
      require("emend.ghost").hide()
      require("emend.next_edit").hide()
      tell(minutes > 0 and ("snoozed for %g minutes; `:Emend snooze 0` ends it."):format(minutes) or "not snoozed.")
    end)
  end
end

---@type table<string, emend.Subcommand>
M.subcommands = {
  edit = {
    description = "Edit this buffer, or the lines of a range, by an instruction",
    run = function(argument, lines)
      local edit = require("emend.edit")
      if argument == "" then return edit.prompt(lines) end
      edit.run(argument, lines)
    end,
  },
  stop = {
    description = "Stop the edit in progress",
    run = function() require("emend.edit").stop() end,
  },
  next = {
    description = "Request the next edit, and show the reason if there is none",
    run = function() require("emend").next_edit_trigger() end,
  },
  why = {
    description = "Show the trace of the last request",
    run = function(argument)
      local subjects = { ["ghost-text"] = true, ["next-edit"] = true }
      if argument ~= "" and not subjects[argument] then
        return tell(("`%s` is not a kind of request. Use ghost-text or next-edit."):format(argument))
      end
      require("emend.explain").show(argument ~= "" and argument or nil)
    end,
    complete = function() return { "ghost-text", "next-edit" } end,
  },
  status = {
    description = "Show the status of the server",
    run = function() require("emend.status").show() end,
  },
  on = {
    description = "Turn Emend on, for all languages or one",
    run = function(argument) turn(argument, true) end,
    complete = function() return { vim.bo.filetype } end,
  },
  off = {
    description = "Turn Emend off, for all languages or one",
    run = function(argument) turn(argument, false) end,
    complete = function() return { vim.bo.filetype } end,
  },
  toggle = {
    description = "Toggle Emend, for all languages or one",
    run = function(argument)
      if argument == "" then return turn("", not require("emend.client").is_on) end
      turn(argument, require("emend.languages").is_off(argument))
    end,
    complete = function() return { vim.bo.filetype } end,
  },
  setup = {
    description = "Set up a model in a terminal",
    run = set_up,
  },
  snooze = {
    description = "Pause automatic suggestions for a number of minutes; 0 ends the pause",
    run = snooze,
    complete = function() return { "5", "0" } end,
  },
  plan = {
    description = "Plan a change through the workspace with start INSTRUCTION, or list the plans",
    run = function(argument) require("emend.plan").command(argument) end,
    complete = function() return { "start" } end,
  },
}

--- The names of the subcommands, sorted.
---@return string[]
local function names()
  local all = vim.tbl_keys(M.subcommands)
  table.sort(all)
  return all
end

---@param called vim.api.keyset.create_user_command.command_args
local function run(called)
  local name, argument = called.args:match("^(%S*)%s*(.-)%s*$")
  local subcommand = M.subcommands[name]
  if not subcommand then
    return tell(("`:Emend %s` is not a command. The commands are: %s."):format(name, table.concat(names(), ", ")))
  end
  local lines = called.range > 0 and { first = called.line1, last = called.line2 } or nil
  subcommand.run(argument, lines)
end

---@param lead string
---@param line string
local function complete(lead, line)
  local name = line:match("Emend!?%s+(%S+)%s")
  local choices = name == nil and names() or {}
  local subcommand = M.subcommands[name]
  if subcommand and subcommand.complete then choices = subcommand.complete() end
  return vim.tbl_filter(function(choice) return vim.startswith(choice, lead) end, choices)
end

--- Creates the command.
function M.setup()
  vim.api.nvim_create_user_command("Emend", run, {
    nargs = "+",
    range = true,
    complete = complete,
    desc = "Emend: " .. table.concat(names(), ", "),
  })
end

return M
