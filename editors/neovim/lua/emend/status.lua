--- The status of the server: the result of `emend/status` as lines, and a short text for a status line.
local client = require("emend.client")
local languages = require("emend.languages")

local M = {}

---@param learning table
local function learning_text(learning)
  if learning.kind == "learnt" then return ("learnt, %d files"):format(learning.files) end
  if learning.kind == "failed" then return "not learnt: " .. learning.message end
  if learning.kind ~= "learning" or learning.totalBytes == 0 then return "being scanned" end
  return ("%d %% learnt, %d files so far"):format(100 * learning.bytes / learning.totalBytes, learning.files)
end

---@param model table ModelStatus of docs/lsp.md
local function model_text(model)
  local known = { table.concat(model.uses, ", ") }
  if model.answered > 0 then known[#known + 1] = ("answered %d times"):format(model.answered) end
  if model.firstTextMs then known[#known + 1] = ("%d ms to the first text"):format(model.firstTextMs) end
  if model.failed > 0 then known[#known + 1] = ("failed %d times"):format(model.failed) end
  local text = ("%s (%s)"):format(model.name, table.concat(known, "; "))
  return model.problem and text .. ": " .. model.problem or text
end

---@param name string
---@param figures table RequestFiguresStatus of docs/lsp.md
local function figures_text(name, figures)
  if not figures.p50Ms then return ("%s: no requests yet"):format(name) end
  return ("%s: %d requests, median %d ms, 95th percentile %d ms, %d %% with a suggestion"):format(
    name,
    figures.count,
    figures.p50Ms,
    figures.p95Ms,
    100 * figures.suggestionShare
  )
end

--- The result of `emend/status` as lines.
---@param status table ServerStatus of docs/lsp.md
---@return string[]
function M.lines(status)
  local lines = { ("Emend %s"):format(status.version) }
  local function add(text) lines[#lines + 1] = text end
  for _, session in ipairs(status.sessions) do
    add("")
    add(session.root and vim.fn.fnamemodify(session.root, ":~") or "Files outside of a workspace")
    add("  Models: " .. table.concat(session.models or {}, ", "))
    for _, model in ipairs(session.modelDetails or {}) do add("    " .. model_text(model)) end
    add("  Workspace: " .. learning_text(session.learning))
    for _, issue in ipairs(session.issues) do add("  Settings: " .. issue) end
  end
  add("")
  if status.requests then
    add(figures_text("Ghost text", status.requests.ghostText))
    add(figures_text("Next edits", status.requests.nextEdits))
  end
  if status.lastGhostTextReasonText then add("No ghost text: " .. status.lastGhostTextReasonText) end
  if status.lastNextEditReasonText then add("No next edit: " .. status.lastNextEditReasonText) end
  add(("%d open documents, %.0f MB of memory"):format(status.openDocuments, status.memory.rss / 1e6))
  return lines
end

--- Requests the status of the server.
---@param on_status fun(status: table)
---@param on_problem fun(text: string)
function M.ask(on_status, on_problem)
  local buffer = vim.api.nvim_get_current_buf()
  local server = client.any(buffer)
  if not server then return on_problem("the server is not running; run `:checkhealth emend` for the reason.") end
  client.ask(server, buffer, "emend/status", vim.empty_dict(), function(problem, status)
    if problem then return on_problem(problem.message) end
    on_status(status)
  end)
end

--- Shows the status in a window.
function M.show()
  M.ask(function(status) require("emend.report_window").show("status", M.lines(status)) end, function(problem)
    client.tell(problem, vim.log.levels.WARN)
  end)
end

--- The last status notification of each server.
---@type table<integer, table>
local conditions = {}

---@param condition table EmendStatusParams of docs/lsp.md
---@param client_id integer
client.handlers["emend/didChangeStatus"] = function(condition, client_id)
  conditions[client_id] = condition
  local failed = condition.failedModel
  if failed and not failed.isLoading then
    client.tell(failed.problem .. "\n`:Emend setup` sets up a model.", vim.log.levels.WARN, "model")
  end
  vim.cmd.redrawstatus()
end

--- A short text for a status line; empty if the buffer has no server.
---@return string
function M.line()
  if not client.is_on then return "Emend off" end
  local server = client.of(vim.api.nvim_get_current_buf())
  if not server then return "" end
  if languages.is_off(vim.bo.filetype) then return "Emend off here" end
  local condition = conditions[server.id] or {}
  if condition.snoozedMinutes then return ("Emend: snoozed, %d min"):format(condition.snoozedMinutes) end
  local failed = condition.failedModel
  if failed and failed.isLoading then return "Emend: loading " .. failed.name end
  local learning = condition.learning
  if learning then return ("Emend: learning %d/%d"):format(learning.done, learning.of) end
  if condition.kind == "warning" then return "Emend: " .. condition.message end
  return "Emend"
end

return M
