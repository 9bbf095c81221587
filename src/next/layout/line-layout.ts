import { type Block, blocksOf, type Syntax } from "../../syntax/index.ts";
import { Edit, Lines, minimalEdit, type TextEdit } from "../../text/index.ts";
import type { WorkspaceTexts } from "../workspace-texts.ts";
import type { CodeFormatter } from "./code-formatter.ts";
import { type CodeStyle, codeStyleOf } from "./code-style.ts";
import { type LayoutUnit, unitAround } from "./layout-unit.ts";
import { mayNeedLayout } from "./may-need-layout.ts";

/** What {@link LineLayout} works with. */
export interface LayoutParts {
  readonly syntax: Syntax;
  readonly formatter: CodeFormatter;
  /** The files that are open beside one. */
  readonly files: Pick<WorkspaceTexts, "open" | "textOf" | "languageOf">;
}

/** A file whose edits are laid out. */
export interface LaidOutFile {
  readonly path: string;
  /** The id of its language. */
  readonly language: string;
  readonly text: string;
}

/** The most statements of an edit that are laid out. */
const maxUnits = 24;
/** The most files that are asked how long lines are. */
const maxBeside = 8;
/** The most files of which it is kept how they are laid out. */
const maxFiles = 16;

/**
 * Lays out what edits put in as the file's formatter would: where lines become too long, or fit on fewer.
 *
 * Law: a statement is laid out only if the formatter leaves it as it is without the edit. Code that is laid out otherwise, or by nobody, stays as it is but for
 * the edit.
 */
export class LineLayout {
  readonly #parts: LayoutParts;
  /** What is known of the files looked at last. */
  readonly #files = new Map<string, FileLayout>();

  constructor(parts: LayoutParts) {
    this.#parts = parts;
  }

  /** The edit of a file, laid out. */
  async laidOut(file: LaidOutFile, edit: Edit): Promise<Edit> {
    const { language, text } = file;
    if (!this.#parts.formatter.knows(language)) return edit;
    const lines = Lines.of(text);
    if (!mayNeedLayout(lines, edit.edits)) return edit;
    const layout = this.#layoutOf(file);
    const { style } = layout;
    if (style.width === Number.POSITIVE_INFINITY) return edit;
    const laid = new Set<TextEdit>(edit.edits);
    let count = 0;
    let isChanged = false;
    for (const unit of unitsOf(edit, lines, await layout.blocks())) {
      const [start, end] = [lines.start(unit.first), lines.end(unit.end - 1)];
      const own = edit.edits.filter((one) => start <= one.start && one.end <= end);
      if (!mayNeedLayout(lines, own) || ++count > maxUnits) continue;
      const plain = Edit.of(shifted(own, -start));
      const ending = text.startsWith("\r\n", end) ? "\r\n" : "\n";
      const made = await this.#laidOutUnit(text.slice(start, end), plain, { unit, language, style, ending });
      if (made === plain) continue;
      isChanged = true;
      for (const one of own) laid.delete(one);
      for (const one of shifted(made.edits, start)) laid.add(one);
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

  /** A unit as the formatter prints it where it stands; `undefined` where it cannot be read. */
  async #printed(code: string, { unit: { within }, language, style }: PrintOrder): Promise<string | undefined> {
    const indent = /^[ \t]*/.exec(code)![0];
    const depth = style.indent === "tab" ? indent.length : indent.length / style.indent;
    const holders = within === "block" ? [] : [`${within} A {`];
    if (!Number.isInteger(depth) || depth < holders.length) return undefined;
    const heads = [...Array<string>(depth - holders.length).fill("{"), ...holders];
    const whole = [...heads, code, ...heads.map(() => "}")].join("\n");
    const printed = (await this.#parts.formatter.format(whole, language, style))?.trimEnd().split("\n");
    if (printed === undefined || heads.some((head, i) => printed[i]?.trim() !== head)) return undefined;
    const own = printed.slice(depth, printed.length - depth).join("\n");
    // What ends a member is up to those behind it.
    const ending = /[,;]?$/;
    return within === "block" ? own : own.replace(ending, "") + ending.exec(code)![0];
  }

  #layoutOf({ path, language, text }: LaidOutFile): FileLayout {
    const known = this.#files.get(path);
    const layout = known?.text === text ? known : new FileLayout({ path, language, text }, this.#parts);
    this.#files.delete(path);
    this.#files.set(path, layout);
    for (const oldest of [...this.#files.keys()].slice(0, -maxFiles)) this.#files.delete(oldest);
    return layout;
  }
}

interface PrintOrder {
  readonly unit: LayoutUnit;
  readonly language: string;
  readonly style: CodeStyle;
}

/** How a text is laid out, and its blocks, found when they are asked for. */
class FileLayout {
  readonly text: string;
  readonly style: CodeStyle;
  readonly #language: string;
  readonly #syntax: Syntax;
  #blocks: Promise<readonly Block[]> | undefined;

  constructor({ path, language, text }: LaidOutFile, { syntax, formatter, files }: LayoutParts) {
    this.text = text;
    this.style = codeStyleOf(text, function* () {
      const others = files.open.filter((open) => open !== path && formatter.knows(files.languageOf(open)));
      for (const open of others.slice(0, maxBeside)) yield files.textOf(open) ?? "";
    });
    this.#language = language;
    this.#syntax = syntax;
  }

  blocks(): Promise<readonly Block[]> {
    this.#blocks ??= this.#read();
    return this.#blocks;
  }

  async #read(): Promise<readonly Block[]> {
    const tree = await this.#syntax.parse({ language: this.#language, text: this.text });
    try {
      return tree === undefined ? [] : blocksOf(tree);
    } finally {
      tree?.[Symbol.dispose]();
    }
  }
}

/** The units that an edit changes, in the order of the text. What is in none stays as it is. */
function unitsOf(edit: Edit, lines: Lines, blocks: readonly Block[]): readonly LayoutUnit[] {
  const units: LayoutUnit[] = [];
  for (const { start, end } of edit.edits) {
    const endsLine = end > start && end === lines.start(lines.lineAt(end));
    const unit = unitAround(blocks, lines, lines.lineAt(start), lines.lineAt(end - Number(endsLine)) + 1);
    if (unit === undefined) continue;
    // Of units that lie in each other the outer one is laid out.
    while (units.length > 0 && units.at(-1)!.end > unit.first && units.at(-1)!.first >= unit.first) units.pop();
    if (units.length === 0 || units.at(-1)!.end <= unit.first) units.push(unit);
  }
  return units;
}

function shifted(edits: readonly TextEdit[], by: number): readonly TextEdit[] {
  return edits.map(({ start, end, text }) => ({ start: start + by, end: end + by, text }));
}

/** A style, and those that few lines tell it from. */
function stylesLike(style: CodeStyle): readonly CodeStyle[] {
  const commas = (["all", "es5", "none"] as const).filter((one) => one !== style.trailingCommas);
  return [
    style,
    { ...style, arrowParentheses: !style.arrowParentheses },
    ...commas.map((trailingCommas) => ({ ...style, trailingCommas })),
  ];
}
