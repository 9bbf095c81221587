--- The client of the language server: one for each workspace, attached to the buffers that Emend works in.
local api_keys = require("emend.api_keys")
local options = require("emend.options")
local server = require("emend.server")
local undo = require("emend.undo")

local M = {}

--- Whether Emend is on; `:Emend toggle` turns it off and on.
M.is_on = true

local shown_keys = {}

--- Shows a message; messages with the same `key` are shown once in a session.
---@param text string
---@param level? integer
---@param key? string
function M.tell(text, level, key)
  if key and shown_keys[key] then return end
  if key then shown_keys[key] = true end
  vim.notify("Emend: " .. text, level or vim.log.levels.INFO, { title = "Emend" })
end

--- Functions that are called with each buffer to which the server is attached.
---@type fun(buffer: integer)[]
M.on_attach = {}

local notifications = { "emend/didChangeStatus", "emend/edit/preview", "emend/plan/view" }

--- The handlers of the server's notifications, by method; modules register them when they are loaded.
---@type table<string, fun(params: table, client_id: integer)>
M.handlers = {}

--- The settings that are sent to the server. All clients share this table, so that a change applies to each of them.
M.settings = { emend = {} }

---@param buffer integer
---@return boolean
local function is_wanted(buffer)
  if not vim.api.nvim_buf_is_loaded(buffer) or vim.bo[buffer].buftype ~= "" then return false end
  if vim.api.nvim_buf_get_name(buffer) == "" or vim.b[buffer].emend_disabled then return false end
  local filetypes = options.current.filetypes
  local own = filetypes[vim.bo[buffer].filetype]
  if own ~= nil then return own end
  return filetypes["*"] ~= false
end

---@param code integer
---@param signal integer
local function tell_exit(code, signal)
  if M.is_leaving or (code == 0 and signal == 0) then return end
  local how = signal ~= 0 and ("by signal %d"):format(signal) or ("with code %d"):format(code)
  vim.schedule(function()
    M.tell(
      ("the server exited %s. Its log is %s; run `:checkhealth emend` for details."):format(how, vim.lsp.get_log_path()),
      vim.log.levels.ERROR,
      "exit"
    )
  end)
end

---@param command string[]
---@param keys table<string, string>
---@param buffer integer
local function attach_with(command, keys, buffer)
  if not is_wanted(buffer) or M.of(buffer) then return end
  local root = vim.fs.root(buffer, options.current.root_markers)
  local handlers = {}
  for _, method in ipairs(notifications) do
    handlers[method] = function(_, params, context)
      local take = M.handlers[method]
      if take then take(params, context.client_id) end
    end
  end
  -- An edit by the server is its own undo step, also in insert mode.
  handlers["workspace/applyEdit"] = function(...)
    undo.begin_step()
    return vim.lsp.handlers["workspace/applyEdit"](...)
  end
  local id = vim.lsp.start({
    name = "emend",
    cmd = command,
    cmd_env = keys,
    root_dir = root,
    settings = M.settings,
    init_options = vim.tbl_extend("force", M.settings, { emendStatus = true }),
    handlers = handlers,
    on_exit = tell_exit,
  }, { bufnr = buffer })
  if not id then return end
  for _, attached in ipairs(M.on_attach) do attached(buffer) end
end

--- Attaches a buffer to the server of its workspace, and starts that server if necessary. Does nothing where Emend is off.
---@param buffer integer
function M.attach(buffer)
  if not M.is_on or not is_wanted(buffer) or M.of(buffer) then return end
  local command, problem = server.command(options.current.cmd)
  if not command then return M.tell(problem --[[@as string]], vim.log.levels.ERROR, "missing") end
  api_keys.with_keys(function(keys) attach_with(command, keys, buffer) end)
end

--- The client of a buffer; nil if the server is not attached to it.
---@param buffer integer
---@return vim.lsp.Client?
function M.of(buffer)
  return vim.lsp.get_clients({ name = "emend", bufnr = buffer })[1]
end

--- The client of a buffer, otherwise any running client.
---@param buffer integer
---@return vim.lsp.Client?
function M.any(buffer)
  return M.of(buffer) or vim.lsp.get_clients({ name = "emend" })[1]
end

-- Neovim 0.11 changed the functions of a client to methods.
local is_newer = vim.fn.has("nvim-0.11") == 1

---@param client vim.lsp.Client
---@param name string
local function call(client, name, ...)
  if is_newer then return client[name](client, ...) end
  return client[name](...)
end

--- Sends a request to the server of a buffer. An answer after `cancel` is dropped.
---@param client vim.lsp.Client
---@param buffer integer
---@param method string
---@param params table
---@param on_answer fun(problem: lsp.ResponseError?, result: any)
---@return fun() cancel
function M.ask(client, buffer, method, params, on_answer)
  local is_over = false
  local _, id = call(client, "request", method, params, function(problem, result)
    if is_over then return end
    is_over = true
    on_answer(problem, result)
  end, buffer)
  return function()
    if is_over then return end
    is_over = true
    if id then call(client, "cancel_request", id) end
  end
end

--- Sends a notification to the server.
---@param client vim.lsp.Client
---@param method string
---@param params table
function M.notify(client, method, params)
  call(client, "notify", method, params)
end

--- Stops all servers without waiting for their exit.
function M.stop()
  for _, client in ipairs(vim.lsp.get_clients({ name = "emend" })) do call(client, "stop") end
end

--- The document of a buffer, with the version that was sent to the server.
---@param buffer integer
---@return { uri: string, version: integer? }
function M.document(buffer)
  return { uri = vim.uri_from_bufnr(buffer), version = vim.lsp.util.buf_versions[buffer] }
end

--- Notifies all servers of changed settings.
function M.settings_changed()
  for _, client in ipairs(vim.lsp.get_clients({ name = "emend" })) do
    client.settings = M.settings
    M.notify(client, "workspace/didChangeConfiguration", { settings = M.settings })
  end
end

return M
