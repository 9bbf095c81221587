import fc from "fast-check";
import { expect, test } from "vitest";
import type { ModelEnd } from "../../model/index.ts";
import { answerRows } from "./row-stream.ts";

async function rowsOf(pieces: readonly string[], reason: ModelEnd["reason"] = "finished"): Promise<readonly string[]> {
  async function* answer() {
    for (const text of pieces) yield { kind: "text-delta", text } as const;
    return { reason };
  }
  const rows: string[] = [];
  for await (const row of answerRows(answer())) rows.push(row);
  return rows;
}

test.each([
  [[], []],
  [["a\nb"], ["a", "b"]],
  [["a\n"], ["a"]],
  [
    ["a\r", "\nb\r\n"],
    ["a", "b"],
  ],
  [["a\rb\n"], ["a\rb"]],
  [["", "\n", ""], [""]],
])("%j has the rows %j", async (pieces, rows) => expect(await rowsOf(pieces)).toEqual(rows));

test("answerRows drops a last row that was cut", async () => {
  expect(await rowsOf(["a\nb"], "length")).toEqual(["a"]);
});

test("law: the rows of an answer do not depend on its pieces", () =>
  fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom("a", "\n", "\r", "\r\n", "😀", "")), async (pieces) => {
      expect(await rowsOf(pieces)).toEqual(await rowsOf([pieces.join("")]));
      expect(await rowsOf([...pieces.join("")])).toEqual(await rowsOf([pieces.join("")]));
    }),
  ));
