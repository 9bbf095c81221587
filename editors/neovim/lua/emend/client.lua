--- The client of the language server: one for each workspace, attached to the buffers that Emend works in.
local api_keys = require("emend.api_keys")
local options = require("emend.options")
local server = require("emend.server")
local undo = require("emend.undo")

local M = {}

--- Whether `setup` was called.
M.is_set_up = false

--- Whether Emend is on; `:Emend toggle` turns it off and on.
M.is_on = true

--- How the server exited, if it failed and has not been started since.
---@type string?
M.exit_text = nil

--- The buffer that was shown last in a normal window, other than those of reports, help and terminals.
---@type integer?
M.last_shown = nil

--- Notes that the current buffer is shown.
function M.note_shown()
  local is_floating = vim.api.nvim_win_get_config(0).relative ~= ""
  if vim.bo.buftype == "" and not is_floating then M.last_shown = vim.api.nvim_get_current_buf() end
end

--- What `:Emend why` explains: the kind of suggestion that the user saw or requested last, not an automatic request for
--- a next edit without an answer.
---@type "ghost-text"|"next-edit"|nil
M.last_subject = nil

--- The buffers whose server is starting.
---@type table<integer, boolean>
local starting = {}

--- The commands that wait for a server.
---@type { buffer: integer, run: fun(server: vim.lsp.Client) }[]
local waiting = {}

--- The servers that were stopped and have not exited yet.
---@type table<integer, boolean>
local stopping = {}

--- How often a server failed since the last command that started one, and after how many failures only a command does.
local failures, max_failures = 0, 3

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

--- Shows a message that no command of the user led to: one line that fits the window, so that typing is not interrupted
--- by a prompt. Texts with the same `key` are shown once in a session.
---@param text string
---@param key? string
function M.tell_briefly(text, key)
  local space = math.max(20, vim.v.echospace - #"Emend: ")
  local line = text:gsub("%s+", " ")
  if vim.fn.strdisplaywidth(line) > space then
    line = vim.fn.strcharpart(line, 0, space - 1)
    while vim.fn.strdisplaywidth(line) > space - 1 do line = vim.fn.strcharpart(line, 0, vim.fn.strchars(line) - 1) end
    line = line .. "…"
  end
  M.tell(line, vim.log.levels.WARN, key)
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

--- Why Emend does not work in a buffer, with what to do; nil if it does.
---@param buffer integer
---@return string?
function M.off_reason(buffer)
  if not M.is_set_up then return '`require("emend").setup({})` was not called; init.lua has to call it.' end
  if not M.is_on then return "Emend is off; `:Emend on` turns it on." end
  if vim.bo[buffer].buftype ~= "" then return "this buffer is not a file." end
  if vim.api.nvim_buf_get_name(buffer) == "" then return "this buffer has no file; `:write FILE` gives it one." end
  if vim.b[buffer].emend_disabled then return "`b:emend_disabled` turns Emend off in this buffer." end
  local filetypes, filetype = options.current.filetypes, vim.bo[buffer].filetype
  local is_wanted = filetypes[filetype]
  if is_wanted == nil then is_wanted = filetypes["*"] ~= false end
  if not is_wanted then return ("the option `filetypes` turns Emend off for %s."):format(filetype == "" and "this buffer" or filetype) end
end

---@param buffer integer
---@return boolean
local function is_wanted(buffer)
  return vim.api.nvim_buf_is_loaded(buffer) and M.off_reason(buffer) == nil
end

---@param code integer
---@param signal integer
---@param id integer
local function exited(code, signal, id)
  local is_expected = stopping[id] or M.is_leaving or (code == 0 and signal == 0)
  stopping[id] = nil
  if is_expected then return end
  vim.schedule(function()
    starting, waiting = {}, {}
    failures = failures + 1
    M.exit_text = "the server exited " .. (signal ~= 0 and ("by signal %d"):format(signal) or ("with code %d"):format(code))
    M.tell_briefly(M.exit_text .. "; `:Emend restart` starts it.")
    vim.cmd.redrawstatus()
  end)
end

--- Called when a server is attached to a buffer, which may be some seconds after its start.
---@param server vim.lsp.Client
---@param buffer integer
local function attached_to(server, buffer)
  starting[buffer] = nil
  M.exit_text = nil
  for _, attached in ipairs(M.on_attach) do attached(buffer) end
  local ready = vim.tbl_filter(function(command) return command.buffer == buffer end, waiting)
  waiting = vim.tbl_filter(function(command) return command.buffer ~= buffer end, waiting)
  for _, command in ipairs(ready) do command.run(server) end
  vim.cmd.redrawstatus()
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
  handlers["workspace/applyEdit"] = function(problem, params, context)
    return undo.record(params.edit, function() return vim.lsp.handlers["workspace/applyEdit"](problem, params, context) end)
  end
  -- Neovim adds a message of several lines to a failure, which interrupts typing, so it is given another exit code.
  local code, signal = 0, 0
  local function run(dispatchers)
    local on_exit = dispatchers.on_exit
    dispatchers.on_exit = function(...)
      code, signal = ...
      on_exit(0, 0)
    end
    return vim.lsp.rpc.start(command, dispatchers, { env = keys, cwd = root })
  end
  local id = vim.lsp.start({
    name = "emend",
    cmd = run,
    root_dir = root,
    settings = M.settings,
    init_options = vim.tbl_extend("force", M.settings, {
      emendStatus = true,
      trustAdvice = "If you trust it, run `:Emend trust`.",
    }),
    handlers = handlers,
    -- Neovim sends the delayed changes of the current buffer before a request, but not those of the others, whose texts a
    -- next edit is about too.
    flags = { debounce_text_changes = 0 },
    on_exit = function(_, _, id) exited(code, signal, id) end,
    on_attach = vim.schedule_wrap(attached_to),
  }, {
    bufnr = buffer,
    reuse_client = function(server, config)
      return server.name == config.name and server.config.root_dir == config.root_dir and not stopping[server.id]
    end,
  })
  starting[buffer] = id ~= nil and M.of(buffer) == nil or nil
end

---@param buffer integer
---@return string? problem why there is no server to start
local function start(buffer)
  local command, problem = server.command(options.current.cmd)
  if not command then return problem end
  starting[buffer] = true
  api_keys.with_keys(function(keys) attach_with(command, keys, buffer) end)
end

--- Attaches a buffer to the server of its workspace, and starts that server if necessary. Does nothing where Emend is
--- off, or where the server has failed repeatedly.
---@param buffer integer
function M.attach(buffer)
  if not is_wanted(buffer) or M.of(buffer) or failures >= max_failures then return end
  local problem = start(buffer)
  if problem then M.tell(problem, vim.log.levels.ERROR, "missing") end
end

--- Attaches the buffers of all windows.
function M.attach_all()
  for _, window in ipairs(vim.api.nvim_list_wins()) do M.attach(vim.api.nvim_win_get_buf(window)) end
end

--- Whether the server of a buffer is starting.
---@param buffer integer
---@return boolean
function M.is_starting(buffer)
  return starting[buffer] == true
end

--- The running servers, of one buffer or of all.
---@param buffer? integer
---@return vim.lsp.Client[]
function M.all(buffer)
  return vim.tbl_filter(function(server) return not stopping[server.id] end, vim.lsp.get_clients({ name = "emend", bufnr = buffer }))
end

--- The client of a buffer; nil if the server is not attached to it.
---@param buffer integer
---@return vim.lsp.Client?
function M.of(buffer)
  return M.all(buffer)[1]
end

--- The client of a buffer, otherwise any running client.
---@param buffer integer
---@return vim.lsp.Client?
function M.any(buffer)
  return M.of(buffer) or M.all()[1]
end

--- Runs a command with the server of a buffer: now, or once the server has started, which this does if necessary. Where
--- Emend does not work in the buffer, the user is shown the reason.
---@param buffer integer
---@param run fun(server: vim.lsp.Client)
---@param is_any? boolean whether the server of another buffer will do
function M.with(buffer, run, is_any)
  local server_now = is_any and M.any(buffer) or M.of(buffer)
  if server_now then return run(server_now) end
  local reason = M.off_reason(buffer)
  if reason then return M.tell(reason, vim.log.levels.WARN) end
  failures = 0
  local problem = start(buffer)
  if problem then return M.tell(problem, vim.log.levels.WARN) end
  waiting[#waiting + 1] = { buffer = buffer, run = run }
  M.tell("the server is starting; the command runs then.")
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
  for _, client in ipairs(M.all()) do
    stopping[client.id] = true
    call(client, "stop")
  end
  starting, waiting = {}, {}
end

--- Starts the servers of the visible buffers, also those that failed.
function M.start_all()
  failures = 0
  M.attach_all()
end

--- The document of a buffer, with the version that was sent to the server.
---@param buffer integer
---@return { uri: string, version: integer? }
function M.document(buffer)
  return { uri = vim.uri_from_bufnr(buffer), version = vim.lsp.util.buf_versions[buffer] }
end

--- Notifies all servers of changed settings.
function M.settings_changed()
  for _, client in ipairs(M.all()) do
    client.settings = M.settings
    M.notify(client, "workspace/didChangeConfiguration", { settings = M.settings })
  end
end

return M
