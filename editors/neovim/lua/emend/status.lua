--- The status of the server: the result of `emend/status` as lines, and a short text for a status line.
local client = require("emend.client")
local languages = require("emend.languages")
local options = require("emend.options")

local M = {}

local count = require("emend.report_window").count

---@param session table SessionStatus of docs/lsp.md
local function learning_text(session)
  local learning = session.learning
  if not session.root then return "none: no folder above these files has one of `root_markers`, such as .git; they are not learnt" end
  if learning.kind == "learnt" then return "learnt, " .. count(learning.files, "file") end
  if learning.kind == "failed" then return "not learnt: " .. learning.message end
  if learning.kind ~= "learning" or learning.totalBytes == 0 then return "being scanned" end
  return ("%d %% learnt, %s so far"):format(100 * learning.bytes / learning.totalBytes, count(learning.files, "file"))
end

---@param model table ModelStatus of docs/lsp.md
---@param will_try boolean
local function model_text(model, will_try)
  local known = { table.concat(model.uses, ", ") }
  if model.answered > 0 then known[#known + 1] = "answered " .. count(model.answered, "time") end
  if model.firstTextMs then known[#known + 1] = ("%d ms to the first text"):format(model.firstTextMs) end
  if model.failed > 0 then known[#known + 1] = "failed " .. count(model.failed, "time") end
  if M.is_untried(model) and not will_try then known[#known + 1] = "not tried yet" end
  local text = ("%s (%s)"):format(model.name, table.concat(known, "; "))
  return model.problem and text .. ": " .. model.problem or text
end

--- Whether no request to a model has ended; the built-in model needs no server, so it counts as tried.
---@param model table ModelStatus of docs/lsp.md
---@return boolean
function M.is_untried(model)
  return model.name ~= "builtin" and model.answered == 0 and model.failed == 0
end

--- An issue of the settings; those of the option `settings` are named as in init.lua.
---@param issue string
---@return string
local function issue_text(issue)
  return (issue:gsub("emend%.([%w_.%-]+) of the editor", "settings.%1 of `setup`"))
end

--- The issues of the settings of all sessions, each once.
---@param status table ServerStatus of docs/lsp.md
---@return string[]
function M.issues(status)
  local seen, issues = {}, {}
  for _, session in ipairs(status.sessions) do
    for _, issue in ipairs(session.issues) do
      if not seen[issue] then issues[#issues + 1] = issue_text(issue) end
      seen[issue] = true
    end
  end
  return issues
end

---@param name string
---@param figures table RequestFiguresStatus of docs/lsp.md
local function figures_text(name, figures)
  if not figures.p50Ms then return ("%s: no requests yet"):format(name) end
  return ("%s: %s, median %d ms, 95th percentile %d ms, %d %% with a suggestion"):format(
    name,
    count(figures.count, "request"),
    figures.p50Ms,
    figures.p95Ms,
    100 * figures.suggestionShare
  )
end

--- The result of `emend/status` as lines.
---@param status table ServerStatus of docs/lsp.md
---@param how? { will_try_models: boolean } Where the models will be tried, it is not said which are untried.
---@return string[]
function M.lines(status, how)
  local lines = { ("Emend %s"):format(status.version) }
  local function add(text) lines[#lines + 1] = text end
  for _, session in ipairs(status.sessions) do
    add("")
    add(session.root and vim.fn.fnamemodify(session.root, ":~") or "Files outside of a workspace")
    add("  Models: " .. (session.models and table.concat(session.models, ", ") or "being read from the settings"))
    for _, model in ipairs(session.modelDetails or {}) do add("    " .. model_text(model, how ~= nil and how.will_try_models)) end
    add("  Workspace: " .. learning_text(session))
  end
  for index, issue in ipairs(M.issues(status)) do
    if index == 1 then add("") end
    add("Settings: " .. issue)
  end
  add("")
  for _, problem in ipairs(options.problems) do add("Options: " .. problem) end
  if #languages.off() > 0 then add("Off in this session: " .. table.concat(languages.off(), ", ")) end
  if status.requests then
    add(figures_text("Ghost text", status.requests.ghostText))
    add(figures_text("Next edits", status.requests.nextEdits))
  end
  if status.lastGhostTextReasonText then add("No ghost text: " .. status.lastGhostTextReasonText) end
  if status.lastNextEditReasonText then add("No next edit: " .. status.lastNextEditReasonText) end
  add(("%s, %.0f MB of memory"):format(count(status.openDocuments, "open document"), status.memory.rss / 1e6))
  return lines
end

--- Requests the status of the server.
---@param on_status fun(status: table)
---@param on_problem fun(text: string)
---@param server? vim.lsp.Client default: that of the current buffer, otherwise any
function M.ask(on_status, on_problem, server)
  local buffer = vim.api.nvim_get_current_buf()
  server = server or client.any(buffer)
  if not server then return on_problem(client.off_reason(buffer) or client.exit_text or "the server is starting.") end
  client.ask(server, buffer, "emend/status", vim.empty_dict(), function(problem, status)
    if problem then return on_problem(problem.message) end
    on_status(status)
  end)
end

--- Shows the status in a window.
function M.show()
  client.with(vim.api.nvim_get_current_buf(), function(server)
    M.ask(function(status) require("emend.report_window").show("status", M.lines(status)) end, function(problem)
      client.tell(problem, vim.log.levels.WARN)
    end, server)
  end, true)
end

--- Whether the server has read the settings of all sessions.
---@param status table ServerStatus of docs/lsp.md
---@return boolean
function M.is_complete(status)
  return vim.iter(status.sessions):all(function(session) return session.models ~= nil end)
end

--- The last status notification of each server, and the buffer that it was sent for.
---@type table<integer, { condition: table, buffer: integer }>
local known = {}

--- The model that fails. One that has only refused an instruction, because it completes code alone, does not: the answer
--- to the edit says so.
---@param condition table EmendStatusParams of docs/lsp.md
---@return { name: string, isLoading: boolean }?
local function failing_model(condition)
  local failed, reason = condition.failedModel, condition.noSuggestion
  local is_for_ghost_text = reason ~= nil and reason.kind == "model-failed"
  if failed and failed.failure == "unsupported" and not is_for_ghost_text then return nil end
  return failed
end

--- Shows the issues of the settings that no server had before.
---@param issues string[]
local function tell_new(issues)
  local before = {}
  for _, last in pairs(known) do vim.list_extend(before, last.condition.issues or {}) end
  local new = vim.tbl_filter(function(issue) return not vim.list_contains(before, issue) end, issues)
  if #new == 0 then return end
  if vim.api.nvim_get_mode().mode ~= "n" then return client.tell_briefly("some settings are wrong; see `:Emend status`.") end
  client.tell("settings:\n" .. table.concat(vim.tbl_map(issue_text, new), "\n"), vim.log.levels.WARN)
end

---@param condition table EmendStatusParams of docs/lsp.md
---@param client_id integer
client.handlers["emend/didChangeStatus"] = function(condition, client_id)
  local before = known[client_id] and known[client_id].condition or {}
  tell_new(condition.issues or {})
  known[client_id] = { condition = condition, buffer = vim.api.nvim_get_current_buf() }
  local is_late = condition.noSuggestion and condition.noSuggestion.kind == "timed-out"
  if is_late or (before.busy and not condition.busy) then require("emend.ghost").again() end
  local failed = failing_model(condition)
  if failed and not failed.isLoading then
    client.tell_briefly("a model failed: see `:Emend status`, or `:Emend setup`.", "model")
  end
  vim.cmd.redrawstatus()
end

--- Labels of reasons for no suggestion that last until the user acts; those that depend on the file are shown in its
--- buffer only.
local models_reasons = { ["no-model"] = "no model", ["model-failed"] = "model failed", ["timed-out"] = "model too slow" }
local file_reasons = {
  ["language-off"] = "off for this language",
  ["secret-file"] = "secret file",
  ["ignored-file"] = "ignored file",
  ["too-large"] = "file too large",
  ["not-text"] = "no text",
}

--- A short text for a status line, at most some 30 columns wide; empty where Emend does not work.
---@return string
function M.line()
  local buffer = vim.api.nvim_get_current_buf()
  if not client.is_on then return "Emend off" end
  local server = client.of(buffer)
  if not server and client.is_starting(buffer) then return "Emend: starting" end
  if client.off_reason(buffer) then return "" end
  if not server then return client.exit_text and "Emend: stopped" or "" end
  if languages.is_off(vim.bo.filetype) then return "Emend off here" end
  local last = known[server.id] or { condition = {} }
  local condition, failed = last.condition, failing_model(last.condition)
  if condition.snoozedMinutes then return ("Emend: snoozed, %d min"):format(condition.snoozedMinutes) end
  if failed and failed.isLoading then return "Emend: loading " .. failed.name end
  local learning = condition.learning
  local reason = condition.noSuggestion and condition.noSuggestion.kind
  local label = models_reasons[reason] or last.buffer == buffer and file_reasons[reason] or failed and "model failed"
  if label then return "Emend: " .. label end
  if learning then return ("Emend: learning %d/%d"):format(learning.done, learning.of) end
  return "Emend"
end

return M
