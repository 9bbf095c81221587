--- How a suggestion fits the text at the cursor. Pure functions of texts; columns are bytes.
---
---     foo(ba|)            the line; the cursor stands at |
---     foo(                head: what stands before the suggestion
---         bar, baz)       text: what it wants to stand there
---         ba              typed: what of it stands there already
---           )             covered: what stands behind the cursor and is replaced
---           r, baz        ghost: what is seen
local M = {}

---@class emend.Item
---@field head string What stands before it on its line.
---@field text string What it wants to stand there.
---@field tail string What stands behind it on the last line that it replaces a part of.
---@field row integer Its line, from 0.
---@field rows integer How many more lines it replaces a part of.
---@field taken integer UTF-16 units of the server's item that were accepted before.
---@field command lsp.Command? What the server wants to be told once it is accepted.

---@class emend.Fit
---@field typed string
---@field ghost string What is still to come.
---@field covered string
---@field tail string
---@field pieces? emend.Piece[] What is seen, and between which bytes of what is covered; nil where it cannot be seen as an insertion.

---@class emend.Piece
---@field at integer How many bytes of what is covered stand before it.
---@field text string

--- Where each byte of `covered` stands in `ghost`, as far behind as it can; nil where it does not.
---@param ghost string
---@param covered string
---@return integer[]?
local function align(ghost, covered)
  -- Closers are plain characters; others might be torn.
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

--- How an item fits the texts before and behind the cursor, `behind` with as many lines as the item has `rows`; nil
--- where something else was typed.
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

--- Whether there is anything to be seen of it.
---@param fit emend.Fit
---@return boolean
function M.is_seen(fit)
  return fit.ghost ~= fit.covered
end

--- How many bytes of what is covered go when so many bytes of the ghost are accepted.
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

--- The beginning of a text that is accepted as one word: white space, and a run of letters or of signs.
---@param text string
---@return string
function M.first_word(text)
  local word = vim.fn.matchstr(text, [[^\_s*\%(\k\+\|\%(\k\@!\S\)\+\)]])
  return word ~= "" and word or text
end

--- The beginning of a text that is accepted as one line.
---@param text string
---@return string
function M.first_line(text)
  return text:match("^\n?[^\n]*")
end

return M
