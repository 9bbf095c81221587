--- The command `:Emend`.
local M = {}

---@class emend.Subcommand
---@field description string
---@field arguments? string What it takes: nothing by default, `[WORD]` at most one word, `WORDS` any text.
---@field takes_range? boolean
---@field run fun(argument: string, lines?: { first: integer, last: integer }, words: string[])
---@field complete? fun(): string[]

local function tell(text) require("emend.client").tell(text) end

--- The language of the buffer, then all filetypes.
local function filetypes()
  return vim.list_extend({ vim.bo.filetype }, vim.fn.getcompletion("", "filetype"))
end

--- Turns Emend on or off for a language; `""` stands for all languages.
---@param language string
---@param is_on boolean
local function turn(language, is_on)
  local languages = require("emend.languages")
  local state = is_on and "on" or "off"
  if language == "" then
    languages.set_all(is_on)
    local off = languages.off()
    if not is_on or #off == 0 then return tell(state) end
    return tell(("on, but off for %s; `:Emend on %s` turns that on."):format(table.concat(off, ", "), off[1]))
  end
  if not vim.list_contains(filetypes(), language) then return tell(("`%s` is not a filetype of this Neovim."):format(language)) end
  languages.set(language, is_on)
  local client = require("emend.client")
  tell(("%s for %s%s"):format(state, language, is_on and not client.is_on and "; Emend is off, `:Emend on` turns it on." or ""))
end

--- Warns where `settings` of init.lua outranks what `emend setup` has written.
local function warn_of_outranking()
  local settings = require("emend.options").current.settings
  local paths = vim.tbl_filter(function(path) return vim.tbl_get(settings, unpack(vim.split(path, ".", { plain = true }))) ~= nil end, {
    "model",
    "edit.model",
    "next.model",
  })
  for _, path in ipairs(paths) do
    tell(("`settings.%s` of `setup` in init.lua outranks what was written: remove it there to use the new model."):format(path))
  end
end

--- How `emend setup` ended, by its exit code.
local endings = { [0] = "Emend: done", [8] = "Emend: nothing was changed" }

--- Opens a terminal that sets up a model.
---@param arguments string[] options of `emend setup`
local function set_up(arguments)
  local words = vim.list_extend({ "setup" }, arguments)
  local command, problem = require("emend.server").program(require("emend.options").current.cmd, words)
  if not command then return tell(problem) end
  require("emend.api_keys").with_keys(function(keys)
    local root = vim.fs.root(vim.api.nvim_get_current_buf(), require("emend.options").current.root_markers)
    vim.cmd(("botright %dnew"):format(math.max(15, math.floor(vim.o.lines * 0.6))))
    local buffer, window = vim.api.nvim_get_current_buf(), vim.api.nvim_get_current_win()
    vim.wo[window].winbar = "emend setup; <C-c> stops it"
    local function ended(_, code)
      if not vim.api.nvim_buf_is_valid(buffer) then return end
      local text = endings[code] or "Emend: failed"
      if vim.api.nvim_win_is_valid(window) then vim.wo[window].winbar = text .. "; q closes this window" end
      if vim.api.nvim_get_current_buf() == buffer then vim.cmd.stopinsert() end
      vim.keymap.set("n", "q", "<Cmd>bwipeout!<CR>", { buffer = buffer, nowait = true, desc = "Close" })
      if code == 0 then warn_of_outranking() end
    end
    local options = { env = next(keys) and keys or nil, cwd = root, on_exit = ended }
    if vim.fn.has("nvim-0.11") == 1 then
      vim.fn.jobstart(command, vim.tbl_extend("error", options, { term = true }))
    else
      vim.fn.termopen(command, options)
    end
    vim.cmd.startinsert()
  end)
end

--- Adds the workspace of the current buffer to the trusted folders of the user's own settings file, after a confirmation.
local function trust()
  local root = vim.fs.root(vim.api.nvim_get_current_buf(), require("emend.options").current.root_markers) or vim.fn.getcwd()
  local command, problem = require("emend.server").program(require("emend.options").current.cmd, { "trust", root })
  if not command then return tell(problem) end
  local question = "Trust %s? Its settings may then choose the servers that get your code, and run commands on this machine."
  if vim.fn.confirm(question:format(root), "&Trust\n&Cancel", 2) ~= 1 then return end
  -- The server watches the user's own file, and reads it again.
  vim.system(command, { text = true }, vim.schedule_wrap(function(ended)
    tell(vim.trim(ended.code == 0 and ended.stdout or ended.stderr .. ended.stdout))
  end))
end

--- Pauses automatic suggestions; 0 minutes end the pause.
---@param argument string the number of minutes; `""` stands for 5
local function snooze(argument)
  local minutes = argument == "" and 5 or tonumber(argument)
  if not minutes or minutes < 0 or minutes > 1440 then
    return tell(("`%s` is not a number of minutes from 0 to 1440."):format(argument))
  end
  local client = require("emend.client")
  client.with(vim.api.nvim_get_current_buf(), function()
    for index, server in ipairs(client.all()) do
      client.ask(server, 0, "emend/snooze", { minutes = minutes }, function(problem)
        if problem then return tell(problem.message) end
        if index > 1 then return end
        require("emend.ghost").hide()
        require("emend.next_edit").hide()
        local length = minutes == 1 and "1 minute" or ("%g minutes"):format(minutes)
        tell(minutes > 0 and ("snoozed for %s; `:Emend snooze 0` ends it."):format(length) or "not snoozed.")
      end)
    end
  end, true)
end

---@type table<string, emend.Subcommand>
M.subcommands = {
  edit = {
    description = "Edit this buffer, or the lines of a range, by an instruction",
    arguments = "WORDS",
    takes_range = true,
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
  undo = {
    description = "Undo the last change by Emend in all of its files",
    run = function()
      local text = require("emend.undo").run()
      if text then tell(text) else require("emend.edit").undo_saved() end
    end,
  },
  next = {
    description = "Request the next edit, and show the reason if there is none",
    run = function() require("emend").next_edit_trigger() end,
  },
  why = {
    description = "Show the trace of the last request",
    arguments = "[WORD]",
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
    arguments = "[WORD]",
    run = function(argument) turn(argument, true) end,
    complete = filetypes,
  },
  off = {
    description = "Turn Emend off, for all languages or one",
    arguments = "[WORD]",
    run = function(argument) turn(argument, false) end,
    complete = filetypes,
  },
  toggle = {
    description = "Toggle Emend, for all languages or one",
    arguments = "[WORD]",
    run = function(argument)
      if argument == "" then return turn("", not require("emend.client").is_on) end
      turn(argument, require("emend.languages").is_off(argument))
    end,
    complete = filetypes,
  },
  setup = {
    description = "Set up a model in a terminal; options are those of `emend setup`",
    arguments = "WORDS",
    run = function(_, _, words) set_up(words) end,
    complete = function() return { "--server", "--workspace", "--reset", "--yes" } end,
  },
  trust = { description = "Trust the workspace: its settings may choose servers and run commands", run = trust },
  restart = {
    description = "Stop the server, and start it again",
    run = function()
      local client = require("emend.client")
      if not client.is_on then return tell("Emend is off; `:Emend on` turns it on.") end
      client.stop()
      client.start_all()
      client.with(vim.api.nvim_get_current_buf(), function() tell("the server was restarted.") end)
    end,
  },
  snooze = {
    description = "Pause automatic suggestions for a number of minutes; 0 ends the pause",
    arguments = "[WORD]",
    run = snooze,
    complete = function() return { "5", "0" } end,
  },
  plan = {
    description = "Plan a change through the workspace with start INSTRUCTION, or list the plans",
    arguments = "WORDS",
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
    local problem = name == "" and "" or ("`:Emend %s` is not a command. "):format(name)
    return tell(("%sThe commands of `:Emend` are: %s. `:help emend-commands` describes them."):format(problem, table.concat(names(), ", ")))
  end
  local words = vim.list_slice(called.fargs, 2)
  local most = subcommand.arguments == nil and 0 or subcommand.arguments == "[WORD]" and 1 or math.huge
  if #words > most then
    local takes = most == 0 and "no argument" or "at most one argument"
    return tell(("`:Emend %s` takes %s, so `%s` is not understood."):format(name, takes, table.concat(words, " ", most + 1)))
  end
  local lines = called.range > 0 and { first = called.line1, last = called.line2 } or nil
  if lines and not subcommand.takes_range then return tell(("`:Emend %s` takes no range."):format(name)) end
  subcommand.run(argument, lines, words)
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
    nargs = "*",
    range = true,
    complete = complete,
    desc = "Emend: " .. table.concat(names(), ", "),
  })
end

return M
