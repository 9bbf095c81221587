import type { Language, Pair, StringRule } from "../languages/index.ts";
import { addToGroup, getOrInsert, type TextRange } from "../text/index.ts";

/** The kind of a range that is not code: `text` is between tags, or around islands of code. */
export type RegionKind = "comment" | "string" | "regex" | "text";

/** The edges of a region at which a cursor still types into it. */
export interface OpenEdges {
  readonly start: boolean;
  readonly end: boolean;
}

/** The construct that the scanner is in. Frames are a stack, innermost last. */
export type Frame = CodeFrame | ElementFrame;

/** A JSX element: its opening tag, or its content. */
export interface ElementFrame {
  readonly kind: "tag" | "children";
  /** The offset of the opening tag's `<`. */
  readonly start: number;
}

/** Code: the whole text, an embedded script, or the braces of a string or of a tag. */
export interface CodeFrame {
  readonly kind: "code";
  /** The number of brackets open around it. Its own opening bracket, if it has one, comes next. */
  readonly floor: number;
  /** Whether it ends where its own opening bracket is closed. */
  readonly nested: boolean;
  /** The string that continues after it. */
  readonly resume?: StringRule;
}

/** The expansions of a shell, `${…}`, that begin in a part of a line. */
export interface LineExpansions extends TextRange {
  /** The end of each expansion that ends on its line, by its start. */
  readonly ends: ReadonlyMap<number, number>;
}

/**
 * The state of a scan: its position and its results so far. The scan functions of all constructs
 * share it.
 */
export class ScanState {
  readonly text: string;
  /** The offset of the next character. */
  at = 0;
  /** The end offset: of the text, or of the embedded script. */
  end: number;
  rules: ScanRules;
  readonly brackets = new BracketStack();
  readonly frames: Frame[] = [];
  readonly regionStarts: number[] = [];
  readonly regionEnds: number[] = [];
  readonly regionKinds: RegionKind[] = [];
  /** The open edges of each region: 1 for its start, 2 for its end. */
  readonly regionOpen: number[] = [];
  /** The tags of heredocs whose text begins on the next line. */
  readonly heredocs: string[] = [];
  /** The number of open brackets at each `case` of a shell script without its `esac` so far. */
  readonly cases: number[] = [];
  /** The expansions of the shell line that was read last. */
  expansions: LineExpansions = { start: 0, end: 0, ends: new Map() };
  /**
   * The starts of the opening tags, in a markup language, of elements without a closing tag so far.
   */
  readonly openTags: number[] = [];

  constructor(text: string, rules: ScanRules) {
    this.text = text;
    this.end = text.length;
    this.rules = rules;
  }

  /**
   * Records that `[start, end)` is no code, with the edges at which a cursor still types into it.
   */
  region(kind: RegionKind, start: number, end: number, open: OpenEdges = { start: false, end: false }): void {
    // An empty text between two tags is a region too.
    if (end < start || (end === start && kind !== "text")) return;
    this.regionStarts.push(start);
    this.regionEnds.push(end);
    this.regionKinds.push(kind);
    this.regionOpen.push((open.start ? 1 : 0) + (open.end ? 2 : 0));
  }

  /** Records text around tags or islands, whose edges are both open. */
  textRegion(start: number, end: number): void {
    this.region("text", start, end, { start: true, end: true });
  }

  /** Whether `piece` is at `offset`, within the scanned part. */
  has(piece: string, offset = this.at): boolean {
    return offset + piece.length <= this.end && this.text.startsWith(piece, offset);
  }

  /** The offset of `piece` at or after `from`, or `end` where there is none. */
  find(piece: string, from: number): number {
    const found = this.text.indexOf(piece, from);
    return found < 0 || found > this.end ? this.end : found;
  }

  /** The end of the line at `from`, before its line ending. */
  lineEnd(from: number): number {
    const feed = this.find("\n", from);
    return feed > from && this.text[feed - 1] === "\r" ? feed - 1 : feed;
  }

  /** The word that ends at `offset`; may be empty. */
  wordBefore(offset: number): string {
    let start = offset;
    while (start > 0 && isWord(this.text.charCodeAt(start - 1))) start--;
    return this.text.slice(start, offset);
  }

  /** Enters code after an opening bracket at `offset`, which ends where that bracket is closed. */
  openCode(offset: number, resume?: StringRule): void {
    const floor = this.brackets.depth;
    this.brackets.open(offset, this.text.charCodeAt(offset));
    this.frames.push({ kind: "code", floor, nested: true, ...(resume && { resume }) });
    this.at = offset + 1;
  }
}

/**
 * Whether this UTF-16 code unit may be part of a word: ASCII letters, digits, `_`, and everything
 * beyond ASCII.
 */
export function isWord(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === 95 ||
    code >= 128
  );
}

/**
 * A construct that may begin at a character. Triggers are tried in order, and the first match wins.
 */
export type Trigger =
  | { readonly kind: "line-comment"; readonly open: string }
  | { readonly kind: "block-comment"; readonly pair: Pair }
  | { readonly kind: "literal"; readonly pattern: RegExp }
  | { readonly kind: "string"; readonly rule: StringRule }
  | { readonly kind: "heredoc"; readonly pattern: RegExp }
  | { readonly kind: "regex" }
  | { readonly kind: "percent" }
  | { readonly kind: "quote-run" }
  | { readonly kind: "expansion" }
  | { readonly kind: "case" }
  | { readonly kind: "jsx" }
  | { readonly kind: "island-end" }
  | { readonly kind: "line-end" }
  | { readonly kind: "open"; readonly close: number }
  | { readonly kind: "close"; readonly open: number };

/** A language's row as the scanner needs it: the triggers of each ASCII character. */
export interface ScanRules {
  readonly language: Language;
  readonly triggers: readonly (readonly Trigger[] | undefined)[];
}

const known = new WeakMap<Language, ScanRules>();

/** The rules of a language, computed once for each object. */
export function scanRules(language: Language): ScanRules {
  return getOrInsert(known, language, () => ({ language, triggers: triggersOf(language) }));
}

function triggersOf(language: Language): (Trigger[] | undefined)[] {
  const triggers: (Trigger[] | undefined)[] = new Array(128).fill(undefined);
  const add = (characters: string, trigger: Trigger) => {
    for (const character of characters) {
      const code = character.charCodeAt(0);
      triggers[code] = [...(triggers[code] ?? []), trigger];
    }
  };
  const { quirks } = language;
  if (quirks.heredoc) add("\n", { kind: "line-end" });
  if (quirks.island) add(quirks.island[1][0]!, { kind: "island-end" });
  for (const pair of [...language.blockComments].sort((a, b) => b[0].length - a[0].length)) {
    add(pair[0][0]!, { kind: "block-comment", pair });
  }
  for (const open of language.lineComments) add(open[0]!, { kind: "line-comment", open });
  for (const [first, pattern] of quirks.literals ?? []) add(first, { kind: "literal", pattern: sticky(pattern) });
  if (quirks.quoteRuns) add('$"', { kind: "quote-run" });
  if (quirks.heredoc) add("<", { kind: "heredoc", pattern: sticky(quirks.heredoc) });
  if (quirks.shell) {
    add("$", { kind: "expansion" });
    add("ce", { kind: "case" });
  }
  for (const rule of language.strings) add(rule.open[0]!, { kind: "string", rule });
  if (quirks.regex) add("/", { kind: "regex" });
  if (quirks.percentLiterals) add("%", { kind: "percent" });
  if (quirks.jsx) add("<", { kind: "jsx" });
  for (const [open, close] of language.brackets) {
    add(open, { kind: "open", close: close.charCodeAt(0) });
    add(close, { kind: "close", open: open.charCodeAt(0) });
  }
  return triggers;
}

function sticky(pattern: RegExp): RegExp {
  return new RegExp(pattern.source, `${pattern.flags}y`);
}

/**
 * The brackets of a text as parallel arrays in its order, and the stack of open ones during a scan.
 */
class BracketStack {
  readonly offsets: number[] = [];
  /** 1 for a closing bracket, 0 for an opening one. */
  readonly closing: number[] = [];
  /** The index of its partner, or -1. */
  readonly partners: number[] = [];
  /**
   * The offset where an opening bracket stopped being open: at its partner, or at the partner of an
   * outer one.
   */
  readonly leftAt: number[] = [];
  /**
   * The index of the innermost open bracket directly before an opening one, and directly after a
   * closing one; or -1.
   */
  readonly parents: number[] = [];
  /** The indexes of closing brackets without a partner. */
  readonly strays: number[] = [];
  readonly #open: number[] = [];
  readonly #codes: number[] = [];
  /** Where in the stack the open brackets of each code are, the outermost first. */
  readonly #depths = new Map<number, number[]>();

  get depth(): number {
    return this.#open.length;
  }

  /** The code of the innermost open bracket, or -1. */
  get top(): number {
    return this.#codes.at(-1) ?? -1;
  }

  /** The offset of the innermost open bracket, or -1. */
  get topOffset(): number {
    return this.offsets[this.#open.at(-1) ?? -1] ?? -1;
  }

  /** The offset of the partner of the last bracket, or -1 if it has none. */
  get lastOpener(): number {
    return this.offsets[this.partners.at(-1) ?? -1] ?? -1;
  }

  open(offset: number, code: number): void {
    addToGroup(this.#depths, code, this.depth);
    this.#open.push(this.#add(offset, 0, -1));
    this.#codes.push(code);
  }

  /**
   * Closes the nearest bracket `code` above `floor`, with all that were opened in it. Returns
   * whether there is one.
   */
  close(offset: number, code: number, floor: number): boolean {
    const at = this.#depths.get(code)?.at(-1) ?? -1;
    if (at < floor) {
      this.strays.push(this.#add(offset, 1, -1));
      return false;
    }
    const partner = this.#open[at]!;
    this.cut(at, offset);
    this.partners[partner] = this.#add(offset, 1, partner);
    return true;
  }

  /** Leaves the brackets above `depth` unmatched. */
  cut(depth: number, offset: number): void {
    while (this.#open.length > depth) {
      this.leftAt[this.#open.pop()!] = offset;
      this.#depths.get(this.#codes.pop()!)!.pop();
    }
  }

  #add(offset: number, closing: number, partner: number): number {
    this.parents.push(this.#open.at(-1) ?? -1);
    this.closing.push(closing);
    this.partners.push(partner);
    this.leftAt.push(closing === 1 ? offset : Number.MAX_SAFE_INTEGER);
    return this.offsets.push(offset) - 1;
  }
}
