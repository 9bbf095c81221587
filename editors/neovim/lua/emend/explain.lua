--- Prints the trace of the last request, the result of `emend/explanation`, as lines.
local M = {}

---@param text string
local function one_line(text)
  return (text:gsub("%s*\n%s*", " ⏎ "))
end

--- The result of `emend/explanation` as lines.
---@param explanation table Explanation of docs/lsp.md
---@return string[]
function M.lines(explanation)
  local subject = explanation.of == "next-edit" and "Next edit" or "Ghost text"
  local place = ("%s:%d:%d"):format(
    vim.fn.fnamemodify(vim.uri_to_fname(explanation.uri), ":~:."),
    explanation.position.line + 1,
    explanation.position.character + 1
  )
  local lines = { ("%s at %s"):format(subject, place), one_line(explanation.result) }
  local function section(title, rows)
    if #rows == 0 then return end
    vim.list_extend(lines, { "", title })
    for _, row in ipairs(rows) do lines[#lines + 1] = "  " .. one_line(row) end
  end

  local known = {}
  if explanation.model then known[#known + 1] = "Written by " .. explanation.model end
  if explanation.likelihood then known[#known + 1] = ("Likelihood %d %%"):format(explanation.likelihood * 100) end
  vim.list_extend(known, explanation.changes)
  section("Suggestion", known)

  section(("Steps, %d ms in total"):format(explanation.totalMs), vim.tbl_map(function(step)
    return ("%6.1f ms  +%.1f ms  %s  %s"):format(step.startMs, step.tookMs, step.name, step.detail)
  end, explanation.steps))

  local room = explanation.tokens
  local pieces = vim.tbl_map(function(piece)
    local status = piece.status .. (piece.why and ", " .. piece.why or "")
    return ("%5d  %s  (%s; %s)"):format(piece.tokens, piece.title, piece.origin, status)
  end, explanation.pieces)
  if room and #pieces > 0 then vim.list_extend(pieces, room.limits) end
  section(room and "Prompt, " .. room.size or "Prompt", pieces)

  section("Filtered out", vim.tbl_map(function(refusal)
    return ("%s: %s%s"):format(refusal.what, refusal.why, refusal.by and " (" .. refusal.by .. ")" or "")
  end, explanation.refusals))
  return lines
end

local other = { ["ghost-text"] = "next-edit", ["next-edit"] = "ghost-text" }

--- Shows the trace in a window.
---@param subject? "ghost-text"|"next-edit" default: what the user saw or requested last
function M.show(subject)
  local client = require("emend.client")
  local buffer = vim.api.nvim_get_current_buf()
  client.with(buffer, function(server)
    client.ask(server, buffer, "emend/explanation", { of = subject or client.last_subject }, function(problem, explanation)
      if problem then return client.tell(problem.message, vim.log.levels.ERROR) end
      if not explanation then return client.tell("there was no request yet.") end
      local lines = M.lines(explanation)
      vim.list_extend(lines, { "", ("`:Emend why %s` shows the other trace."):format(other[explanation.of]) })
      require("emend.report_window").show("why", lines)
    end)
  end)
end

return M
