--- Turns Emend on and off, for all languages or one.
local client = require("emend.client")

local M = {}

local engines = { "complete", "next" }

--- Whether a language is off in this session or in the options.
---@param language string
---@return boolean
function M.is_off(language)
  return vim.tbl_get(client.settings.emend, "complete", "languages", language) == false
end

--- The languages that are off in this session or in the options, sorted.
---@return string[]
function M.off()
  local switches = vim.tbl_get(client.settings.emend, "complete", "languages") or {}
  local off = vim.tbl_filter(function(language) return switches[language] == false end, vim.tbl_keys(switches))
  table.sort(off)
  return off
end

--- Turns a language on or off for this session. The server is notified, so that it can report the reason.
---@param language string
---@param is_on boolean
function M.set(language, is_on)
  for _, engine in ipairs(engines) do
    local settings = client.settings.emend[engine] or {}
    settings.languages = vim.tbl_extend("force", settings.languages or {}, { [language] = is_on })
    client.settings.emend[engine] = settings
  end
  client.settings_changed()
end

--- Turns Emend on, or turns it off and stops its servers.
---@param is_on boolean
function M.set_all(is_on)
  client.is_on = is_on
  if is_on then
    return client.start_all()
  end
  require("emend.ghost").hide()
  require("emend.next_edit").hide()
  client.stop()
end

return M
