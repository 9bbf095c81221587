--- Edits by an instruction: the command `emend.edit` of the server, whose change arrives as an edit of the buffers.
local client = require("emend.client")

local M = {}

local cancel = function() end

--- The lines from one to another, both counted from 1, as a range of the protocol.
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
    client.tell(text ~= "" and text or ("%s has edited it; `u` takes it back."):format(answer.model))
  else
    client.tell(answer.failureReason or text, vim.log.levels.WARN)
  end
end

--- Has the buffer edited as an instruction says.
---@param instruction string
---@param lines? { first: integer, last: integer } what it is about, counted from 1
function M.run(instruction, lines)
  local buffer = vim.api.nvim_get_current_buf()
  local server = client.of(buffer)
  if not server then return client.tell("the server is not attached to this buffer; `:checkhealth emend` says why.", vim.log.levels.WARN) end
  cancel()
  local argument = { instruction = instruction, uris = { vim.uri_from_bufnr(buffer) }, preview = "neovim" }
  if lines then argument.range = range_of(buffer, lines.first, lines.last, server.offset_encoding) end
  local asked = { command = "emend.edit", arguments = { argument } }
  cancel = client.ask(server, buffer, "workspace/executeCommand", asked, function(problem, answer)
    vim.api.nvim_echo({}, false, {})
    if problem then return client.tell(problem.message, vim.log.levels.ERROR) end
    tell_answer(answer)
  end)
end

--- Asks for an instruction, and has the buffer edited as it says.
---@param lines? { first: integer, last: integer }
function M.prompt(lines)
  vim.ui.input({ prompt = "Edit: " }, function(instruction)
    if instruction and instruction ~= "" then M.run(instruction, lines) end
  end)
end

--- Stops the edit that is on its way.
function M.stop()
  cancel()
end

--- Who is asked at the moment, in the message line.
---@param preview table EditPreviewParams of docs/lsp.md
client.handlers["emend/edit/preview"] = function(preview)
  local text = ("Emend: %s %s"):format(preview.model, preview.activity):gsub("%s+", " ")
  vim.api.nvim_echo({ { text:sub(1, math.max(1, vim.v.echospace)) } }, false, {})
end

return M
