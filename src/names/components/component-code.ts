import type { TextRange } from "../../text/index.ts";
import { NameTable, type NameUse, type TemplateForm } from "../name-table.ts";

/**
 * The script of a component file with its template as code.
 *
 * The text begins with the scripts of the file at their own offsets, blank in place of everything
 * else. The code of the template follows; its pieces map it to the file.
 */
export interface ComponentCode {
  readonly text: string;
  readonly kind: "ts" | "tsx";
  /** The length of the file, in UTF-16 units. */
  readonly length: number;
  /** The pieces of the template's code, in its order and without gaps. */
  readonly pieces: readonly CodePiece[];
}

/** A part of the code of a template. */
export interface CodePiece {
  /** Its offset in the code. */
  readonly at: number;
  /**
   * - `copy`: the text of the file.
   * - `name`: a name that the file writes in another way, or in the short form of an attribute.
   * - `code`: code that stands for a place in the file.
   */
  readonly kind: "copy" | "name" | "code";
  /** The range in the file. */
  readonly start: number;
  readonly end: number;
  readonly shared?: TemplateForm;
}

/** The script of a component file. */
export interface ComponentScript extends TextRange {
  readonly kind: ComponentCode["kind"];
}

/** What builds the code of a template, and its options. */
export interface ComponentCodeOptions {
  /**
   * Whether code can be parsed. What can't be is left out, with the elements whose names it may
   * declare. Default: all of it can.
   */
  canParse?(code: string): boolean;
}

/** A name that is written in a template as it is not in a script. */
interface WrittenName extends TextRange {
  readonly name: string;
  readonly shared?: TemplateForm;
}

/** The most levels of elements that are read; deeper ones are left out. */
export const maxDepth = 250;

/** Builds the code of a template, piece by piece. */
export class ComponentCodeBuilder {
  readonly #file: string;
  readonly #kind: ComponentCode["kind"];
  readonly #canParse: (code: string) => boolean;
  readonly #parts: string[];
  readonly #pieces: CodePiece[] = [];
  #length: number;

  constructor(file: string, scripts: readonly ComponentScript[], { canParse = () => true }: ComponentCodeOptions) {
    this.#file = file;
    this.#kind = scripts.some(({ kind }) => kind === "tsx") ? "tsx" : "ts";
    this.#canParse = canParse;
    this.#parts = [blankBut(file, scripts)];
    this.#length = file.length;
    // Otherwise `(` could continue the last statement of a script without semicolons.
    this.#code("\n;", file.length);
  }

  toCode(): ComponentCode {
    return { text: this.#parts.join(""), kind: this.#kind, length: this.#file.length, pieces: this.#pieces };
  }

  /** Adds a use of a name as a statement. */
  name(name: WrittenName): void {
    this.#code("(", name.start);
    this.#add(name.name, "name", name);
    this.#code(");", name.end);
  }

  /** Adds an expression as a statement; nothing where it is blank or cannot be parsed. */
  expression(range: TextRange): void {
    const source = this.#sourceOf(range);
    if (source === undefined || !this.#canParse(`(${source}\n)`)) return;
    this.#code("(", range.start);
    this.#add(source, "copy", range);
    // The line break ends a comment at the end of the expression.
    this.#code("\n);", range.end);
  }

  /** Adds statements; nothing where they are blank or cannot be parsed. */
  statements(range: TextRange): void {
    const source = this.#sourceOf(range);
    if (source === undefined || !this.#canParse(`async () => {${source}\n}`)) return;
    this.#add(source, "copy", range);
    this.#code("\n;", range.end);
  }

  /** Adds a block with what `body` adds, as the scope of a range. */
  block(range: TextRange, body: () => void): void {
    this.#code("{", range.start);
    body();
    this.#code("};", range.end);
  }

  /**
   * Adds a function with what `body` adds, as the scope of a range. A parameter is a pattern of the
   * file, a written name, or a name that the template has without a declaration. Nothing is added
   * where a pattern cannot be parsed.
   */
  scope(range: TextRange, parameters: readonly (TextRange | WrittenName | string)[], body: () => void): void {
    this.#function(range, "(async ", parameters, () => {
      this.#code("=>{", range.start);
      body();
      this.#code("});", range.end);
    });
  }

  /** Adds the declaration of a function; see {@link scope}. */
  function(range: TextRange, name: TextRange, parameters: readonly TextRange[], body: () => void): void {
    this.#function(
      range,
      "async function ",
      parameters,
      () => {
        this.#code("{", range.start);
        body();
        this.#code("};", range.end);
      },
      name,
    );
  }

  #function(
    range: TextRange,
    head: string,
    parameters: readonly (TextRange | WrittenName | string)[],
    body: () => void,
    name?: TextRange,
  ): void {
    const sources = parameters.map((one) =>
      typeof one === "string" ? one : "name" in one ? one.name : (this.#sourceOf(one) ?? ""),
    );
    if (!this.#canParse(`async (${sources.join("\n,")}\n) => {}`)) return;
    this.#code(head, range.start);
    if (name !== undefined) this.#add(this.#file.slice(name.start, name.end), "copy", name);
    this.#code("(", range.start);
    for (const [index, one] of parameters.entries()) {
      if (index > 0) this.#code("\n,", range.start);
      if (typeof one === "string") this.#code(one, range.start);
      else this.#add(sources[index]!, "name" in one ? "name" : "copy", one);
    }
    this.#code("\n)", range.start);
    body();
  }

  #code(text: string, at: number): void {
    this.#add(text, "code", { start: at, end: at });
  }

  #add(text: string, kind: CodePiece["kind"], { start, end, shared }: TextRange & { readonly shared?: TemplateForm }) {
    this.#pieces.push({ at: this.#length, kind, start, end, ...(shared !== undefined && { shared }) });
    this.#parts.push(text);
    this.#length += text.length;
  }

  /**
   * Returns the text of a range, as long as it is there, with characters in place of their HTML
   * entities; `undefined` where it is blank or has other entities.
   */
  #sourceOf({ start, end }: TextRange): string | undefined {
    const source = this.#file.slice(start, end);
    if (source.trim() === "") return undefined;
    if (!source.includes("&")) return source;
    const plain = source.replace(/(?:&(?:amp|lt|gt|quot|apos|#39|#34);)+/g, (found) =>
      found.replace(/&(amp|lt|gt|quot|apos|#39|#34);/g, (_, name: string) => entities[name]!).padEnd(found.length),
    );
    return /&(?:#|\w+;)/.test(plain) ? undefined : plain;
  }
}

const entities: Readonly<Record<string, string>> = {
  ...{ amp: "&", lt: "<", gt: ">" },
  ...{ quot: '"', apos: "'", "#39": "'", "#34": '"' },
};

/**
 * Returns a text with blanks in place of everything but some ranges and the line breaks; a
 * semicolon follows each range.
 */
function blankBut(text: string, ranges: readonly TextRange[]): string {
  let made = "";
  for (const { start, end } of [...ranges].sort((one, other) => one.start - other.start)) {
    if (start < made.length) continue;
    made += `${blank(text.slice(made.length, start))}${text.slice(start, end)}${";".repeat(Number(end < text.length))}`;
  }
  return made + blank(text.slice(made.length));
}

/** Returns blanks and line breaks in place of a text. */
export function blank(text: string): string {
  return text.replace(/[^\r\n]/g, " ");
}

/** The most blanks in an end tag before its `>`. */
const maxBlanks = 20;

/** Returns where the name of an element is in its tags; `element` is the range of the element. */
export function tagNames(text: string, { start, end }: TextRange, name: string): readonly number[] {
  const tail = text.slice(Math.max(start + 1, end - name.length - maxBlanks), end);
  const close = tail.lastIndexOf(`</${name}`);
  const hasEnd = close >= 0 && /^\s*>$/.test(tail.slice(close + 2 + name.length));
  return [start + 1, ...(hasEnd ? [end - tail.length + close + 2] : [])];
}

/** Maps the names of the code of a component to its file. */
export function namesInFile(table: NameTable, { length, pieces }: ComponentCode): NameTable {
  /** The index of the piece that an offset after the scripts is in. */
  const indexAt = (offset: number): number => {
    let from = 0;
    for (let to = pieces.length; from < to; ) {
      const middle = (from + to) >>> 1;
      if (pieces[middle]!.at <= offset) from = middle + 1;
      else to = middle;
    }
    return from - 1;
  };
  const offsetOf = (offset: number): number => {
    const piece = offset < length ? undefined : pieces[indexAt(offset)];
    if (piece === undefined) return Math.min(offset, length);
    return piece.kind === "copy" ? Math.min(piece.start + offset - piece.at, piece.end) : piece.start;
  };
  const inFile = <R extends TextRange>(range: R): R => ({
    ...range,
    start: offsetOf(range.start),
    end: range.end <= length ? range.end : offsetOf(range.end),
  });
  const uses: NameUse[] = [];
  /**
   * The names that the file writes in another way, by their offsets: one for each possible name.
   */
  const written = new Map<number, NameUse[]>();
  for (const use of table.uses) {
    if (use.start < length) {
      uses.push(use);
      continue;
    }
    const { kind, start, end, shared } = pieces[indexAt(use.start)]!;
    if (kind === "copy") uses.push(inFile(use));
    else if (kind === "name") {
      const others = written.get(start) ?? [];
      written.set(start, [...others, { ...use, start, end, ...(shared !== undefined && { shared }) }]);
    }
  }
  for (const possible of written.values()) {
    const bound = possible.find(({ binding }) => binding !== undefined);
    uses.push(...(bound === undefined ? possible : [bound]));
  }
  uses.sort((one, other) => one.start - other.start);
  return new NameTable({
    ...table,
    uses,
    scopes: table.scopes.map(inFile),
    owners: table.owners.map(inFile),
    moduleNames: table.moduleNames.map(inFile),
    comments: table.comments.map(inFile).sort((one, other) => one.start - other.start),
  });
}
