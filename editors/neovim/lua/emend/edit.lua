--- Edits by an instruction, with the server's command `emend.edit`. The change arrives as an edit of the buffers.
local client = require("emend.client")

local M = {}

local cancel = function() end
local is_editing = false

--- The lines `first` to `last`, counted from 1, as a range of the protocol.
---@param buffer integer
---@param first integer
---@param last integer
---@param encoding string
---@return lsp.Range
local function range_of(buffer, first, last, encoding)
  local line = vim.api.nvim_buf_get_lines(buffer, last - 1, last, false)[1] or ""
  return vim.lsp.util.make_given_range_params({ first, 0 }, { last, math.max(0, #line - 1) }, buffer, encoding).range
end

---@param answer table EditAnswer of docs/lsp.md
local function tell_answer(answer)
  local notes = table.concat(answer.notes or {}, "\n")
  local text = vim.trim((answer.explanation or "") .. "\n" .. notes)
  if answer.isApplied then
    client.tell(text ~= "" and text or ("edited by %s; `u` undoes the edit."):format(answer.model))
  else
    client.tell(answer.failureReason or text, vim.log.levels.WARN)
  end
end

--- Whether an edit is in progress, which the user is then shown.
---@return boolean
local function is_busy()
  if is_editing then client.tell("another edit is in progress; `:Emend stop` stops it.", vim.log.levels.WARN) end
  return is_editing
end

--- Edits the current buffer by an instruction. Does nothing while another edit is in progress.
---@param instruction string
---@param lines? { first: integer, last: integer } the lines to edit, counted from 1
function M.run(instruction, lines)
  local buffer = vim.api.nvim_get_current_buf()
  client.with(buffer, function(server)
    if is_busy() then return end
    local argument = { instruction = instruction, uris = { vim.uri_from_bufnr(buffer) }, preview = "neovim" }
    if lines then argument.range = range_of(buffer, lines.first, lines.last, server.offset_encoding) end
    local params = { command = "emend.edit", arguments = { argument } }
    local cancel_request = client.ask(server, buffer, "workspace/executeCommand", params, function(problem, answer)
      cancel, is_editing = function() end, false
      vim.api.nvim_echo({}, false, {})
      if problem then return client.tell(problem.message, vim.log.levels.ERROR) end
      tell_answer(answer)
    end)
    is_editing = true
    cancel = function()
      cancel_request()
      is_editing = false
    end
  end)
end

--- Prompts for an instruction, and edits the buffer by it.
---@param lines? { first: integer, last: integer }
function M.prompt(lines)
  if is_busy() then return end
  vim.ui.input({ prompt = "Edit: " }, function(instruction)
    if instruction and instruction ~= "" then M.run(instruction, lines) end
  end)
end

--- Stops the edit in progress.
function M.stop()
  if not is_editing then return client.tell("no edit is in progress.") end
  cancel()
  vim.api.nvim_echo({}, false, {})
  client.tell("the edit is stopped.")
end

--- Takes the last edit back that was saved, such as before a restart, and reads its files from the disk again.
function M.undo_saved()
  local buffer = vim.api.nvim_get_current_buf()
  local nothing = "there is no change to undo."
  if not client.any(buffer) and client.off_reason(buffer) then return client.tell(nothing) end
  client.with(buffer, function(server)
    local params = client.off_reason(buffer) and {} or { uri = vim.uri_from_bufnr(buffer) }
    client.ask(server, buffer, "emend/edit/undo", params, function(problem, answer)
      if problem then return client.tell(problem.message, vim.log.levels.WARN) end
      if not answer.edit then return client.tell(nothing) end
      if not answer.isUndone then return client.tell(answer.failureReason, vim.log.levels.WARN) end
      vim.cmd("checktime")
      local title = vim.split(vim.trim(answer.edit.instruction), "\n")[1]
      local text = "undone and saved in %s: %s. `emend undo --id %d` in a terminal restores it."
      client.tell(text:format(table.concat(answer.edit.paths, ", "), title, answer.undoneBy))
    end)
  end, true)
end

--- Shows the requested model and its activity in the message line.
---@param preview table EditPreviewParams of docs/lsp.md
client.handlers["emend/edit/preview"] = function(preview)
  local text = ("Emend: %s %s"):format(preview.model, preview.activity):gsub("%s+", " ")
  vim.api.nvim_echo({ { text:sub(1, math.max(1, vim.v.echospace)) } }, false, {})
end

return M
