--- `:checkhealth emend`.

if vim.fn.has("nvim-0.10") == 0 then
  return {
    check = function()
      local report = vim.health or require("health")
      local version = vim.version()
      report.report_start("Neovim")
      report.report_error(("Neovim %d.%d.%d is too old: use 0.10 or newer."):format(version.major, version.minor, version.patch))
    end,
  }
end

local client = require("emend.client")
local keys = require("emend.keys")
local options = require("emend.options")
local server = require("emend.server")

local M = {}

local patience_ms = 15000

local function check_editor()
  vim.health.start("Neovim")
  local version = tostring(vim.version())
  if vim.fn.has("nvim-0.10") == 1 then
    vim.health.ok("Neovim " .. version)
  else
    vim.health.error("Neovim " .. version .. " is too old", "Use Neovim 0.10 or newer.")
  end
  local is_doubled = vim.lsp.inline_completion and vim.lsp.inline_completion.is_enabled and vim.lsp.inline_completion.is_enabled()
  if is_doubled then
    vim.health.warn("The inline completions of Neovim are enabled too", "Call vim.lsp.inline_completion.enable(false).")
  end
  for name, state in vim.spairs(keys.state) do
    if state.taken_by then
      vim.health.warn(
        ("%s is mapped to %s, so it does not %s"):format(state.key, state.taken_by, keys.actions[name].description:lower()),
        ("Set the option keys.%s to another key, or call require('emend').%s in that mapping."):format(name, keys.actions[name].call)
      )
    end
  end
end

local function check_node()
  if vim.fn.executable("node") == 0 then
    return vim.health.error("Node.js is not in PATH", "Install Node.js 20.19 or newer.")
  end
  local version = vim.trim(vim.fn.system({ "node", "--version" }))
  if vim.version.ge(version, "20.19.0") then
    vim.health.ok("Node.js " .. version)
  else
    vim.health.error("Node.js " .. version .. " is too old", "Install Node.js 20.19 or newer.")
  end
end

--- A running server; starts one for the check if there is none.
---@return vim.lsp.Client? server, boolean is_own
local function any_server(command)
  local running = client.all()[1]
  if running then return running, false end
  local id = vim.lsp.start_client({ name = "emend-health", cmd = command, root_dir = vim.fn.getcwd(), settings = client.settings })
  local started = id and vim.lsp.get_client_by_id(id)
  if started then vim.wait(patience_ms, function() return started.initialized or started.is_stopped() end, 20) end
  return started and started.initialized and started or nil, true
end

local function check_setup()
  vim.health.start("Setup")
  if not client.is_set_up then
    return vim.health.error("`setup` was not called, so that nothing is suggested", 'Call require("emend").setup({}) in init.lua.')
  end
  for _, problem in ipairs(options.problems) do vim.health.warn(problem, "Change it in the call of `setup`; its default is used.") end
  if not client.is_on then vim.health.warn("Emend is off", "`:Emend on` turns it on.") end
  local off = require("emend.languages").off()
  if #off > 0 then vim.health.info("Off in this session or in the options: " .. table.concat(off, ", ")) end
  if client.exit_text then
    vim.health.error(client.exit_text:gsub("^t", "T"), { "`:Emend restart` starts it.", "Its log is " .. vim.lsp.get_log_path() .. "." })
  end
  local buffer = client.last_shown
  if not buffer or not vim.api.nvim_buf_is_loaded(buffer) or not client.is_on then return end
  local path = vim.fn.fnamemodify(vim.api.nvim_buf_get_name(buffer), ":~:.")
  local name, reason = path == "" and "[No Name]" or path, client.off_reason(buffer)
  if reason then vim.health.info(("%s: %s"):format(name, reason)) end
  if client.is_starting(buffer) then vim.health.info(name .. ": the server is starting.") end
  if client.of(buffer) then vim.health.ok("Emend works in " .. name) end
end

---@param title string
---@param models table[] ModelReport of `emend status --json`
local function tell_tried(title, models)
  for _, model in ipairs(models) do
    local name = title:format(model.name)
    local problems = vim.tbl_map(function(problem) return problem.message end, model.problems)
    if #problems == 0 then
      vim.health.ok(name .. " was tried, and answers")
    else
      vim.health.warn(("%s was tried: %s"):format(name, table.concat(problems, " ")), "`:Emend setup` sets up a model.")
    end
  end
end

--- Tries the models of a session, and those of `edit.model`, by `emend status`, with two short requests to each.
---@param session table SessionStatus of docs/lsp.md
local function check_models(session)
  if #session.models == 0 then
    return vim.health.warn("No model is configured", "`:Emend setup` sets up a model.")
  end
  local words = { "status", "--json" }
  for _, name in ipairs(session.models) do vim.list_extend(words, { "--model", name }) end
  for _, name in ipairs(session.editModels) do
    if not vim.list_contains(session.models, name) then vim.list_extend(words, { "--edit-model", name }) end
  end
  local command = server.program(options.current.cmd, words)
  if not command then return vim.health.warn("The models were not tried", "`emend status` in a terminal tries them.") end
  local keys
  require("emend.api_keys").with_keys(function(found) keys = found end)
  vim.wait(patience_ms, function() return keys ~= nil end, 20)
  local folder = session.root or vim.fs.dirname(vim.fn.tempname())
  local done = vim.system(command, { text = true, cwd = folder, env = keys, timeout = 2 * patience_ms }):wait()
  local is_read, report = pcall(vim.json.decode, done.stdout or "")
  if not is_read then return vim.health.warn("The models were not tried: " .. vim.trim(done.stderr), "`emend status` in a terminal tries them.") end
  tell_tried("The model %s", report.models)
  tell_tried("The model %s of `edit.model`", report.editModels)
end

--- What `check_setup` and the warnings report is not repeated.
local repeated = { "^Options: ", "^Settings: ", "^Off in this session" }

---@param status table ServerStatus of docs/lsp.md
local function tell_status(status)
  vim.health.ok("The server responds: version " .. status.version)
  for _, line in ipairs(vim.list_slice(require("emend.status").lines(status, { will_try_models = true }), 2)) do
    local is_repeated = vim.iter(repeated):any(function(pattern) return line:find(pattern) ~= nil end)
    if line ~= "" and not is_repeated then vim.health.info(vim.trim(line)) end
  end
  for _, issue in ipairs(require("emend.status").issues(status)) do vim.health.warn(issue) end
  for _, session in ipairs(status.sessions) do
    if session.models then check_models(session) end
  end
end

local function check_server()
  vim.health.start("The language server")
  local command, problem = server.command(options.current.cmd)
  if not command then return vim.health.error(problem --[[@as string]]) end
  vim.health.info("Command: " .. table.concat(command, " "))
  if not client.is_on then return end
  local running, is_own = any_server(command)
  if not running then
    return vim.health.error("The server does not start", { "Run the command above in a terminal.", "Read " .. vim.lsp.get_log_path() .. "." })
  end
  local status, is_requested
  vim.wait(patience_ms, function()
    if status and require("emend.status").is_complete(status) then return true end
    if not is_requested then
      is_requested = true
      client.ask(running, 0, "emend/status", vim.empty_dict(), function(_, result) status, is_requested = result, false end)
    end
  end, 100)
  if status then
    tell_status(status)
  else
    vim.health.error("The server does not respond", "Read " .. vim.lsp.get_log_path() .. ".")
  end
  if is_own then running.stop() end
end

--- Checks the editor, the server and its models, and reports the reason for no suggestion.
function M.check()
  check_editor()
  check_node()
  check_setup()
  check_server()
end

return M
