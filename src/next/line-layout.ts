import { Edit, type Lines, type TextEdit } from "../text/index.ts";
import { type CodeTokens, codeTokens, isWord } from "./example/code-tokens.ts";

/** How the lines of a text are laid out. */
export interface LineHabits {
  /** The width that lines keep to, in UTF-16 units, a tab counted as one indentation; infinite where they keep to none. */
  readonly width: number;
  /** One step of indentation. */
  readonly indent: string;
  /** Whether a comma stands behind the last of things that are on lines of their own, by the bracket that closes them. */
  readonly trailingComma: Readonly<Record<string, boolean>>;
}

/** Widths that formatters are set to. */
export const widths = [80, 100, 120] as const;
/** Which part of the lines may be longer than a width that a text keeps to. */
export const maxOver = 0.02;
/** The part of a width that one line at least has to reach, or nobody knows that it is one. */
const nearShare = 0.85;
/** How wide a tab is, as formatters count. */
const tabWidth = 2;

/** Where lines are as long as they are. */
export const freeHabits: LineHabits = { width: Number.POSITIVE_INFINITY, indent: "  ", trailingComma: {} };

/** How a text is laid out, by what most of its lines do. */
export function lineHabitsOf(text: string): LineHabits {
  const over = widths.map(() => 0);
  const near = widths.map(() => 0);
  const commas = new Map<string, number>();
  const steps = new Map<string, number>();
  let lines = 0;
  let [lastIndent, lastEnd] = ["", ""];
  for (const line of text.split("\n")) {
    lines++;
    const said = line.trim();
    if (said === "") continue;
    const length = widthOf(line);
    for (const [i, width] of widths.entries()) {
      if (length > width) over[i]!++;
      else if (length > width * nearShare) near[i]!++;
    }
    const indent = indentOf(line);
    const isDeeper = indent.length > lastIndent.length && indent.startsWith(lastIndent);
    if (isDeeper && /[([{]$/.test(lastEnd)) count(steps, indent.slice(lastIndent.length), 1);
    const isOfList = /^[)\]}]/.test(said) && lastIndent.length > indent.length && !/[;{([:]$/.test(lastEnd);
    if (isOfList) count(commas, said[0]!, lastEnd === "," ? 1 : -1);
    [lastIndent, lastEnd] = [indent, said.slice(-1)];
  }
  const width = widths.find((_, i) => over[i]! <= lines * maxOver && near[i]! > 0) ?? Number.POSITIVE_INFINITY;
  const indent = [...steps].sort(([, one], [, other]) => other - one)[0]?.[0] ?? "  ";
  const trailingComma = Object.fromEntries([")", "]", "}"].map((closer) => [closer, (commas.get(closer) ?? 1) > 0]));
  return { width, indent, trailingComma };
}

function count(counts: Map<string, number>, key: string, by: number): void {
  counts.set(key, (counts.get(key) ?? 0) + by);
}

function indentOf(line: string): string {
  return line.slice(0, line.length - line.trimStart().length);
}

function widthOf(line: string): number {
  let width = line.endsWith("\r") ? line.length - 1 : line.length;
  for (const character of line) if (character === "\t") width += tabWidth - 1;
  return width;
}

/** What an edit makes of lines' lengths. */
export type LineFit = "fits" | "laid-out" | "too-long";

/** An edit whose lines fit, and whether they had to be laid out for that. */
export interface LaidOut {
  readonly edit: Edit;
  readonly fit: LineFit;
}

/**
 * An edit with its lines as formatters lay them out: where one grows beyond the width, what its brackets hold comes on lines of its own; and where what is on
 * lines of its own fits on one again, it goes there. An edit of more than one stretch of lines is left as it is, and so is what is nested in ways that formatters treat by rules of their own.
 */
export function laidOut(text: string, lines: Lines, edit: Edit, habitsOf: () => LineHabits): LaidOut {
  const [first, last] = [edit.edits[0], edit.edits.at(-1)];
  const asIs = (fit: LineFit) => ({ edit, fit });
  if (first === undefined || last === undefined) return asIs("fits");
  const endsLine = last.end > first.start && last.end === lines.start(lines.lineAt(last.end));
  const [from, to] = [lines.lineAt(first.start), lines.lineAt(last.end - Number(endsLine))];
  if (to - from > maxLines) return asIs("fits");
  const [start, end] = [lines.start(from), lines.end(to)];
  const old = text.slice(start, Math.max(end, last.end));
  const fresh = applied(old, edit.edits, start);
  if (longest(fresh) > widths[0]) {
    const habits = habitsOf();
    if (longest(fresh) > habits.width) {
      if (longest(old) > habits.width) return asIs("fits");
      const broken = from === to && !fresh.includes("\n") ? tryBreak(fresh, habits) : undefined;
      if (broken === undefined) return asIs("too-long");
      const ending = text.startsWith("\r\n", end) ? "\r\n" : "\n";
      return { edit: Edit.replace({ start, end }, broken.join(ending)), fit: "laid-out" };
    }
  }
  // What is no shorter fits on one line no better than before.
  const joined = fresh.length >= old.length ? undefined : tryJoin(text, lines, { from, to }, edit, habitsOf);
  return joined === undefined ? asIs("fits") : { edit: joined, fit: "laid-out" };
}

function longest(text: string): number {
  return text.split("\n").reduce((most, line) => Math.max(most, widthOf(line)), 0);
}

/** The most lines that an edit is laid out on. */
const maxLines = 40;

function applied(old: string, edits: readonly TextEdit[], offset: number): string {
  let [fresh, at] = ["", 0];
  for (const { start, end, text } of edits) {
    fresh += old.slice(at, start - offset) + text;
    at = end - offset;
  }
  return fresh + old.slice(at);
}

/** A line with what its brackets hold on lines of its own, all of them short enough; `undefined` where formatters might break it elsewhere. */
function tryBreak(line: string, { width, indent, trailingComma }: LineHabits): readonly string[] | undefined {
  const tokens = codeTokens(line);
  if (/^\s*(?:\/[/*]|\*)|\/\/|\/\*|=>.*[^{]$/.test(line)) return undefined;
  const group = groupToBreak(tokens);
  if (group === undefined) return undefined;
  const [open, close] = [tokens.list[group.open]!, tokens.list[group.close]!];
  const own = indentOf(line);
  const items = itemsOf(tokens, group);
  const hasRest = items.at(-1)!.startsWith("...") && line.slice(open.end, close.start).includes(":");
  const comma = trailingComma[close.text] === true && !hasRest ? "," : "";
  const broken = [
    line.slice(0, open.end),
    ...items.map((item, i) => `${own}${indent}${item}${i < items.length - 1 ? "," : comma}`),
    own + line.slice(close.start),
  ];
  return broken.every((one) => widthOf(one) <= width) ? broken : undefined;
}

/** A bracket and its partner, as indexes of tokens. */
interface Group {
  readonly open: number;
  readonly close: number;
}

/** The brackets of a line that formatters break first, where that is plain: the only ones that hold something, or those of parameters. */
function groupToBreak(tokens: CodeTokens): Group | undefined {
  const { list, partners, openers } = tokens;
  const groups: Group[] = [];
  for (const [open, { text }] of list.entries()) {
    if (openers[open] !== -1 || !/^[([{]$/.test(text)) continue;
    const close = partners[open]!;
    if (close > open + 1) groups.push({ open, close });
  }
  const isParameters = /^(?:[{;:]|=>)?$/.test(list[(groups[0]?.close ?? 0) + 1]?.text ?? "");
  const [first] = groups;
  if (first === undefined || (groups.length > 1 && !isParameters)) return undefined;
  // The last argument is broken itself where it is an object or an array, and none of the others is.
  const last = list[first.close - 1]!.text;
  const inner = partners[first.close - 1]!;
  if (list[first.open]!.text !== "(" || !/^[\]}]$/.test(last)) return first;
  const isAlone = inner === first.open + 1 || list[inner - 1]?.text === ",";
  const others = list.slice(first.open + 1, inner).some(({ text }) => /^[[{]$/.test(text));
  if (!isAlone || others || inner + 1 === first.close - 1) return undefined;
  return { open: inner, close: first.close - 1 };
}

/** What a bracket holds, between its commas. */
function itemsOf({ source, list, openers }: CodeTokens, { open, close }: Group): readonly string[] {
  const items: string[] = [];
  let from = list[open]!.end;
  let angles = 0;
  for (let at = open + 1; at < close; at++) {
    if (openers[at] !== open) continue;
    const { text, start, end } = list[at]!;
    // A sign of less does not follow a word without a blank in laid out code.
    if (text === "<" && isWord(list[at - 1]!.text) && list[at - 1]!.end === start) angles++;
    else if (text === ">" && angles > 0) angles--;
    if (text !== "," || angles > 0) continue;
    items.push(source.slice(from, start).trim());
    from = end;
  }
  const rest = source.slice(from, list[close]!.start).trim();
  return rest === "" ? items : [...items, rest];
}

/** An edit with the brackets around it on one line, where they were not because it was too long, and it fits now. */
function tryJoin(
  text: string,
  lines: Lines,
  { from, to }: { readonly from: number; readonly to: number },
  edit: Edit,
  habitsOf: () => LineHabits,
): Edit | undefined {
  const indentAt = (line: number) => indentOf(lines.text(line)).length;
  const isInside = (line: number, depth: number) => lines.text(line).trim() !== "" && indentAt(line) >= depth;
  const depth = Math.min(
    ...range(from, to + 1).map((line) => (lines.text(line).trim() === "" ? Number.POSITIVE_INFINITY : indentAt(line))),
  );
  if (depth === 0 || depth === Number.POSITIVE_INFINITY) return undefined;
  let top = from;
  while (top > 0 && from - top < maxLines && isInside(top - 1, depth)) top--;
  let bottom = to;
  while (bottom + 1 < lines.count && bottom - to < maxLines && isInside(bottom + 1, depth)) bottom++;
  if (top === 0 || bottom + 1 >= lines.count) return undefined;
  const [head, tail] = [lines.text(top - 1), lines.text(bottom + 1)];
  const opener = head.trimEnd().at(-1)!;
  const closer = tail.trimStart().at(0)!;
  if (closers.get(opener) !== closer || indentAt(top - 1) !== indentAt(bottom + 1)) return undefined;
  // An object stays on lines of its own as long as it began so.
  if (opener === "{" && !/^\s*(?:import|export)\s+(?:type\s+)?\{$/.test(head)) return undefined;
  const [start, end] = [lines.start(top - 1), lines.end(bottom + 1)];
  if (edit.edits.some((one) => one.start <= lines.end(top - 1) - 1 || one.end > lines.start(bottom + 1)))
    return undefined;
  const old = text.slice(start, end);
  const before = joinedLines(old, opener);
  const after = joinedLines(applied(old, edit.edits, start), opener);
  if (before === undefined || after === undefined || widthOf(before) <= widths[0]) return undefined;
  const { width } = habitsOf();
  return widthOf(before) <= width || widthOf(after) > width ? undefined : Edit.replace({ start, end }, after);
}

const closers = new Map([
  ["(", ")"],
  ["[", "]"],
  ["{", "}"],
]);

function range(from: number, to: number): readonly number[] {
  return Array.from({ length: to - from }, (_, i) => from + i);
}

/** Lines of a bracket as one line; `undefined` where something in them has lines of its own, or ends them with a comment. */
function joinedLines(text: string, opener: string): string | undefined {
  const [head, ...rest] = text.split("\n");
  const tail = rest.pop()!;
  const items = rest.map((line) => line.trim()).filter((line) => line !== "");
  const isPlain = rest.every((line) => line.trim() === "" || indentOf(line) === indentOf(rest[0]!));
  if (!isPlain || items.length === 0 || items.some((item) => /\/\/|\/\*|[([{]$/.test(item))) return undefined;
  const inside = items.join(" ").replace(/,$/, "");
  const blank = opener === "{" ? " " : "";
  return `${head!.trimEnd()}${blank}${inside}${blank}${tail.trimStart()}`;
}
