/** One step of indentation. */
export type IndentUnit = { readonly kind: "tab" } | { readonly kind: "spaces"; readonly size: number };

/**
 * The leading spaces and tabs of the line at `offset`, also those behind it; `""` where there are
 * none. UTF-16 offset; a line ends with `\n`, `\r\n` or `\r`.
 */
export function indentationAt(text: string, offset: number): string {
  let start = offset;
  while (start > 0 && text[start - 1] !== "\n" && text[start - 1] !== "\r") start--;
  let end = start;
  while (text[end] === " " || text[end] === "\t") end++;
  return text.slice(start, end);
}

/** The number of white-space characters at the start of a line, in UTF-16 units. */
export function indentLength(line: string): number {
  return line.length - line.trimStart().length;
}

/**
 * The number of columns of an indentation, with tab stops every `tabSize` columns. Any character
 * but a tab is one column.
 */
export function indentationWidth(indentation: string, tabSize: number): number {
  let width = 0;
  for (const character of indentation) width += character === "\t" ? tabSize - (width % tabSize) : 1;
  return width;
}

/** The text of one step of indentation. */
export function indentText(unit: IndentUnit): string {
  return unit.kind === "tab" ? "\t" : " ".repeat(unit.size);
}

/**
 * The step of indentation of a text; `undefined` where no line is indented by a step.
 *
 * Tabs if more lines begin with a tab than with two spaces; otherwise the most common step of two
 * or more spaces inwards from one line to the next, the smaller one of two. Empty lines and the
 * ` *` of comments do not count. Source: the idea of VS Code's indentation guesser.
 */
export function detectIndentUnit(text: string): IndentUnit | undefined {
  let tabs = 0;
  let spaced = 0;
  let before = 0;
  const steps = new Map<number, number>();
  for (const line of text.matchAll(/^([ \t]*)[^\s*]/gm)) {
    const indentation = line[1]!;
    if (indentation.startsWith("\t")) {
      tabs++;
      continue;
    }
    if (indentation.length > 1) spaced++;
    const step = indentation.length - before;
    if (step > 1) steps.set(step, (steps.get(step) ?? 0) + 1);
    before = indentation.length;
  }
  if (tabs > spaced) return { kind: "tab" };
  // Where two steps are equally common, the smaller one wins: the larger is more often an
  // alignment.
  const [size] = [...steps].sort(([a, m], [b, n]) => n - m || a - b)[0] ?? [];
  return size === undefined ? undefined : { kind: "spaces", size };
}
