import { compareText, type TextEdit, type TextRange } from "../../../text/index.ts";
import { commaList } from "../../graph/comma-list.ts";

/**
 * Edits of imported or re-exported names, in the order of the text, that keep a sorted list sorted:
 * where the names of a list were sorted and would not be after the edits, its specifiers are sorted
 * again. A list in another order, with comments or of many lines keeps its order. Edits outside of
 * such lists are unchanged.
 *
 * Every rename of an import uses this, so that a plan and a next edit write the same list.
 */
export function keepImportsSorted(text: string, edits: readonly TextEdit[]): readonly TextEdit[] {
  const left: TextEdit[] = [];
  const sorted = new Map<number, readonly TextEdit[]>();
  for (const edit of edits) {
    const list = listAround(text, edit);
    if (list === undefined) left.push(edit);
    else if (!sorted.has(list.start)) {
      const own = edits.filter(({ start, end }) => list.start <= start && end <= list.end);
      sorted.set(list.start, sortedEdits(text, list, own) ?? own);
    }
  }
  return [...left, ...[...sorted.values()].flat()].sort((a, b) => a.start - b.start || a.end - b.end);
}

/** The range between the braces of the list around a range that is imported or re-exported. */
function listAround(text: string, { start, end }: TextRange): TextRange | undefined {
  const from = Math.max(0, start - maxDistance);
  const open = text.slice(from, start).lastIndexOf("{");
  const close = text.slice(end, end + maxDistance).indexOf("}");
  if (open < 0 || close < 0) return undefined;
  const list = { start: from + open + 1, end: end + close };
  const head = text.slice(Math.max(0, list.start - 1 - maxHead), list.start - 1).trimEnd();
  const isNamed = /(?:^|[\s;])(?:import|export)(?: type)?(?: [\p{ID_Continue}$]+ ?,)?$/u.test(
    head.replace(/\s+/g, " "),
  );
  const inner = text.slice(list.start, list.end);
  return isNamed && !/[{}();]/.test(inner) && /^\s*from\b/.test(text.slice(list.end + 1, list.end + 1 + maxHead))
    ? list
    : undefined;
}

/** How far from a name its braces are searched, in UTF-16 units. */
const maxDistance = 2_000;
/** The same for the words of the statement around the braces. */
const maxHead = 200;

/** The edits that sort a list again; `undefined` where it keeps its order. */
function sortedEdits(text: string, list: TextRange, edits: readonly TextEdit[]): readonly TextEdit[] | undefined {
  const between = text.slice(list.start, list.end);
  if (/\/[/*]/.test(between) || between.split("\n", maxLines + 1).length > maxLines) return undefined;
  const specifiers = commaList(text, list, {}).map((range) => {
    const own = edits.filter(({ start, end }) => range.start <= start && end <= range.end);
    let after = text.slice(range.start, range.end);
    for (const { start, end, text: to } of own.toReversed())
      after = after.slice(0, start - range.start) + to + after.slice(end - range.start);
    return { range, own, before: text.slice(range.start, range.end), after };
  });
  // Any other edit, such as the removal of a specifier, keeps the order.
  if (specifiers.flatMap(({ own }) => own).length !== edits.length) return undefined;
  const order = orders.find((compare) =>
    isSorted(
      specifiers.map(({ before }) => importedName(before)),
      compare,
    ),
  );
  const names = specifiers.map(({ after }) => importedName(after));
  if (order === undefined || new Set(names).size < names.length || isSorted(names, order)) return undefined;
  const sorted = specifiers.map(({ after }) => after).sort((a, b) => order(importedName(a), importedName(b)));
  return specifiers.flatMap(({ range: { start, end }, before }, index) =>
    before === sorted[index] ? [] : [{ start, end, text: sorted[index]! }],
  );
}

/** The most lines of a list that is sorted again, since an edit of more is hard to review. */
const maxLines = 20;

/** The imported name of a specifier: `a` of `type a as b`. */
function importedName(specifier: string): string {
  return specifier.replace(/^type\s+(?!as\s+[^\s]+$)(?=\S)/, "").split(/\s/, 1)[0]!;
}

function isSorted(names: readonly string[], compare: (a: string, b: string) => number): boolean {
  return names.every((one, index) => index === 0 || compare(names[index - 1]!, one) <= 0);
}

/** Common orders of specifiers: case-insensitive, or by character code. */
const orders: readonly ((a: string, b: string) => number)[] = [
  (a, b) => compareText(a.toLowerCase(), b.toLowerCase()),
  compareText,
];
