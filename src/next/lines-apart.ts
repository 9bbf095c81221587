import type { PastEdit } from "../context/index.ts";

/** Takes apart what a history made one of lines that were edited one by one: each is an edit of its own again. The same edits give the same values. */
export class LinesApart {
  readonly #linesOf = new WeakMap<PastEdit, readonly PastEdit[]>();

  /** The edits with their lines apart, in the order of the lines. */
  of(history: readonly PastEdit[]): readonly PastEdit[] {
    return history.flatMap((edit) => (edit.isByLine === true ? this.#lines(edit) : edit));
  }

  #lines(edit: PastEdit): readonly PastEdit[] {
    const known = this.#linesOf.get(edit);
    if (known !== undefined) return known;
    const { before, after, lines } = edit;
    const made = before.flatMap((line, i) => {
      const at = lines.start + i;
      const own = { lines: { start: at, end: at + 1 }, before: [line], after: [after[i]!] };
      return line === after[i] ? [] : [{ ...edit, ...own }];
    });
    this.#linesOf.set(edit, made);
    return made;
  }
}
