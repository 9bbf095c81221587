--- `:checkhealth emend`.
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
  local running = client.any(vim.api.nvim_get_current_buf()) or vim.lsp.get_clients({ name = "emend" })[1]
  if running then return running, false end
  local id = vim.lsp.start_client({ name = "emend-health", cmd = command, root_dir = vim.fn.getcwd(), settings = client.settings })
  local started = id and vim.lsp.get_client_by_id(id)
  if started then vim.wait(patience_ms, function() return started.initialized or started.is_stopped() end, 20) end
  return started and started.initialized and started or nil, true
end

---@param status table ServerStatus of docs/lsp.md
local function tell_status(status)
  vim.health.ok("The server responds: version " .. status.version)
  for _, line in ipairs(vim.list_slice(require("emend.status").lines(status), 2)) do
    if line ~= "" then vim.health.info(vim.trim(line)) end
  end
  for _, session in ipairs(status.sessions) do
    if session.models and #session.models == 0 then
      vim.health.warn("No model is configured", "Set `model` in emend.config.json, or in the option `settings`.")
    end
    for _, issue in ipairs(session.issues) do vim.health.warn(issue) end
  end
end

local function check_server()
  vim.health.start("The language server")
  local command, problem = server.command(options.current.cmd)
  if not command then return vim.health.error(problem --[[@as string]]) end
  vim.health.info("Command: " .. table.concat(command, " "))
  if not client.is_on then return vim.health.warn("Emend is turned off", "`:Emend toggle` turns it on.") end
  local running, is_own = any_server(command)
  if not running then
    return vim.health.error("The server does not start", { "Run the command above in a terminal.", "Read " .. vim.lsp.get_log_path() .. "." })
  end
  local status
  client.ask(running, 0, "emend/status", vim.empty_dict(), function(_, result) status = result end)
  vim.wait(patience_ms, function() return status ~= nil end, 20)
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
  check_server()
end

return M
