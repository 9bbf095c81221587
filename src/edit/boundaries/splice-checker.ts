import { fileLines, type LineSplice } from "../../formats/index.ts";
import { type EditedSyntaxErrors, type Language, languageById, plaintext, Structure } from "../../syntax/index.ts";
import { detectLineEnding, minimalEdit } from "../../text/index.ts";

/** Counts the syntax errors of a text that the file before the change did not have. */
export type CountNewErrors = (text: string) => Promise<number>;

/** Checks whether changes of a file break it, by its parser and by its brackets. */
export class SpliceChecker {
  /** The lines of the file before the changes. */
  readonly lines: readonly string[];
  /** Whether brackets have a meaning in the language. */
  readonly hasBrackets: boolean;
  readonly #ending: string;
  readonly #language: Language;
  readonly #countNewErrors: CountNewErrors;
  readonly #strayBefore: number;

  /**
   * `text` is the file before the changes. A language that is not in the registry counts as plain
   * text.
   */
  constructor(text: string, languageId: string, countNewErrors: CountNewErrors) {
    this.#language = languageById(languageId) ?? plaintext;
    this.lines = fileLines(text);
    this.hasBrackets = this.#language.hasLooseBrackets !== true;
    this.#ending = detectLineEnding(text) ?? "\n";
    this.#countNewErrors = countNewErrors;
    this.#strayBefore = this.#strayBrackets(text);
  }

  /** Whether the changes, sorted and disjoint, add syntax errors or unmatched brackets. */
  async breaks(splices: readonly LineSplice[]): Promise<boolean> {
    const text = this.#textWith(splices);
    // The parser of a script reports every unmatched bracket; other parsers recover and miss some.
    if (this.#language.script === undefined && this.#unbalances(text)) return true;
    return this.#fails(text);
  }

  /**
   * The kinds of damage that the changes, sorted and disjoint, do to the file; empty where it stays
   * intact.
   */
  async faults(splices: readonly LineSplice[]): Promise<readonly ("parse-failure" | "bracket-balance")[]> {
    const text = this.#textWith(splices);
    const fails = await this.#fails(text);
    const unbalances = (fails || this.#language.script === undefined) && this.#unbalances(text);
    return [...(fails ? (["parse-failure"] as const) : []), ...(unbalances ? (["bracket-balance"] as const) : [])];
  }

  async #fails(text: string): Promise<boolean> {
    return (await this.#countNewErrors(text)) > 0;
  }

  #unbalances(text: string): boolean {
    return this.hasBrackets && this.#strayBrackets(text) > this.#strayBefore;
  }

  #strayBrackets(text: string): number {
    return Structure.of(text, this.#language).unmatched.length;
  }

  /** The text after the changes. All lines get the same line ending, which no parser minds. */
  #textWith(splices: readonly LineSplice[]): string {
    const lines = spliceLines(this.lines, splices);
    return lines.length === 0 ? "" : lines.join(this.#ending) + this.#ending;
  }
}

/**
 * Applies splices that are sorted and disjoint, with indexes from 0 in `lines`, and returns the
 * resulting lines.
 */
export function spliceLines(lines: readonly string[], splices: readonly LineSplice[]): readonly string[] {
  const after: string[] = [];
  let from = 0;
  for (const { start, end, lines: fresh } of splices) {
    for (let index = from; index < start; index++) after.push(lines[index]!);
    for (const line of fresh) after.push(line);
    from = end;
  }
  for (let index = from; index < lines.length; index++) after.push(lines[index]!);
  return after;
}

/**
 * Returns a counter of the syntax errors that a changed text of a file adds to `text`, the one that
 * `errors` were opened with; it counts 0 where the syntax is not checked.
 */
export function newErrorCounter(text: string, errors: Pick<EditedSyntaxErrors, "addedBy">): CountNewErrors {
  return async (changed) => (await errors.addedBy(minimalEdit(text, changed, { unit: "line" }))).length;
}
