import fc from "fast-check";
import { expect, test } from "vitest";
import type { WirePart } from "./server-client.ts";
import { cutAtStops } from "./stream-text.ts";

/** What of an answer comes through, and how it ends. */
async function cut(
  pieces: readonly string[],
  stops: readonly string[],
  end: WirePart["end"] = "finished",
): Promise<string> {
  async function* parts(): AsyncGenerator<WirePart> {
    for (const text of pieces) yield { text, logProbability: -1 };
    yield { ...(end === undefined ? {} : { end }) };
  }
  let text = "";
  const stream = cutAtStops(parts(), { stops });
  for (;;) {
    const { done, value } = await stream.next();
    if (done) return `${text} | ${value.reason}`;
    expect(value.text).not.toMatch(/^$|[\ud800-\udbff]$/);
    text += value.text;
  }
}

test.each([
  ["", "finished", " | finished"],
  ["a\n\nb\n", "finished", "a\n\nb\n | finished"],
  ["a<END>b", "finished", "a | finished"],
  ["a<END>b", "length", "a | finished"],
  ["a\r\n<E", "finished", "a\r\n<E | finished"],
  ["a<END", "finished", "a | finished"],
  ["a", "length", "a | length"],
  ["a", "content-filter", "a | content-filter"],
  ["\ud83d\ude00<|\ude00|>b", "finished", "\ud83d\ude00 | finished"],
] as const)("%j, ended as %s, is %j", async (answer, end, expected) => {
  const stops = ["<END>", "<|\ude00|>", ""];
  expect(await cut([answer], stops, end)).toBe(expected);
  expect(await cut(answer.split(""), stops, end)).toBe(expected);
});

test("law: a raw completion does not depend on the division of the answer into parts", async () => {
  const text = fc.string({ unit: fc.constantFrom("a", "<", "E", ">", "\n", "\r", "\ud83d\ude00"), maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(text, fc.array(text, { maxLength: 3 }), fc.array(fc.nat(20)), async (answer, stops, borders) => {
      const cuts = [0, ...borders.filter((at) => at <= answer.length).sort((a, b) => a - b), answer.length];
      const pieces = cuts.slice(1).map((end, i) => answer.slice(cuts[i], end));
      expect(await cut(pieces, stops)).toBe(await cut([answer], stops));
    }),
  );
});

test("a raw completion reports the probability of the text that was read", async () => {
  async function* parts(): AsyncGenerator<WirePart> {
    yield { text: "a", logProbability: Math.log(0.5) };
    yield { text: "<END>", logProbability: Math.log(0.5) };
    yield { text: "b", logProbability: Math.log(0.5), end: "finished" };
  }
  const stream = cutAtStops(parts(), { stops: ["<END>"] });
  expect(await stream.next()).toMatchObject({ value: { text: "a" } });
  expect(await stream.next()).toMatchObject({ done: true, value: { probability: expect.closeTo(0.25) } });
});

test("an abort stops a raw completion between parts received at once", async () => {
  const abort = new AbortController();
  const reason = new Error("no longer wanted");
  async function* parts(): AsyncGenerator<WirePart> {
    for (;;) yield { text: "a" };
  }
  const stream = cutAtStops(parts(), { stops: [], signal: abort.signal });
  expect(await stream.next()).toMatchObject({ value: { text: "a" } });
  abort.abort(reason);
  await expect(stream.next()).rejects.toBe(reason);
});
