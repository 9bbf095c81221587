--- Plans as lines to read.
local M = {}

--- How a plan stands, as `emend/plan/view` tells it.
---@param view table PlanViewParams of docs/lsp.md
---@return string[] lines
---@return table<integer, table> steps by the line that they are on, from 1
function M.of(view)
  local plan = view.view
  local lines, steps = {}, {}
  local function add(text)
    for _, line in ipairs(vim.split(text, "\n", { plain = true })) do lines[#lines + 1] = line end
  end
  add(("Plan %s%s"):format(plan.plan, plan.instruction and ": " .. plan.instruction or ""))
  add(plan.progress .. (view.isRunning and "  runs: " .. (view.activity or "") or ""))
  if plan["end"] then add(plan["end"]) end
  if view.problem then add("Problem: " .. view.problem) end
  if view.doubt then add("Look before you apply it: " .. view.doubt) end
  for _, note in ipairs(view.notes) do add(note) end
  add("")
  for _, step in ipairs(plan.steps) do
    steps[#lines + 1] = step
    add(("%3d  %-9s %s"):format(step.id, step.standing, step.block) .. (step.author and "  by " .. step.author or ""))
    for _, reason in ipairs(step.reasons) do
      steps[#lines + 1] = step
      add("       " .. reason:gsub("\n", " "))
    end
  end
  for index, verdict in ipairs(plan.verdicts) do
    if index == 1 then add("") end
    add(("Round %d, %s: %s"):format(verdict.round, verdict.oracle, verdict.said))
    for _, finding in ipairs(verdict.findings) do add("  " .. finding:gsub("\n", " ")) end
  end
  add("")
  add("c continue  s stop  d diff  a apply  x take the step back  m step done  t copy the step for a chat  p paste what it said")
  return lines, steps
end

--- The plans that there are, a line each.
---@param plans table[] of PlanListResult of docs/lsp.md
---@return string[]
function M.list(plans)
  if #plans == 0 then return { "There is no plan yet. `:Emend plan start INSTRUCTION` begins one." } end
  return vim.tbl_map(function(plan)
    local text = ("%s  %s%s"):format(plan.plan, plan.progress, plan.isRunning and ", runs" or "")
    return (plan.instruction and text .. "  " .. plan.instruction or text):gsub("\n", " ")
  end, plans)
end

return M
