import type { SyntaxIssue } from "../syntax/index.ts";
import { languageById } from "../syntax/index.ts";
import { Edit, type TextEdit } from "../text/index.ts";
import type { AddedSyntaxErrors, FileText } from "./added-syntax-errors.ts";
import { mendedBrackets } from "./mend-brackets.ts";

/** An edit that is not handed on, and what it would add to the errors of its file. */
export interface DroppedEdit {
  readonly edit: Edit;
  readonly issue: SyntaxIssue;
}

/**
 * Puts the edits of an answer together to steps, none of which adds a syntax error to what those before it have made.
 *
 * An edit that would is held until edits behind it make it whole. All edits speak of the text of `file`.
 */
export class SoundSteps {
  readonly #file: FileText;
  readonly #errors: AddedSyntaxErrors;
  /** All edits of the answer, in the order of the text. */
  #all: readonly TextEdit[] = [];
  readonly #given = new Set<TextEdit>();
  #triesLeft = maxTries;

  constructor(file: FileText, errors: AddedSyntaxErrors) {
    this.#file = file;
    this.#errors = errors;
  }

  /** The next edit of the answer, behind all others; gives the step that it makes, alone or with all that is held. */
  async push(edit: TextEdit): Promise<Edit | undefined> {
    const last = this.#held.at(-1);
    // What touches text that is held cannot be told apart from it once one of them is made.
    const joined = last === undefined || last.end < edit.start ? edit : joinTouching(last, edit);
    this.#all = [...this.#all.filter((one) => joined === edit || one !== last), joined];
    const steps = this.#held.length === 1 ? [this.#held] : [[joined], this.#held];
    for (const step of steps) if ((await this.#issueOf(step)) === undefined) return this.#give(step);
    return undefined;
  }

  /**
   * The answer has ended: gives what of the edits that are held makes a step after all, the fewest together first. `mends` says whether brackets may be put in or
   * taken out to that end: an edit of an answer that was cut may lack more than these.
   */
  async *end({ mends }: { readonly mends: boolean }): AsyncGenerator<Edit, readonly DroppedEdit[]> {
    for (let size = 1; size <= this.#held.length; size++) {
      for (let i = 0; i + size <= this.#held.length && this.#triesLeft > 0; i++) {
        const step = this.#held.slice(i, i + size);
        this.#triesLeft--;
        if ((await this.#issueOf(step)) === undefined) {
          yield this.#give(step);
          i--;
        }
      }
    }
    const dropped: DroppedEdit[] = [];
    for (const edit of this.#held) {
      const mended = mends ? await this.#tryMend(edit) : undefined;
      if (mended === undefined) {
        const issue = await this.#issueOf([edit]);
        if (issue !== undefined) dropped.push({ edit: Edit.of([edit]), issue });
        else yield this.#give([edit]);
      } else {
        this.#all = this.#all.map((one) => (one === edit ? mended : one));
        yield this.#give([mended]);
      }
    }
    return dropped;
  }

  get #held(): readonly TextEdit[] {
    return this.#all.filter((edit) => !this.#given.has(edit));
  }

  async #tryMend(edit: TextEdit): Promise<TextEdit | undefined> {
    const { text, language: id } = this.#file;
    const language = languageById(id);
    for (const mended of language === undefined ? [] : mendedBrackets(text, edit, language)) {
      const isNothing = mended.text === text.slice(edit.start, edit.end);
      if (!isNothing && (await this.#issueOf([mended], edit)) === undefined) return mended;
    }
    return undefined;
  }

  /** The first error that a step would add, if it adds one; the step may stand `insteadOf` an edit of the answer. */
  async #issueOf(step: readonly TextEdit[], insteadOf?: TextEdit): Promise<SyntaxIssue | undefined> {
    const all = this.#all.flatMap((edit) => {
      if (edit === insteadOf) return step;
      return this.#given.has(edit) || step.includes(edit) ? [edit] : [];
    });
    const [issue] = await this.#errors.of(this.#file, Edit.of(all));
    return issue;
  }

  #give(step: readonly TextEdit[]): Edit {
    for (const edit of step) this.#given.add(edit);
    return Edit.of(step);
  }
}

/** So many steps are tried at the end of an answer at most, each of which parses the file. */
const maxTries = 16;

function joinTouching(one: TextEdit, other: TextEdit): TextEdit {
  return { start: one.start, end: other.end, text: one.text + other.text };
}
