--- The API keys of the option `api_key_cmd`, for the environment of the server.
local options = require("emend.options")

local M = {}

local patience_ms = 10000

--- The keys by environment variable; nil until all commands have ended.
---@type table<string, string>?
local keys

--- What waits for the keys; nil before the commands are run.
---@type (fun(keys: table<string, string>))[]?
local waiting

---@param variable string
---@param result vim.SystemCompleted
local function tell_failure(variable, result)
  local reason = result.code == 0 and "it printed nothing" or vim.trim(vim.split(result.stderr or "", "\n")[1])
  local text = ("the command of `api_key_cmd` for %s failed with code %d: %s"):format(variable, result.code, reason)
  require("emend.client").tell(text, vim.log.levels.WARN)
end

--- Calls back with the keys. The commands run once, at the first call, without a shell; the first line that one prints
--- is the key. A failure is reported, and its key is left out.
---@param on_keys fun(keys: table<string, string>)
function M.with_keys(on_keys)
  local commands = options.current.api_key_cmd
  if keys or vim.tbl_isempty(commands) then return on_keys(keys or {}) end
  if waiting then return table.insert(waiting, on_keys) end
  waiting = { on_keys }
  local found, left = {}, vim.tbl_count(commands)
  local function take(variable, result)
    local key = vim.trim(vim.split(result.stdout or "", "\n")[1])
    if result.code == 0 and key ~= "" then found[variable] = key else tell_failure(variable, result) end
    left = left - 1
    if left > 0 then return end
    keys = found
    for _, run in ipairs(waiting) do run(keys) end
  end
  for variable, command in pairs(commands) do
    local is_started, problem = pcall(vim.system, command, { text = true, timeout = patience_ms }, vim.schedule_wrap(function(result)
      take(variable, result)
    end))
    if not is_started then take(variable, { code = 127, signal = 0, stderr = tostring(problem) }) end
  end
end

return M
