import { type Language, Structure } from "../../syntax/index.ts";
import { addToGroup, Lines } from "../../text/index.ts";
import { indentationOf } from "./line-transitions.ts";

/** A place where brackets and indentation disagree. Lines count from 0. */
export interface BracketAlarm {
  /** Whether a bracket seems to be missing or superfluous. */
  readonly kind: "lost-closer" | "lost-opener" | "extra-closer";
  /**
   * The line after which a closing bracket is missing, or that lacks an opening one or has a
   * closing one too many.
   */
  readonly line: number;
  /** The line of the bracket that is still open where its block seems to end. */
  readonly opener: number | undefined;
  /**
   * The beginning of the line that raised the alarm, of at most 200 UTF-16 code units, for
   * recognizing alarms that the file had before.
   */
  readonly text: string;
}

/**
 * Finds where the brackets of a text disagree with its indentation, in text order.
 *
 * Indentation follows the intended structure, so it locates a lost or doubled bracket where a
 * parser only reports an error further down. The first alarm is the most reliable; later ones may
 * follow from it. Correct files may have alarms, too, such as for labels that are not indented.
 */
export function bracketAlarms(text: string, language: Language): readonly BracketAlarm[] {
  const scan = new AlarmScan(text, language);
  return scan.run();
}

interface OpenBracket {
  readonly text: string;
  readonly line: number;
  /** The indentation of the bracket's statement, in columns. */
  readonly indentation: number;
}

const closers: Readonly<Record<string, string>> = { ")": "(", "]": "[", "}": "{" };

/**
 * The brackets that are open, the outermost first.
 *
 * Two brackets may be closed together with all that was opened between them, and a text may leave
 * any number open. So the positions of each kind of bracket, and of each kind at each indentation,
 * are kept in stacks of their own, and none is searched.
 */
class OpenBrackets {
  readonly #open: OpenBracket[] = [];
  readonly #positions = new Map<string, number[]>();

  get first(): OpenBracket | undefined {
    return this.#open[0];
  }

  get top(): OpenBracket | undefined {
    return this.#open.at(-1);
  }

  push(bracket: OpenBracket): void {
    for (const key of keysOf(bracket)) {
      addToGroup(this.#positions, key, this.#open.length);
    }
    this.#open.push(bracket);
  }

  /**
   * The position of the last bracket of this kind, optionally at this indentation; `undefined` for
   * none.
   */
  tryLast(text: string, indentation?: number): number | undefined {
    return this.#positions.get(keyOf(text, indentation))?.at(-1);
  }

  /** Removes the bracket at a position and all behind it. */
  leave(position: number): OpenBracket {
    for (;;) {
      const bracket = this.#open.pop()!;
      for (const key of keysOf(bracket)) this.#positions.get(key)!.pop();
      if (this.#open.length === position) return bracket;
    }
  }
}

function keysOf({ text, indentation }: OpenBracket): readonly string[] {
  return [keyOf(text, undefined), keyOf(text, indentation)];
}

function keyOf(text: string, indentation: number | undefined): string {
  return indentation === undefined ? text : `${text}${indentation}`;
}

class AlarmScan {
  readonly #lines: Lines;
  readonly #structure: Structure;
  readonly #alarms: BracketAlarm[] = [];
  readonly #open = new OpenBrackets();
  /**
   * The lines above the current one that no later line is indented less or as much as, with their
   * indentation, which increases; blank lines are left out.
   */
  readonly #outer: { readonly line: number; readonly indentation: number }[] = [];
  /** The last line before the current one that is not blank. */
  #above = 0;

  constructor(text: string, language: Language) {
    this.#lines = Lines.of(text);
    this.#structure = Structure.of(text, language);
  }

  run(): readonly BracketAlarm[] {
    const { brackets, regions } = this.#structure;
    let bracket = 0;
    let region = 0;
    for (let line = 0; line < this.#lines.count; line++) {
      const text = this.#lines.text(line);
      if (text.trim() === "") continue;
      const first = this.#lines.start(line) + text.search(/\S/);
      while (region < regions.length && regions[region]!.end <= first) region++;
      const isCode = region >= regions.length || regions[region]!.start > first || !crosses(regions[region]!, first);
      const end = this.#lines.end(line);
      const here: { text: string; offset: number }[] = [];
      for (; bracket < brackets.length && brackets[bracket]!.offset < end; bracket++) here.push(brackets[bracket]!);
      const indentation = indentationOf(text);
      this.#look(line, indentation, { isCode, here, startsWithBracket: here[0]?.offset === first });
      while ((this.#outer.at(-1)?.indentation ?? -1) >= indentation) this.#outer.pop();
      this.#outer.push({ line, indentation });
      this.#above = line;
    }
    const { first } = this.#open;
    if (first !== undefined) this.#alarm("lost-closer", this.#above, first.line, this.#above);
    return this.#alarms;
  }

  #look(
    line: number,
    indentation: number,
    options: {
      readonly isCode: boolean;
      readonly here: readonly { readonly text: string }[];
      readonly startsWithBracket: boolean;
    },
  ): void {
    const { isCode, here, startsWithBracket } = options;
    const beginsByClosing = startsWithBracket && here[0]!.text in closers;
    const { top } = this.#open;
    if (isCode && !beginsByClosing && top !== undefined && indentation <= top.indentation) {
      this.#alarm("lost-closer", this.#above, top.line, line);
    }
    let base = indentation;
    for (const [at, { text }] of here.entries()) {
      const opening = closers[text];
      if (opening === undefined) {
        if (text in openers) this.#open.push({ text, line, indentation: base });
        continue;
      }
      const closed = this.#close(opening, line, isCode && beginsByClosing && at === 0 ? indentation : undefined);
      if (closed !== undefined && closed.line < line) base = Math.min(base, closed.indentation);
    }
  }

  /**
   * Closes a bracket; `indentation` is that of a closing bracket that begins its line, and
   * `undefined` otherwise.
   */
  #close(opening: string, line: number, indentation: number | undefined): OpenBracket | undefined {
    const { top } = this.#open;
    const at = this.#open.tryLast(opening);
    if (top === undefined || at === undefined) {
      this.#alarmOfCloser(line, indentation);
      return undefined;
    }
    if (indentation !== undefined && top.line < line) {
      if (indentation > top.indentation && top.text === opening) {
        this.#alarmOfCloser(line, indentation);
        return undefined;
      }
      if (indentation < top.indentation) {
        this.#alarm("lost-closer", this.#above, top.line, line);
        return this.#open.leave(this.#open.tryLast(opening, indentation) ?? at);
      }
    }
    if (top.text !== opening) this.#alarm("lost-closer", this.#above, top.line, line);
    return this.#open.leave(at);
  }

  /**
   * Reports a closing bracket without a partner: its opening bracket is lost if a block head
   * precedes it, otherwise it is superfluous.
   */
  #alarmOfCloser(line: number, indentation: number | undefined): void {
    const head = this.#headAbove(line, indentation ?? 0);
    const isHead = indentation !== undefined && head < this.#above && head >= 0;
    this.#alarm(isHead ? "lost-opener" : "extra-closer", isHead ? head : line, undefined, line);
  }

  /**
   * The nearest line above `line` that is not indented more than this, or the text's first line.
   */
  #headAbove(line: number, indentation: number): number {
    let [low, high] = [0, this.#outer.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#outer[middle]!.indentation <= indentation) low = middle + 1;
      else high = middle;
    }
    return this.#outer[low - 1]?.line ?? Math.min(0, line - 1);
  }

  #alarm(kind: BracketAlarm["kind"], line: number, opener: number | undefined, at: number): void {
    this.#alarms.push({ kind, line, opener, text: this.#lines.text(at).slice(0, maxTextLength) });
  }
}

/** So that alarms of one very long line can be compared. */
const maxTextLength = 200;

const openers: Readonly<Record<string, true>> = { "(": true, "[": true, "{": true };

/** Whether a region that began earlier contains `offset`. */
function crosses({ start, end }: { readonly start: number; readonly end: number }, offset: number): boolean {
  return start < offset && offset < end;
}
