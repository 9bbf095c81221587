--- Plans: changes that are propagated through a scratch copy of the workspace, shown in a buffer, and applied by a key.
local client = require("emend.client")
local options = require("emend.options")
local plan_lines = require("emend.plan_lines")
local report_window = require("emend.report_window")

local M = {}

--- The plan in the buffer.
---@type { view: table, uri: string, steps: table<integer, table>, buffer: integer }?
local shown

--- Sends a request about plans to the server. Errors are shown as messages.
---@param method string
---@param params table
---@param on_answer fun(result: any)
local function ask(method, params, on_answer)
  local buffer = vim.api.nvim_get_current_buf()
  client.with(buffer, function(server)
    client.ask(server, buffer, "emend/plan/" .. method, params, function(problem, result)
      if problem then return client.tell(problem.message, vim.log.levels.ERROR) end
      on_answer(result)
    end)
  end, true)
end

--- Sends a request about the plan in the buffer.
---@param method string
---@param more? table
---@param on_answer? fun(result: any)
local function ask_of_shown(method, more, on_answer)
  local params = vim.tbl_extend("force", { plan = shown.view.plan, uri = shown.uri }, more or {})
  ask(method, params, on_answer or function() end)
end

---@return table? step the step at the cursor
local function step_at_cursor()
  local step = shown.steps[vim.api.nvim_win_get_cursor(0)[1]]
  if not step then client.tell("move the cursor to a step first.") end
  return step
end

local function apply()
  local function send(is_seen)
    ask_of_shown("apply", { isSeen = is_seen }, function(result)
      if not result.isApplied then return client.tell(result.failureReason, vim.log.levels.WARN) end
      if #result.files == 0 then return client.tell("the plan changes no file, so there is nothing to apply.") end
      client.tell(("applied to %s, not saved yet."):format(table.concat(result.files, ", ")))
    end)
  end
  if not shown.view.doubt then return send(false) end
  vim.ui.select({ "Apply", "Cancel" }, { prompt = shown.view.doubt }, function(_, index)
    if index == 1 then send(true) end
  end)
end

---@type table<string, { description: string, run: fun() }>
local keys = {
  c = { description = "Continue", run = function() ask_of_shown("continue") end },
  s = { description = "Stop", run = function() ask_of_shown("stop") end },
  a = { description = "Apply", run = apply },
  d = {
    description = "Show the diff",
    run = function()
      local step = shown.steps[vim.api.nvim_win_get_cursor(0)[1]]
      local diff = step and step.diff or shown.view.diff
      if not diff then return client.tell("there is no diff before the plan has ended.") end
      if diff == "" then return client.tell("the plan changes no file, so there is no diff.") end
      report_window.show("diff", vim.split(diff, "\n", { plain = true }), { filetype = "diff" })
    end,
  },
  x = {
    description = "Reject the step",
    run = function()
      local step = step_at_cursor()
      if not step then return end
      vim.ui.input({ prompt = "Reason (optional): " }, function(reason)
        if reason then ask_of_shown("reject", { step = step.id, reason = reason ~= "" and reason or nil }) end
      end)
    end,
  },
  m = {
    description = "Mark the step as done",
    run = function()
      local step = step_at_cursor()
      if step then ask_of_shown("continue", { done = { step.id } }) end
    end,
  },
  t = {
    description = "Copy the step as a prompt for a chat",
    run = function()
      local step = step_at_cursor()
      if not step then return end
      ask_of_shown("task", { step = step.id }, function(task)
        vim.fn.setreg('"', task.text)
        pcall(vim.fn.setreg, "+", task.text)
        client.tell(("the prompt for step %d is in the register: paste it into a chat, copy the answer, and press p here."):format(step.id))
      end)
    end,
  },
  p = {
    description = "Continue with a chat's answer from the register",
    run = function()
      local step = step_at_cursor()
      if not step then return end
      local answer = vim.fn.getreg("+")
      if answer == "" then answer = vim.fn.getreg('"') end
      ask_of_shown("continue", { answer = { step = step.id, text = answer } })
    end,
  },
}

---@param view table PlanViewParams of docs/lsp.md
local function show(view)
  local lines, steps = plan_lines.of(view)
  local buffer = report_window.show("plan", lines)
  for key, what in pairs(keys) do
    vim.keymap.set("n", key, what.run, { buffer = buffer, nowait = true, desc = what.description })
  end
  shown = { view = view, uri = view.uri, steps = steps, buffer = buffer }
end

--- Updates the buffer of a plan if it is visible.
---@param view table PlanViewParams of docs/lsp.md
client.handlers["emend/plan/view"] = function(view)
  if shown and shown.view.plan == view.plan and vim.fn.bufwinid(shown.buffer) ~= -1 then show(view) end
end

---@param name table PlanName of docs/lsp.md
local function open(name)
  ask("show", name, function(view) show(vim.tbl_extend("keep", view, { uri = name.uri })) end)
end

--- Starts a plan. Without an instruction, it plans what follows from the uncommitted changes.
---@param uri string? of the buffer, if that is a file
---@param instruction string?
local function start(uri, instruction)
  client.with(vim.api.nvim_get_current_buf(), function(server)
    if uri and not server.config.root_dir then
      local markers = table.concat(options.current.root_markers, ", ")
      local text = "a plan needs a workspace, and no folder above this file has one of %s. `git init` in the folder makes it one; then `:edit` the file in a new Neovim."
      return client.tell(text:format(markers), vim.log.levels.WARN)
    end
    ask("start", { uri = uri, instruction = instruction }, open)
  end, true)
end

--- `:Emend plan`: starts a plan, or lists the plans; `<CR>` opens one.
---@param argument string
function M.command(argument)
  local uri = vim.bo.buftype == "" and vim.api.nvim_buf_get_name(0) ~= "" and vim.uri_from_bufnr(0) or nil
  local instruction = argument:match("^start%s+(.+)$")
  if instruction or argument == "start" then return start(uri, instruction) end
  if argument ~= "" then
    return client.tell("`:Emend plan start [INSTRUCTION]` starts a plan, without INSTRUCTION from the uncommitted changes; `:Emend plan` lists the plans.")
  end
  ask("list", { uri = uri }, function(result)
    local buffer = report_window.show("plans", plan_lines.list(result.plans))
    vim.keymap.set("n", "<CR>", function()
      local plan = result.plans[vim.api.nvim_win_get_cursor(0)[1]]
      if plan then open({ plan = plan.plan, uri = uri }) end
    end, { buffer = buffer, desc = "Open this plan" })
  end)
end

return M
