import type { Edit, TextRange } from "../text/index.ts";

const pairs: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}", '"': '"', "'": "'", "`": "`" };

/** The most closers remembered of one document; older ones give way. */
const maxClosers = 64;

/**
 * Which closers of a document the editor has put there by itself.
 *
 * Editors that close what a person opens do so in one change: `(` typed arrives as `()`. The closers of such a change
 * are remembered while text is typed in front of them, and forgotten when the change that holds them is undone, or when
 * the person types over them. It is a value: a change of the text gives another one.
 */
export class AutoClosed {
  static readonly none = new AutoClosed([]);

  /** Offsets of single characters, ascending. */
  readonly #closers: readonly number[];

  private constructor(closers: readonly number[]) {
    this.#closers = closers;
  }

  /** What is so after `edit`. Nothing is learnt from an edit in several places or of more than a few characters. */
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

  /** The stretch of such closers right of `offset`, with nothing in between, if there is one. */
  rangeAt(offset: number): TextRange | undefined {
    let end = offset;
    while (this.#closers.includes(end)) end += 1;
    return end === offset ? undefined : { start: offset, end };
  }
}

/** Where the closers stand in a text that opens and closes and says nothing else, such as `()` or `{\n\n}`. */
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
