import type { SyntaxIssue } from "../syntax/index.ts";
import { languageById } from "../syntax/index.ts";
import { Edit, type TextEdit } from "../text/index.ts";
import type { AddedSyntaxErrors, FileText } from "./added-syntax-errors.ts";
import { mendedBrackets } from "./mend-brackets.ts";
import type { ReadEdit } from "./next-edit-format.ts";

/** An edit that is not handed on, and what it would add to the errors of its file. */
export interface DroppedEdit {
  readonly edit: Edit;
  readonly issue: SyntaxIssue;
}

/**
 * Puts the edits of an answer together to steps, none of which adds a syntax error to what those before it have made.
 *
 * An edit that would is held until edits behind it make it whole, and these wait with it: no step reaches over another, and all come in the order of
 * the text. What goes on with an edit is dropped with it. All edits speak of the text of `file`.
 */
export class SoundSteps {
  readonly #file: FileText;
  readonly #errors: AddedSyntaxErrors;
  /** What was given, in the order of the text. */
  #given: readonly TextEdit[] = [];
  /** What is held, in the order of the text, behind all that was given. */
  #held: readonly ReadEdit[] = [];

  constructor(file: FileText, errors: AddedSyntaxErrors) {
    this.#file = file;
    this.#errors = errors;
  }

  /** The next edit of the answer, behind all others; gives the step that it makes with all that is held. */
  async push(edit: ReadEdit): Promise<Edit | undefined> {
    this.#held = [...this.#held, edit];
    if ((await this.#issueOf(this.#held)) !== undefined) return undefined;
    return this.#give(this.#held.length);
  }

  /**
   * The answer has ended: gives what of the edits that are held makes a step after all, the fewest together first. `mends` says whether brackets may be put in or
   * taken out to that end: an edit of an answer that was cut may lack more than these.
   */
  async *end({ mends }: { readonly mends: boolean }): AsyncGenerator<Edit, readonly DroppedEdit[]> {
    const dropped: DroppedEdit[] = [];
    let triesLeft = maxTries;
    while (this.#held.length > 0) {
      const [edit] = this.#held as readonly [ReadEdit];
      const issue = await this.#issueOf([edit]);
      let count = issue === undefined ? 1 : 0;
      for (let more = 2; count === 0 && more <= this.#held.length && triesLeft > 0; more++, triesLeft--)
        if ((await this.#issueOf(this.#held.slice(0, more))) === undefined) count = more;
      if (count > 0) {
        yield this.#give(count);
        continue;
      }
      const mended = mends ? await this.#tryMend(edit) : undefined;
      this.#held = this.#held.slice(1);
      if (mended === undefined) {
        const others = this.#held.findIndex(({ isRest }) => isRest === undefined);
        const rests = this.#held.slice(0, others < 0 ? this.#held.length : others);
        this.#held = this.#held.slice(rests.length);
        for (const one of [edit, ...rests]) dropped.push({ edit: Edit.of([one]), issue: issue! });
      } else {
        this.#held = [mended, ...this.#held];
        yield this.#give(1);
      }
    }
    return dropped;
  }

  async #tryMend(edit: TextEdit): Promise<TextEdit | undefined> {
    const { text, language: id } = this.#file;
    const language = languageById(id);
    for (const mended of language === undefined ? [] : mendedBrackets(text, edit, language)) {
      const isNothing = mended.text === text.slice(edit.start, edit.end);
      if (!isNothing && (await this.#issueOf([mended])) === undefined) return mended;
    }
    return undefined;
  }

  /** The first error that a step would add, if it adds one. */
  async #issueOf(step: readonly TextEdit[]): Promise<SyntaxIssue | undefined> {
    const [issue] = await this.#errors.of(this.#file, Edit.of([...this.#given, ...step]));
    return issue;
  }

  /** Gives so many of the edits that are held as one step. */
  #give(count: number): Edit {
    const step = this.#held.slice(0, count);
    this.#given = [...this.#given, ...step];
    this.#held = this.#held.slice(count);
    return Edit.of(step);
  }
}

/** So many steps are tried at the end of an answer at most, each of which parses the file. */
const maxTries = 16;
