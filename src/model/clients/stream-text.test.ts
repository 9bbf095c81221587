import { expect, test } from "vitest";
import type { WirePart } from "./server-client.ts";
import { cutText } from "./stream-text.ts";

/** What of an answer comes through, and how it ends. */
async function cut(pieces: readonly string[], maxLines: number): Promise<string> {
  async function* parts(): AsyncGenerator<WirePart> {
    for (const text of pieces) yield { text };
    yield { end: "finished" };
  }
  let text = "";
  const stream = cutText(parts(), { cuts: [], maxLines });
  for (;;) {
    const { done, value } = await stream.next();
    if (done) return `${text} | ${value.reason}`;
    text += value.text;
  }
}

test.each([
  ["a\nb", 1, "a | length"],
  ["a\nb", 2, "a\nb | finished"],
  ["Here is the code:\n\na\nb", 1, "Here is the code:\n\na | length"],
  ["<think>One.\nTwo.</think>\na\nb", 1, "<think>One.\nTwo.</think>\na | length"],
  ["```ts\na\nb\n```", 1, "```ts\na | length"],
  ["The a\nb", 1, "The a | length"],
  ["", 1, " | finished"],
  ["\n", 2, "\n | finished"],
])("a stream of %j is cut to %i lines: %j", async (answer, maxLines, expected) => {
  expect(await cut([answer], maxLines)).toBe(expected);
  expect(await cut(answer.split(""), maxLines)).toBe(expected);
});

test("an abort stops a fill between parts received at once", async () => {
  const abort = new AbortController();
  const reason = new Error("no longer wanted");
  let read = 0;
  async function* parts(): AsyncGenerator<WirePart> {
    for (; read < 10; read++) yield { text: "a" };
    yield { end: "finished" };
  }
  const stream = cutText(parts(), { cuts: [], maxLines: 1, signal: abort.signal });
  expect(await stream.next()).toMatchObject({ value: { text: "a" } });
  abort.abort(reason);
  await expect(stream.next()).rejects.toBe(reason);
  expect(read).toBe(1);
});
