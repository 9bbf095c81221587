import {
  type CheckedDocument,
  languageById,
  type SyntaxDiagnostic,
  type SyntaxErrorCache,
} from "../../../syntax/index.ts";
import { Edit, type TextEdit } from "../../../text/index.ts";
import type { ReadEdit } from "../../formats/next-edit-format.ts";
import { repairedBrackets } from "./repair-brackets.ts";

/** An edit that is filtered out, and the syntax error that it would add. */
export interface DroppedEdit {
  readonly edit: Edit;
  readonly issue: SyntaxDiagnostic;
}

/**
 * Groups the edits of an answer into steps that add no syntax error to the text after the steps
 * before.
 *
 * An edit that would add one is held until later edits complete it, and these wait with it: steps
 * do not overlap and come in the order of the text. The rest of an edit (`isRest`) is dropped with
 * it. All offsets refer to the text of `file`.
 */
export class SyntaxSafeEdits {
  readonly #file: CheckedDocument;
  readonly #errors: SyntaxErrorCache;
  /** The edits of the steps so far, in the order of the text. */
  #given: readonly TextEdit[] = [];
  /** The edits that are held, in the order of the text, after all edits of steps. */
  #held: readonly ReadEdit[] = [];

  constructor(file: CheckedDocument, errors: SyntaxErrorCache) {
    this.#file = file;
    this.#errors = errors;
  }

  /**
   * Adds the next edit of the answer, which follows all others. Returns the step that it completes
   * with all held edits, or `undefined`.
   */
  async push(edit: ReadEdit): Promise<Edit | undefined> {
    this.#held = [...this.#held, edit];
    if ((await this.#issueOf(this.#held)) !== undefined) return undefined;
    return this.#give(this.#held.length);
  }

  /**
   * Ends the answer: yields the steps that the held edits allow, the smallest first, and returns
   * the dropped edits. `repairsBrackets` allows brackets to be inserted or removed; an edit of a
   * cut answer may lack more than brackets.
   */
  async *end({ repairsBrackets }: { readonly repairsBrackets: boolean }): AsyncGenerator<Edit, readonly DroppedEdit[]> {
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
      const repaired = repairsBrackets ? await this.#tryRepair(edit) : undefined;
      this.#held = this.#held.slice(1);
      if (repaired === undefined) {
        const others = this.#held.findIndex(({ isRest }) => isRest === undefined);
        const rests = this.#held.slice(0, others < 0 ? this.#held.length : others);
        this.#held = this.#held.slice(rests.length);
        for (const one of [edit, ...rests]) dropped.push({ edit: Edit.of([one]), issue: issue! });
      } else {
        this.#held = [repaired, ...this.#held];
        yield this.#give(1);
      }
    }
    return dropped;
  }

  async #tryRepair(edit: TextEdit): Promise<TextEdit | undefined> {
    const { text, language: id } = this.#file;
    const language = languageById(id);
    for (const repaired of language === undefined ? [] : repairedBrackets(text, edit, language)) {
      const isNothing = repaired.text === text.slice(edit.start, edit.end);
      if (!isNothing && (await this.#issueOf([repaired])) === undefined) return repaired;
    }
    return undefined;
  }

  /** The first syntax error that a step would add; `undefined` if it adds none. */
  async #issueOf(step: readonly TextEdit[]): Promise<SyntaxDiagnostic | undefined> {
    const [issue] = await this.#errors.added(this.#file, Edit.of([...this.#given, ...step]));
    return issue;
  }

  /** Returns the first `count` held edits as a step. */
  #give(count: number): Edit {
    const step = this.#held.slice(0, count);
    this.#given = [...this.#given, ...step];
    this.#held = this.#held.slice(count);
    return Edit.of(step);
  }
}

/** The most combinations that are tried at the end of an answer; each parses the file. */
const maxTries = 16;
