--- How the server is: `emend/status` as lines, and in a few words for a status line.
local client = require("emend.client")
local languages = require("emend.languages")

local M = {}

---@param learning table
local function learning_text(learning)
  if learning.kind == "learnt" then return ("learnt, %d files"):format(learning.files) end
  if learning.kind == "failed" then return "not learnt: " .. learning.message end
  if learning.kind ~= "learning" or learning.totalBytes == 0 then return "is looked at" end
  return ("%d %% learnt, %d files so far"):format(100 * learning.bytes / learning.totalBytes, learning.files)
end

---@param model string|table
local function model_text(model)
  if type(model) == "string" then return model end
  local name = model.name or "?"
  if model.problem then return name .. ": " .. model.problem end
  return name
end

--- What `emend/status` answered, for people.
---@param status table ServerStatus of docs/lsp.md
---@return string[]
function M.lines(status)
  local lines = { ("Emend %s"):format(status.version) }
  local function add(text) lines[#lines + 1] = text end
  for _, session in ipairs(status.sessions) do
    add("")
    add(session.root and vim.fn.fnamemodify(session.root, ":~") or "Files in no workspace")
    add("  Models: " .. table.concat(vim.tbl_map(model_text, session.models or {}), ", "))
    add("  Workspace: " .. learning_text(session.learning))
    for _, issue in ipairs(session.issues) do add("  Settings: " .. issue) end
  end
  add("")
  if status.lastSilenceText then add("No ghost text: " .. status.lastSilenceText) end
  if status.lastNextSilenceText then add("No next edit: " .. status.lastNextSilenceText) end
  add(("%d open documents, %.0f MB of memory"):format(status.openDocuments, status.memory.rss / 1e6))
  return lines
end

--- Asks the server how it is.
---@param on_status fun(status: table)
---@param on_problem fun(text: string)
function M.ask(on_status, on_problem)
  local buffer = vim.api.nvim_get_current_buf()
  local server = client.any(buffer)
  if not server then return on_problem("the server does not run; `:checkhealth emend` says why.") end
  client.ask(server, buffer, "emend/status", vim.empty_dict(), function(problem, status)
    if problem then return on_problem(problem.message) end
    on_status(status)
  end)
end

--- Shows it in a window.
function M.show()
  M.ask(function(status) require("emend.report_window").show("status", M.lines(status)) end, function(problem)
    client.tell(problem, vim.log.levels.WARN)
  end)
end

--- A few words for a status line; empty where Emend does not work.
---@return string
function M.line()
  local server = client.of(vim.api.nvim_get_current_buf())
  if not client.is_on then return "Emend off" end
  if not server then return "" end
  if languages.is_off(vim.bo.filetype) then return "Emend off here" end
  for _, pending in pairs(server.progress and server.progress.pending or {}) do
    if type(pending) == "string" then return "Emend: " .. pending end
  end
  return "Emend"
end

return M
