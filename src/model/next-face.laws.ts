import { describe, expect, test } from "vitest";
import type { Model, NextRequest, NextToken } from "./model.ts";

/** A model with next tokens, and places in texts. */
export interface NextFace {
  readonly model: Pick<Model, "next">;
  readonly places: readonly Omit<NextRequest, "limit">[];
}

/** What the `next` face of every model promises. */
export function testNextFace(title: string, open: () => Promise<NextFace>): void {
  describe(`the next tokens of ${title}`, () => {
    test("come likeliest first, each text once, with probabilities that add up to at most 1", async () => {
      const { model, places } = await open();
      for (const place of places) {
        const tokens = await model.next!({ ...place, limit: 50 });
        const probabilities = tokens.map(({ probability }) => probability);
        expect(probabilities).toEqual([...probabilities].sort((one, other) => other - one));
        expect(probabilities.every((probability) => probability > 0 && probability <= 1)).toBe(true);
        expect(probabilities.reduce((sum, probability) => sum + probability, 0)).toBeLessThan(1 + 1e-6);
        expect(new Set(tokens.map(({ text }) => text)).size).toBe(tokens.length);
        expect(tokens.some(({ text }) => text.includes("\uFFFD"))).toBe(false);
      }
    });

    test("are the first of those that a larger limit gives, 10 by default", async () => {
      const { model, places } = await open();
      for (const place of places) {
        const all = await model.next!({ ...place, limit: 50 });
        for (const limit of [1, 2, 7]) expectSame(await model.next!({ ...place, limit }), all.slice(0, limit));
        expectSame(await model.next!(place), all.slice(0, 10));
      }
    });

    test("are the same at each request", async () => {
      const { model, places } = await open();
      const first = await Promise.all(places.map((place) => model.next!(place)));
      for (const [index, place] of [...places.entries()].reverse()) {
        expectSame(await model.next!(place), first[index]!);
      }
    });

    test("are not returned to a caller that has aborted", async () => {
      const { model, places } = await open();
      const controller = new AbortController();
      const reason = { moot: true };
      controller.abort(reason);
      await expect(model.next!(places[0]!, { signal: controller.signal })).rejects.toBe(reason);
    });
  });
}

/**
 * Compares two answers, in which tokens that are as good as equally likely may have changed places.
 */
function expectSame(one: readonly NextToken[], other: readonly NextToken[]): void {
  expect(one.length).toBe(other.length);
  for (const [rank, { probability }] of one.entries()) expect(probability).toBeCloseTo(other[rank]!.probability, 4);
  const least = (other.at(-1)?.probability ?? 0) + 1e-4;
  const texts = (tokens: readonly NextToken[]) =>
    new Set(tokens.flatMap(({ text, probability }) => (probability > least ? [text] : [])));
  expect(texts(one)).toEqual(texts(other));
}
