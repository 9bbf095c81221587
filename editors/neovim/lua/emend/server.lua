--- Where the server is, and how it is started.
local M = {}

--- The package that this plugin lies in, if it does: in a folder of plugins there may be but a link to it.
local this_file = debug.getinfo(1, "S").source:sub(2)
local package_folder = vim.fn.fnamemodify(vim.uv.fs_realpath(this_file) or this_file, ":p:h:h:h:h:h")

local advice = table.concat({
  "Install it by `npm install -g .` in a clone of Emend, or say where it is:",
  'require("emend").setup({ cmd = { "npx", "emend", "lsp", "--stdio" } })',
  "`:checkhealth emend` tells more.",
}, "\n")

--- The command line of the server: the one told, `emend` of PATH, or the package around this plugin. What a workspace
--- brings along is never run by itself.
---@param told? string[]
---@return string[]? command nil where there is none
---@return string? problem why, and what to do
function M.command(told)
  if told then
    if vim.fn.executable(told[1]) == 1 then return told end
    return nil, ("%s, the server of `cmd`, cannot be run. %s"):format(told[1], advice)
  end
  local installed = vim.fn.exepath("emend")
  if installed ~= "" then return { installed, "lsp", "--stdio" } end
  local built = package_folder .. "/dist/cli/main.js"
  if vim.fn.filereadable(built) == 0 then return nil, "The server is not installed. " .. advice end
  if vim.fn.executable("node") == 0 then return nil, "Node.js is not in PATH, which the server runs on." end
  return { "node", built, "lsp", "--stdio" }
end

return M
