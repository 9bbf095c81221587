import type { ModelEnd } from "../../model/index.ts";
import type { ModelAnswer } from "../next-edit-format.ts";

/**
 * The rows of an answer, without their line endings, each as soon as its line ending has come. The last one, which has
 * none, is a row if it holds something and the model ended by itself: a cut may have gone through it.
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
      // Only the piece is looked through, so that a row of a hundred thousand pieces is read in time that grows with it.
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
