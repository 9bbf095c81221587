--- Prints plans as lines.
local M = {}

--- The statuses of steps in words.
M.status_words = {
  changed = "your change",
  pending = "to do",
  requested = "waiting for the model",
  done = "done",
  unchanged = "unchanged",
  obligation = "left to you",
  rejected = "rejected",
  dropped = "no longer needed",
}

--- The state of a plan, from `emend/plan/view`, as lines.
---@param view table PlanViewParams of docs/lsp.md
---@return string[] lines
---@return table<integer, table> steps by line, from 1
function M.of(view)
  local plan = view.view
  local lines, steps = {}, {}
  local function add(text)
    for _, line in ipairs(vim.split(text, "\n", { plain = true })) do lines[#lines + 1] = line end
  end
  add("Keys: d diff  a apply  c continue  s stop  q close; of the step at the cursor:")
  add("x reject  m mark as done  t copy it for a chat  p paste the chat's answer")
  add("")
  add(("Plan %s%s"):format(plan.plan, plan.instruction and ": " .. plan.instruction or ""))
  add(plan.progress .. (view.isRunning and "  running: " .. (view.activity or "") or ""))
  if plan["end"] then add(plan["end"]) end
  if view.problem then add("Problem: " .. view.problem) end
  if view.doubt then add("Review before applying: " .. view.doubt) end
  for _, note in ipairs(view.notes) do add(note) end
  add("")
  for _, step in ipairs(plan.steps) do
    steps[#lines + 1] = step
    local status = M.status_words[step.status] or step.status
    add(("%3d  %-14s %s"):format(step.id, status, step.block) .. (step.author and "  by " .. step.author or ""))
    for _, reason in ipairs(step.reasons) do
      steps[#lines + 1] = step
      add("       " .. reason:gsub("\n", " "))
    end
  end
  for index, verdict in ipairs(plan.verdicts) do
    if index == 1 then add("") end
    add(("Round %d, %s: %s"):format(verdict.round, verdict.verifier, verdict.summary))
    for _, finding in ipairs(verdict.findings) do add("  " .. finding:gsub("\n", " ")) end
  end
  return lines, steps
end

--- The list of plans, one per line.
---@param plans table[] of PlanListResult of docs/lsp.md
---@return string[]
function M.list(plans)
  if #plans == 0 then return { "There is no plan yet. `:Emend plan start [INSTRUCTION]` starts one." } end
  return vim.tbl_map(function(plan)
    local text = ("%s  %s%s"):format(plan.plan, plan.progress, plan.isRunning and ", running" or "")
    return (plan.instruction and text .. "  " .. plan.instruction or text):gsub("\n", " ")
  end, plans)
end

return M
