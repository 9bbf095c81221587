import { type Block, blocksOf, type Syntax } from "../../syntax/index.ts";
import { Edit, Lines, minimalEdit, type TextEdit } from "../../text/index.ts";
import type { WorkspaceTexts } from "../engine/workspace-texts.ts";
import type { CodeFormatter } from "./code-formatter.ts";
import { type CodeStyle, codeStyleOf } from "./code-style.ts";
import { type LayoutUnit, unitAround } from "./layout-unit.ts";
import { mayNeedLayout } from "./may-need-layout.ts";

/** The dependencies of {@link LineLayout}. */
export interface LayoutParts {
  readonly syntax: Syntax;
  readonly formatter: CodeFormatter;
  /** The open files, whose lines show the width where the edited file does not. */
  readonly files: Pick<WorkspaceTexts, "open" | "textOf" | "languageOf">;
}

/** A file whose edits are formatted. */
export interface LaidOutFile {
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
  readonly #files = new Map<string, FileLayout>();

  constructor(parts: LayoutParts) {
    this.#parts = parts;
  }

  /**
   * Returns the edit of a file with its lines formatted; the same edit where nothing needs
   * formatting.
   */
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
      const inner = edit.edits.filter((one) => start <= one.start && one.end <= end);
      if (!mayNeedLayout(lines, inner) || ++count > maxUnits) continue;
      const plain = Edit.of(shifted(inner, -start));
      const ending = text.startsWith("\r\n", end) ? "\r\n" : "\n";
      const made = await this.#laidOutUnit(text.slice(start, end), plain, { unit, language, style, ending });
      if (made === plain) continue;
      isChanged = true;
      for (const one of inner) laid.delete(one);
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

/** The style of a text, and its blocks, which are parsed on first use. */
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

function shifted(edits: readonly TextEdit[], by: number): readonly TextEdit[] {
  return edits.map(({ start, end, text }) => ({ start: start + by, end: end + by, text }));
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
