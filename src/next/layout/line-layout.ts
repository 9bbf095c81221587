import { LRUCache } from "lru-cache";
import { type Block, blocksOf, enclosingBlocks, indentLength, type Syntax } from "../../syntax/index.ts";
import { Edit, Lines, minimalEdit, type TextEdit } from "../../text/index.ts";
import type { WorkspaceTexts } from "../engine/text-index.ts";
import type { CodeFormatter } from "./code-formatter.ts";
import { type CodeStyle, codeStyleOf, columnsOf, leastWidth } from "./code-style.ts";

/** The dependencies of {@link LineLayout}. */
interface LayoutParts {
  readonly syntax: Syntax;
  readonly formatter: CodeFormatter;
  /** The style that the project configures for a file; what it does not set is detected. */
  readonly configuredStyle?: ConfiguredStyle | undefined;
  /** The open files, whose lines show the width where the edited file does not. */
  readonly files: Pick<WorkspaceTexts, "open" | "textOf" | "languageOf">;
}

/** Reads the style that a project configures for a file; the path is relative to the root. */
export type ConfiguredStyle = (path: string) => Promise<Partial<CodeStyle>>;

/** A file whose edits are formatted. */
interface LaidOutFile {
  readonly path: string;
  /** The language id. */
  readonly language: string;
  readonly text: string;
}

/** The most units of an edit that are formatted. */
const maxUnits = 24;
/** The most neighbouring files that are read to detect the line width. */
const maxBeside = 8;
/** The most files whose style is cached. */
const maxFiles = 16;

/**
 * Formats the lines that edits insert as the file's formatter would, where they become too long or
 * fit on fewer lines.
 *
 * Law: a statement is formatted only if the formatter leaves it unchanged without the edit. Code in
 * another format, or in none, stays as it is except for the edit.
 */
export class LineLayout {
  readonly #parts: LayoutParts;
  /** The style of the most recent files, by path. */
  readonly #files = new LRUCache<string, FileLayout>({ max: maxFiles });

  constructor(parts: LayoutParts) {
    this.#parts = parts;
  }

  /**
   * Returns the edit of a file with its lines formatted; the same edit where nothing needs
   * formatting or the language has no formatter. Rejects with `EmendError` with code
   * "out-of-bounds" where the edit lies outside of the text.
   */
  async laidOut(file: LaidOutFile, edit: Edit): Promise<Edit> {
    const { language, text } = file;
    if (!this.#parts.formatter.knows(language)) return edit;
    const lines = Lines.of(text);
    if (!mayNeedLayout(lines, edit.edits)) return edit;
    const layout = this.#layoutOf(file);
    const style = await layout.style();
    if (style.width === Number.POSITIVE_INFINITY) return edit;
    const laid = new Set<TextEdit>(edit.edits);
    let count = 0;
    let isChanged = false;
    for (const unit of unitsOf(edit, lines, await layout.blocks())) {
      const [start, end] = [lines.start(unit.first), lines.end(unit.end - 1)];
      const inner = edit.edits.filter((one) => start <= one.start && one.end <= end);
      if (!mayNeedLayout(lines, inner) || ++count > maxUnits) continue;
      const plain = Edit.of(inner).movedBy(-start);
      const ending = text.startsWith("\r\n", end) ? "\r\n" : "\n";
      const made = await this.#laidOutUnit(text.slice(start, end), plain, { unit, language, style, ending });
      if (made === plain) continue;
      isChanged = true;
      for (const one of inner) laid.delete(one);
      for (const one of made.movedBy(start).edits) laid.add(one);
    }
    return isChanged ? (Edit.tryOf(laid) ?? edit) : edit;
  }

  async #laidOutUnit(old: string, edit: Edit, order: PrintOrder & { readonly ending: string }): Promise<Edit> {
    const [before, after] = [old, edit.apply(old)].map((one) => one.replaceAll(order.ending, "\n")) as [string, string];
    for (const style of stylesLike(order.style)) {
      if ((await this.#printed(before, { ...order, style })) !== before) continue;
      const printed = await this.#printed(after, { ...order, style });
      if (printed === undefined || printed === after) return edit;
      return minimalEdit(old, printed.replaceAll("\n", order.ending));
    }
    return edit;
  }

  /** The unit as the formatter prints it at its depth; `undefined` where it cannot be parsed. */
  async #printed(code: string, { unit: { within }, language, style }: PrintOrder): Promise<string | undefined> {
    const indent = /^[ \t]*/.exec(code)![0];
    const depth = style.indent === "tab" ? indent.length : indent.length / style.indent;
    const holders = within === "block" ? [] : [`${within} A {`];
    if (!Number.isInteger(depth) || depth < holders.length) return undefined;
    const heads = [...Array<string>(depth - holders.length).fill("{"), ...holders];
    const whole = [...heads, code, ...heads.map(() => "}")].join("\n");
    const printed = (await this.#parts.formatter.format(whole, language, style))?.trimEnd().split("\n");
    if (printed === undefined || heads.some((head, i) => printed[i]?.trim() !== head)) return undefined;
    const inner = printed.slice(depth, printed.length - depth).join("\n");
    // The separator after a member depends on the other members.
    const ending = /[,;]?$/;
    return within === "block" ? inner : inner.replace(ending, "") + ending.exec(code)![0];
  }

  #layoutOf({ path, language, text }: LaidOutFile): FileLayout {
    const known = this.#files.get(path);
    if (known?.text === text) return known;
    const layout = new FileLayout({ path, language, text }, this.#parts);
    this.#files.set(path, layout);
    return layout;
  }
}

interface PrintOrder {
  readonly unit: LayoutUnit;
  readonly language: string;
  readonly style: CodeStyle;
}

/** The style of a text, and its blocks, which are parsed on first use. */
class FileLayout {
  readonly text: string;
  readonly #file: LaidOutFile;
  readonly #parts: LayoutParts;
  #style: Promise<CodeStyle> | undefined;
  #blocks: Promise<readonly Block[]> | undefined;

  constructor(file: LaidOutFile, parts: LayoutParts) {
    this.text = file.text;
    this.#file = file;
    this.#parts = parts;
  }

  style(): Promise<CodeStyle> {
    this.#style ??= this.#readStyle();
    return this.#style;
  }

  blocks(): Promise<readonly Block[]> {
    this.#blocks ??= this.#readBlocks();
    return this.#blocks;
  }

  async #readStyle(): Promise<CodeStyle> {
    const { formatter, files, configuredStyle } = this.#parts;
    const { path, text } = this.#file;
    const configured = await configuredStyle?.(path);
    const detected = codeStyleOf(text, function* () {
      const others = files.open.filter((open) => open !== path && formatter.knows(files.languageOf(open)));
      for (const open of others.slice(0, maxBeside)) yield files.textOf(open) ?? "";
    });
    return { ...detected, ...configured };
  }

  async #readBlocks(): Promise<readonly Block[]> {
    const { language, text } = this.#file;
    const tree = await this.#parts.syntax.parse({ language, text });
    try {
      return tree === undefined ? [] : blocksOf(tree);
    } finally {
      tree?.[Symbol.dispose]();
    }
  }
}

/** The units that an edit changes, in the order of the text. Text in no unit is not formatted. */
function unitsOf(edit: Edit, lines: Lines, blocks: readonly Block[]): readonly LayoutUnit[] {
  const units: LayoutUnit[] = [];
  for (const { start, end } of edit.edits) {
    const endsLine = end > start && end === lines.start(lines.lineAt(end));
    const unit = unitAround(blocks, lines, lines.lineAt(start), lines.lineAt(end - Number(endsLine)) + 1);
    if (unit === undefined) continue;
    // Of nested units the outer one is formatted.
    while (units.length > 0 && units.at(-1)!.end > unit.first && units.at(-1)!.first >= unit.first) units.pop();
    if (units.length === 0 || units.at(-1)!.end <= unit.first) units.push(unit);
  }
  return units;
}

/** The style, and similar ones that few lines distinguish from it. */
function stylesLike(style: CodeStyle): readonly CodeStyle[] {
  const commas = (["all", "es5", "none"] as const).filter((one) => one !== style.trailingCommas);
  return [
    style,
    { ...style, arrowParentheses: !style.arrowParentheses },
    ...commas.map((trailingCommas) => ({ ...style, trailingCommas })),
  ];
}

/** A range of whole lines that a formatter can format alone. */
interface LayoutUnit {
  /** The line indexes `[first, end)`, from 0. */
  readonly first: number;
  readonly end: number;
  /** The construct that must enclose it so that it parses. */
  readonly within: "block" | "class" | "interface" | "enum";
}

/** The most lines of a unit. */
const maxLines = 80;

/**
 * Returns the smallest unit that contains the lines `[first, end)`, or `undefined` where there is
 * none or it is too long.
 */
function unitAround(blocks: readonly Block[], lines: Lines, first: number, end: number): LayoutUnit | undefined {
  const [start, stop] = [firstCode(lines, first, end), lines.end(end - 1)];
  const around = enclosingBlocks(blocks, start);
  for (let i = around.length - 1; i >= 0; i--) {
    const { range, kind, what } = around[i]!;
    if (range.start > start || range.end < lastCode(lines, stop)) continue;
    const unit = { first: lines.lineAt(range.start), end: lines.lineAt(range.end) + 1 };
    if (unit.end - unit.first > maxLines) return undefined;
    if (!fillsItsLines(lines, unit, range)) continue;
    const within = kind === "member" ? memberOf(around[i - 1]?.what) : what === "case" ? undefined : "block";
    if (within !== undefined) return { ...unit, within };
  }
  return undefined;
}

/**
 * The construct that encloses a member; `undefined` where the member cannot be parsed alone in it.
 */
function memberOf(what: Block["what"] | undefined): LayoutUnit["within"] | undefined {
  if (what === "class" || what === "enum") return what;
  return what === "interface" || what === "type" ? "interface" : undefined;
}

/** The offset of the first character of lines that is not white space. */
function firstCode(lines: Lines, first: number, end: number): number {
  for (let line = first; line < end; line++) {
    const at = lines.text(line).search(/\S/);
    if (at >= 0) return lines.start(line) + at;
  }
  return lines.start(first);
}

/** The offset where the last code of a line ends, without a final semicolon or comma. */
function lastCode(lines: Lines, stop: number): number {
  const line = lines.lineAt(stop);
  return lines.start(line) + lines.text(line).replace(/(?<![\s;,])[\s;,]+$/, "").length;
}

/** Whether the lines of a range contain nothing else. */
function fillsItsLines(lines: Lines, { first, end }: Omit<LayoutUnit, "within">, range: Block["range"]): boolean {
  const front = lines.text(first).slice(0, range.start - lines.start(first));
  const back = lines.text(end - 1).slice(range.end - lines.start(end - 1));
  return front.trim() === "" && /^[;,\s]*$/.test(back);
}

/**
 * Whether replacements may change how lines are broken: where a line becomes longer than 80
 * columns, where line breaks are inserted, or where a line of a broken statement becomes shorter. A
 * cheap test, made for each edit. Throws `EmendError` with code "out-of-bounds" where a replacement
 * lies outside of the text.
 */
export function mayNeedLayout(lines: Lines, edits: readonly TextEdit[]): boolean {
  const grown = new Map<number, number>();
  for (const { start, end, text } of edits) {
    if (text.includes("\n")) return true;
    const [first, last] = [lines.lineAt(start), lines.lineAt(end)];
    if (last > first && isBroken(lines, first, last)) return true;
    grown.set(first, (grown.get(first) ?? 0) + text.length - (end - start));
  }
  return [...grown].some(([line, by]) =>
    by < 0 ? isBroken(lines, line, line) : columnsOf(lines.text(line)) + by > leastWidth,
  );
}

/** The most lines above that are read. */
const maxAbove = 40;

/**
 * Whether the lines `[first, last]` belong to a statement that was broken because it was too long.
 */
function isBroken(lines: Lines, first: number, last: number): boolean {
  if (/^\s*(?:[.?:|&)\]>+]|=>)/.test(lines.text(first)) || continuesBelow.test(lines.text(last))) return true;
  const depth = indentLength(lines.text(first));
  for (let line = first - 1; line >= 0 && line > first - maxAbove; line--) {
    const above = lines.text(line);
    if (above.trim() !== "" && indentLength(above) < depth)
      return continuesBelow.test(above) || opensModule.test(above);
  }
  return false;
}

/**
 * The end of a line whose statement continues. Braces do not count: statements and properties have
 * lines of their own in them.
 */
const continuesBelow = /(?:[([<=?:|&+]|=>)\s*$/;
const opensModule = /^\s*(?:import|export)\s+(?:type\s+)?\{\s*$/;
