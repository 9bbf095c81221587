--- Aligns a suggestion with the text at the cursor. Pure functions of texts; columns are bytes.
---
---     foo(ba|)            the line, with the cursor at |
---     foo(                head: the text before the suggestion
---         bar, baz)       text: the suggested text
---         ba              typed: the part of it that is typed already
---           )             covered: the text after the cursor that is replaced
---           r, baz        ghost: the visible ghost text
local M = {}

---@class emend.Item
---@field head string The text before the suggestion on its first line.
---@field text string The suggested text.
---@field tail string The text after the suggestion on the last line of its range.
---@field row integer The first line, from 0.
---@field rows integer The number of further lines in its range.
---@field taken integer UTF-16 units of the server's item that were accepted before.
---@field command lsp.Command? The command to run after accepting.

---@class emend.Fit
---@field typed string
---@field ghost string The rest of the suggested text.
---@field covered string
---@field tail string
---@field pieces? emend.Piece[] The visible pieces between the bytes of `covered`; nil if it is not a pure insertion.

---@class emend.Piece
---@field at integer The number of bytes of `covered` before the piece.
---@field text string

--- The position of each byte of `covered` in `ghost`, as late as possible; nil if one is missing.
---@param ghost string
---@param covered string
---@return integer[]?
local function align(ghost, covered)
  -- Closing brackets are ASCII; other characters could be split.
  if covered:find("[\128-\255]") then return nil end
  local places, place = {}, #ghost
  for at = #covered, 1, -1 do
    while place > 0 and ghost:byte(place) ~= covered:byte(at) do place = place - 1 end
    if place == 0 then return nil end
    places[at] = place
    place = place - 1
  end
  return places
end

---@param ghost string
---@param places integer[]
---@return emend.Piece[]
local function pieces_between(ghost, places)
  local pieces, from = {}, 1
  for at = 1, #places + 1 do
    local to = places[at] or #ghost + 1
    if to > from then pieces[#pieces + 1] = { at = at - 1, text = ghost:sub(from, to - 1) } end
    from = to + 1
  end
  return pieces
end

--- Aligns an item with the texts before and after the cursor, `behind` with as many lines as the item has `rows`; nil
--- if the typed text differs.
---@param item emend.Item
---@param before string
---@param behind string
---@return emend.Fit?
function M.try(item, before, behind)
  local head, text, tail = item.head, item.text, item.tail
  if before:sub(1, #head) ~= head or behind:sub(#behind - #tail + 1) ~= tail then return nil end
  local typed = before:sub(#head + 1)
  if #tail > #behind or text:sub(1, #typed) ~= typed then return nil end
  local ghost = text:sub(#typed + 1)
  local covered = behind:sub(1, #behind - #tail)
  local places = align(ghost, covered)
  return {
    typed = typed,
    ghost = ghost,
    covered = covered,
    tail = tail,
    pieces = places and pieces_between(ghost, places),
  }
end

--- Whether any ghost text is visible.
---@param fit emend.Fit
---@return boolean
function M.is_seen(fit)
  return fit.ghost ~= fit.covered
end

--- The number of bytes of `covered` that are removed when `bytes` bytes of the ghost text are accepted.
---@param fit emend.Fit
---@param bytes integer
---@return integer
function M.replaced_by(fit, bytes)
  if bytes >= #fit.ghost then return #fit.covered end
  local replaced = 0
  for _, place in ipairs(align(fit.ghost, fit.covered) or {}) do
    if place <= bytes then replaced = replaced + 1 end
  end
  return replaced
end

--- The prefix of a text that is accepted as one word: white space, then a run of letters or of punctuation.
---@param text string
---@return string
function M.first_word(text)
  local word = vim.fn.matchstr(text, [[^\_s*\%(\k\+\|\%(\k\@!\S\)\+\)]])
  return word ~= "" and word or text
end

--- The prefix of a text that is accepted as one line.
---@param text string
---@return string
function M.first_line(text)
  return text:match("^\n?[^\n]*")
end

return M
