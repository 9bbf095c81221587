import { fileLines, type LineSplice } from "../formats/index.ts";
import { type Language, languageById, plaintext, Structure } from "../syntax/index.ts";
import { detectLineEnding } from "../text/index.ts";
import { spliceLines } from "./splice-lines.ts";

/** How many syntax errors a text has that the file before the change did not have. */
export type CountNewErrors = (text: string) => Promise<number>;

/** Tells whether changes of a file break it: for its parser or its brackets. */
export class SpliceJudge {
  /** The lines of the file before the changes. */
  readonly lines: readonly string[];
  /** Whether brackets mean anything in the language. */
  readonly hasBrackets: boolean;
  readonly #ending: string;
  readonly #language: Language;
  readonly #countNewErrors: CountNewErrors;
  readonly #strayBefore: number;

  constructor(text: string, languageId: string, countNewErrors: CountNewErrors) {
    this.#language = languageById(languageId) ?? plaintext;
    this.lines = fileLines(text);
    this.hasBrackets = !prose.has(this.#language.id);
    this.#ending = detectLineEnding(text) ?? "\n";
    this.#countNewErrors = countNewErrors;
    this.#strayBefore = this.#strayBrackets(text);
  }

  /** Whether the changes, sorted and disjoint, break the file. */
  async breaks(splices: readonly LineSplice[]): Promise<boolean> {
    const text = this.#textWith(splices);
    // A script's parser sees all that its brackets tell; others guess, and overlook some.
    if (this.#language.script === undefined && this.#unbalances(text)) return true;
    return this.#fails(text);
  }

  /** What is wrong with the file after the changes, sorted and disjoint; nothing where they do not break it. */
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

  /** All lines end alike: no parser minds. */
  #textWith(splices: readonly LineSplice[]): string {
    const lines = spliceLines(this.lines, splices);
    return lines.length === 0 ? "" : lines.join(this.#ending) + this.#ending;
  }
}

/** Languages of words: a bracket there may be a smile. */
const prose: ReadonlySet<string> = new Set(["plaintext", "markdown", "yaml", "ini", "properties"]);
