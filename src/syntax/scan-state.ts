import type { TextRange } from "../text/range.ts";
import { BracketStack } from "./bracket-stack.ts";
import type { StringRule } from "./languages.ts";
import type { ScanRules } from "./scan-rules.ts";

/** What a stretch that is not code is: `text` lies between tags, or around islands of code. */
export type RegionKind = "comment" | "string" | "regex" | "text";

/** At which edges of a region a cursor still types into it. */
export interface OpenEdges {
  readonly start: boolean;
  readonly end: boolean;
}

/** What the scanner is in the middle of. Frames lie on each other as they do in the text. */
export type Frame = CodeFrame | ElementFrame;

/** An element of JSX: its opening tag, or its content. */
export interface ElementFrame {
  readonly kind: "tag" | "children";
  /** The offset of the opening tag's `<`. */
  readonly start: number;
}

/** Code: the whole text, an embedded script, or the braces of a string or of a tag. */
export interface CodeFrame {
  readonly kind: "code";
  /** How many brackets were open around it. Its own opening bracket, if it has one, comes next. */
  readonly floor: number;
  /** Whether it ends where its own opening bracket is closed. */
  readonly nested: boolean;
  /** The string that continues behind it. */
  readonly resume?: StringRule;
}

/** The expansions of a shell, `${…}`, that begin in a part of a line. */
export interface LineExpansions extends TextRange {
  /** The end of each expansion that ends on its line, by its start. */
  readonly ends: ReadonlyMap<number, number>;
}

/**
 * A scan in progress: where it is, and what it has found. The functions that read one construct
 * each share it.
 */
export class ScanState {
  readonly text: string;
  /** The offset of the next character to look at. */
  at = 0;
  /** Where to stop: the end of the text, or of the script embedded in it. */
  end: number;
  rules: ScanRules;
  readonly brackets = new BracketStack();
  readonly frames: Frame[] = [];
  readonly regionStarts: number[] = [];
  readonly regionEnds: number[] = [];
  readonly regionKinds: RegionKind[] = [];
  /** At which edges a cursor still types into the region: 1 for its start, 2 for its end. */
  readonly regionOpen: number[] = [];
  /** The tags of heredocs whose text begins on the next line. */
  readonly heredocs: string[] = [];
  /** How many brackets were open at each `case` of a shell script that has not seen its `esac`. */
  readonly cases: number[] = [];
  /** The expansions of the shell line that was read last. */
  expansions: LineExpansions = { start: 0, end: 0, ends: new Map() };
  /**
   * Where the tags begin that open an element of a markup language and have no closing tag so far.
   */
  readonly openTags: number[] = [];

  constructor(text: string, rules: ScanRules) {
    this.text = text;
    this.end = text.length;
    this.rules = rules;
  }

  /**
   * Records that `[start, end)` is no code, and at which of its edges a cursor still types into it.
   */
  region(kind: RegionKind, start: number, end: number, open: OpenEdges = { start: false, end: false }): void {
    // Between two tags there is room for text even where there is none yet.
    if (end < start || (end === start && kind !== "text")) return;
    this.regionStarts.push(start);
    this.regionEnds.push(end);
    this.regionKinds.push(kind);
    this.regionOpen.push((open.start ? 1 : 0) + (open.end ? 2 : 0));
  }

  /** Records text around tags or islands, which a cursor at either edge types into. */
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

  /** The end of the line that `from` is on, in front of its line ending. */
  lineEnd(from: number): number {
    const feed = this.find("\n", from);
    return feed > from && this.text[feed - 1] === "\r" ? feed - 1 : feed;
  }

  /** The word that ends in front of `offset`; may be empty. */
  wordBefore(offset: number): string {
    let start = offset;
    while (start > 0 && isWord(this.text.charCodeAt(start - 1))) start--;
    return this.text.slice(start, offset);
  }

  /**
   * Begins the code behind an opening bracket at `offset`, which ends where that bracket is closed.
   */
  openCode(offset: number, resume?: StringRule): void {
    const floor = this.brackets.depth;
    this.brackets.open(offset, this.text.charCodeAt(offset));
    this.frames.push({ kind: "code", floor, nested: true, ...(resume && { resume }) });
    this.at = offset + 1;
  }
}

/**
 * Whether this character may be part of a word: ASCII letters, digits, `_`, and everything beyond
 * ASCII.
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
