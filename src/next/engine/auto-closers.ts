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
 * Returns the closers at the end of a typed text that an editor may have inserted automatically:
 * `)` of `(a)`, `])` of `f([])`. `undefined` where there are none.
 *
 * Editors insert closing brackets and quotes behind what the user types. The text does not show
 * whether the user typed them.
 */
export function stripAutoClosers(typed: string): string | undefined {
  for (let at = 1; at < typed.length; at++) {
    const closers = typed.slice(at);
    if (owedBy(typed.slice(0, at)).startsWith(closers)) return closers;
  }
  return undefined;
}

/** The closers of all brackets and quotes that a text leaves open, the innermost first. */
function owedBy(text: string): string {
  const owed: string[] = [];
  for (const unit of text) {
    if (unit === owed.at(-1)) owed.pop();
    else if (pairs.has(unit)) owed.push(pairs.get(unit)!);
  }
  return owed.reverse().join("");
}
