import { isElision, RowCutter } from "../../formats/index.ts";
import type { ModelEnd } from "../../model/index.ts";
import { Lines, withoutReturn } from "../../text/index.ts";
import type { NextEditPromptInput } from "../providers/model/next-edit-prompt-input.ts";
import type { ModelAnswer, ReadEnd } from "./next-edit-format.ts";
import type { LinesEnd } from "./stream-diff.ts";

/**
 * Yields the rows of a streamed answer without their line endings, each as soon as its line ending
 * has come. The last one, which has none, is yielded if it is not empty and the model finished: a
 * cut may have gone through it. Returns how the answer ended.
 */
export async function* answerRows(answer: ModelAnswer): AsyncGenerator<string, ModelEnd> {
  const cutter = new RowCutter();
  try {
    for (;;) {
      const next = await answer.next();
      if (next.done === true) {
        const last = cutter.end();
        if (last !== undefined && next.value.reason === "finished") yield withoutReturn(last.text);
        return next.value;
      }
      for (const { text } of cutter.push(next.value.text)) yield text;
    }
  } finally {
    await answer.return({ reason: "finished" });
  }
}

/**
 * Passes on the lines of an answer up to the first placeholder for left-out lines, such as `// ...
 * rest unchanged`, and cuts the answer there: taken literally, the placeholder would replace all
 * lines that it represents.
 *
 * A line that the edited file contains too is code, whatever it looks like.
 */
export class ElisionStop {
  /** Why the answer was cut; `undefined` where it was not. */
  end: Extract<ReadEnd, { kind: "unreadable" }> | undefined;
  readonly #input: Pick<NextEditPromptInput, "text" | "path">;

  constructor(input: Pick<NextEditPromptInput, "text" | "path">) {
    this.#input = input;
  }

  /** Yields the lines, and returns how they end. */
  async *lines(lines: AsyncGenerator<string, LinesEnd>): AsyncGenerator<string, LinesEnd> {
    try {
      for (;;) {
        const next = await lines.next();
        if (next.done) return next.value;
        if (this.#isPlaceholder(next.value)) {
          const trimmed = JSON.stringify(next.value.trim());
          this.end = {
            kind: "unreadable",
            message: `The answer contains ${trimmed} in place of lines that it leaves out.`,
          };
          return "cut";
        }
        yield next.value;
      }
    } finally {
      await lines.return("cut");
    }
  }

  #isPlaceholder(line: string): boolean {
    const { text, path } = this.#input;
    if (!isElision(line, path)) return false;
    const known = Lines.of(text);
    const trimmed = line.trim();
    for (let i = 0; i < known.count; i++) if (known.text(i).trim() === trimmed) return false;
    return true;
  }
}
