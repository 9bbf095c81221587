--- The command line of the server.
local M = {}

--- The npm package that contains this plugin, if any; the folder of plugins may contain a link to it.
local this_file = debug.getinfo(1, "S").source:sub(2)
local package_folder = vim.fn.fnamemodify(vim.uv.fs_realpath(this_file) or this_file, ":p:h:h:h:h:h")

local advice = table.concat({
  "Install it by `npm install && npm run build && npm install -g .` in a clone of Emend, or set its command:",
  'require("emend").setup({ cmd = { "node", "CLONE/dist/cli/main.js", "lsp", "--stdio" } })',
  "Run `:checkhealth emend` for details.",
}, "\n")

--- The command line of the server: the configured one, `emend` in PATH, or that of the package of this plugin. A server
--- from the workspace is never started automatically, because its code is not trusted.
---@param configured? string[]
---@return string[]? command nil if no server is found
---@return string? problem the reason, and what to do
function M.command(configured)
  if configured then
    if vim.fn.executable(configured[1]) == 1 then return configured end
    return nil, ("%s, the server of `cmd`, cannot be run. %s"):format(configured[1], advice)
  end
  local installed = vim.fn.exepath("emend")
  if installed ~= "" then return { installed, "lsp", "--stdio" } end
  local built = package_folder .. "/dist/cli/main.js"
  if vim.fn.filereadable(built) == 0 then return nil, "The server is not installed. " .. advice end
  if vim.fn.executable("node") == 0 then return nil, "Node.js, which the server requires, is not in PATH." end
  return { "node", built, "lsp", "--stdio" }
end

--- A command line of the program of the server, such as `emend setup`.
---@param configured? string[]
---@param arguments string[]
---@return string[]? command nil if no program is found
---@return string? problem the reason, and what to do
function M.program(configured, arguments)
  local command, problem = M.command(configured)
  if not command then return nil, problem end
  local words = {}
  for _, word in ipairs(command) do
    if word == "lsp" then return vim.list_extend(words, arguments) end
    words[#words + 1] = word
  end
  return nil, "The option `cmd` has no argument `lsp`, so that the program of the server is not known."
end

return M
