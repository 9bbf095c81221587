const pairs: ReadonlyMap<string, string> = new Map([
  ["(", ")"],
  ["[", "]"],
  ["{", "}"],
  ["<", ">"],
  ['"', '"'],
  ["'", "'"],
  ["`", "`"],
]);

/**
 * The closers at the end of a typed text that an editor may have put there by itself, `)` of `(a)` or `])` of `f([])`; `undefined` when there are none.
 *
 * Editors that close what a person opens leave the closers behind what is typed. Whether a person typed them cannot be told from the text.
 */
export function stripAutoClosers(typed: string): string | undefined {
  for (let at = 1; at < typed.length; at++) {
    const closers = typed.slice(at);
    if (owedBy(typed.slice(0, at)).startsWith(closers)) return closers;
  }
  return undefined;
}

/** The closers that a text still owes, the next one first. */
function owedBy(text: string): string {
  const owed: string[] = [];
  for (const unit of text) {
    if (unit === owed.at(-1)) owed.pop();
    else if (pairs.has(unit)) owed.push(pairs.get(unit)!);
  }
  return owed.reverse().join("");
}
