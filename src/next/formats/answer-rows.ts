import type { ModelEnd } from "../../model/index.ts";
import type { ModelAnswer } from "./next-edit-format.ts";

/**
 * Yields the rows of a streamed answer without their line endings, each as soon as its line ending
 * has come. The last one, which has none, is yielded if it is not empty and the model finished: a
 * cut may have gone through it. Returns how the answer ended.
 */
export async function* answerRows(answer: ModelAnswer): AsyncGenerator<string, ModelEnd> {
  let pending = "";
  try {
    for (;;) {
      const next = await answer.next();
      if (next.done === true) {
        if (pending !== "" && next.value.reason === "finished") yield withoutReturn(pending);
        return next.value;
      }
      // Only the new piece is searched, so that the time for a row of many pieces is linear.
      const rows = next.value.text.split("\n");
      rows[0] = pending + rows[0]!;
      pending = rows.pop()!;
      for (const row of rows) yield withoutReturn(row);
    }
  } finally {
    await answer.return({ reason: "finished" });
  }
}

function withoutReturn(row: string): string {
  return row.endsWith("\r") ? row.slice(0, -1) : row;
}
