import type { Edit, TextRange } from "../../text/index.ts";

const pairs: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}", '"': '"', "'": "'", "`": "`" };

/** The most closing brackets remembered for one document; older ones are dropped. */
const maxClosers = 64;

/**
 * The closing brackets and quotes of a document that the editor has inserted by itself.
 *
 * Editors that close brackets do so in the same change: `(` typed arrives as `()`. The closing ones
 * of such a change are remembered while text is typed in front of them, and forgotten when the
 * change is undone, or when the person types over them. Immutable: a change of the text returns a
 * new value.
 */
export class AutoClosed {
  static readonly none = new AutoClosed([]);

  /** Offsets of single characters, ascending. */
  readonly #closers: readonly number[];

  private constructor(closers: readonly number[]) {
    this.#closers = closers;
  }

  /**
   * The value after `edit`. An edit in several places or of more than 200 characters adds nothing.
   */
  apply(edit: Edit): AutoClosed {
    if (edit.isEmpty) return this;
    const kept = this.#closers.flatMap((at) => {
      let shift = 0;
      for (const { start, end, text } of edit.edits) {
        if (start > at) break;
        if (end > at) return [];
        shift += text.length - (end - start);
      }
      return [at + shift];
    });
    const [only, ...others] = edit.edits;
    const added = others.length === 0 ? closersIn(only!.text).map((index) => only!.start + index) : [];
    if (kept.length + added.length === 0) return AutoClosed.none;
    const closers = [...new Set([...kept, ...added])].sort((a, b) => a - b);
    return new AutoClosed(closers.slice(-maxClosers));
  }

  /**
   * The range of such closing characters directly right of `offset`; `undefined` if there is none.
   */
  rangeAt(offset: number): TextRange | undefined {
    let end = offset;
    while (this.#closers.includes(end)) end += 1;
    return end === offset ? undefined : { start: offset, end };
  }
}

/**
 * The indexes of the closing characters in a text of only matching brackets and white space, such
 * as `()` or `{\n\n}`; empty for other texts.
 */
function closersIn(text: string): number[] {
  if (text.length < 2 || text.length > 200) return [];
  const owed: string[] = [];
  const closers: number[] = [];
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index]!;
    if (owed.length > 0 && character === owed.at(-1)) {
      owed.pop();
      closers.push(index);
    } else if (pairs[character] !== undefined && closers.length === 0) owed.push(pairs[character]);
    else if (character.trim() !== "") return [];
  }
  return owed.length === 0 ? closers : [];
}
