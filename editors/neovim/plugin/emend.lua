-- Declares `:Emend`, unless this Neovim is too old. Nothing else happens before `require("emend").setup()`.
if vim.g.loaded_emend then return end
vim.g.loaded_emend = true

if vim.fn.has("nvim-0.10") == 0 then
  local version = vim.version()
  -- An error would be shown with a stack trace.
  vim.notify(
    ("Emend: Neovim 0.10 or newer is needed; this is %d.%d.%d."):format(version.major, version.minor, version.patch),
    vim.log.levels.WARN
  )
  return
end

require("emend.commands").setup()
