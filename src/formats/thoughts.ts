/**
 * Takes off what a model thinks aloud at the beginning of its answer, between `<think>` and `</think>` or the like.
 *
 * Servers hand it on as a part of the answer where they do not know the model's marks. Such a tag elsewhere is a part of
 * the answer; see {@link behindLoneEnd} for one that only closes.
 */
export class Thoughts {
  /** The row in which thoughts began, from 0; `undefined` where there were none. */
  row: number | undefined;
  #tag: string | undefined;
  #isAhead = true;

  /** Whether they have begun and not ended. */
  get isOpen(): boolean {
    return this.#tag !== undefined;
  }

  /** The row, or what it has behind thoughts; `undefined` where nothing of it belongs to the answer. */
  take(row: Row): Row | undefined {
    if (!this.#isAhead) return row;
    let { text } = row;
    for (let isChanged = false; ; isChanged = true) {
      if (this.#tag === undefined) {
        const [opening, tag] = /^\s*<(think|thinking|thought|reasoning)>/.exec(text) ?? [];
        if (opening === undefined) {
          if (text.trim() === "") return isChanged ? undefined : row;
          this.#isAhead = false;
          return isChanged ? { ...row, text } : row;
        }
        this.#tag = tag;
        this.row ??= row.index;
        text = text.slice(opening.length);
      }
      const close = `</${this.#tag}>`;
      const end = text.indexOf(close);
      if (end < 0) return undefined;
      this.#tag = undefined;
      text = text.slice(end + close.length).trimStart();
    }
  }
}

/** A row of an answer, from 0, without its line ending. */
interface Row {
  readonly index: number;
  readonly text: string;
}

/** Whether a row holds a tag that opens thoughts, so that one behind it that closes is not a lone one. */
export function opensThoughts(row: string): boolean {
  return /<(?:think|thinking|thought|reasoning)>/.test(row);
}

/**
 * What a row has behind the end of thoughts that nothing in the answer opens; `undefined` if it ends none.
 *
 * The opening tag of such thoughts stands at the end of the prompt, where a server's template puts it. The closing one
 * begins its row, or ends it.
 */
export function behindLoneEnd(row: string): string | undefined {
  const [, behind] = /^<\/(?:think|thinking|thought|reasoning)>(.*)$/s.exec(row) ?? [];
  return behind?.trimStart() ?? (/<\/(?:think|thinking|thought|reasoning)>\s*$/.test(row) ? "" : undefined);
}

/** A whole answer without the thoughts at its beginning; empty where these do not end. */
export function withoutThoughts(answer: string): string {
  const rest = answer.replace(/^(?:\s*<(think|thinking|thought|reasoning)>[\s\S]*?(?:<\/\1>\s*|$))+/, "");
  if (rest !== answer) return rest;
  const rows = answer.split("\n");
  const first = rows.findIndex((row) => opensThoughts(row) || behindLoneEnd(row.trimEnd()) !== undefined);
  if (first < 0 || opensThoughts(rows[first]!)) return answer;
  return [behindLoneEnd(rows[first]!.trimEnd())!, ...rows.slice(first + 1)].join("\n").trimStart();
}
