import { type Language, Structure } from "../../syntax/index.ts";
import { Lines } from "../../text/index.ts";
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
   * The text of the line that raised the alarm, for recognizing alarms that the file had before.
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

class AlarmScan {
  readonly #lines: Lines;
  readonly #structure: Structure;
  readonly #alarms: BracketAlarm[] = [];
  readonly #open: OpenBracket[] = [];
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
      this.#look(line, indentationOf(text), { isCode, here, startsWithBracket: here[0]?.offset === first });
      this.#above = line;
    }
    for (const { line } of this.#open.slice(0, 1)) this.#alarm("lost-closer", this.#above, line, this.#above);
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
    const top = this.#open.at(-1);
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
    const top = this.#open.at(-1);
    const at = this.#open.findLastIndex(({ text }) => text === opening);
    if (top === undefined || at < 0) {
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
        const fitting = this.#open.findLastIndex((one) => one.text === opening && one.indentation === indentation);
        return this.#leave(fitting < 0 ? at : fitting);
      }
    }
    if (top.text !== opening) this.#alarm("lost-closer", this.#above, top.line, line);
    return this.#leave(at);
  }

  #leave(at: number): OpenBracket {
    const [closed] = this.#open.splice(at);
    return closed!;
  }

  /**
   * Reports a closing bracket without a partner: its opening bracket is lost if a block head
   * precedes it, otherwise it is superfluous.
   */
  #alarmOfCloser(line: number, indentation: number | undefined): void {
    let head = line - 1;
    const isDeeper = (text: string) => text.trim() === "" || indentationOf(text) > (indentation ?? 0);
    while (head > 0 && isDeeper(this.#lines.text(head))) head--;
    const isHead = indentation !== undefined && head < this.#above && head >= 0;
    this.#alarm(isHead ? "lost-opener" : "extra-closer", isHead ? head : line, undefined, line);
  }

  #alarm(kind: BracketAlarm["kind"], line: number, opener: number | undefined, at: number): void {
    this.#alarms.push({ kind, line, opener, text: this.#lines.text(at) });
  }
}

const openers: Readonly<Record<string, true>> = { "(": true, "[": true, "{": true };

/** Whether a region that began earlier contains `offset`. */
function crosses({ start, end }: { readonly start: number; readonly end: number }, offset: number): boolean {
  return start < offset && offset < end;
}
