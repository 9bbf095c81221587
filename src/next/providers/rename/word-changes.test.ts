import { expect, test } from "vitest";
import { wordChanges } from "./word-changes.ts";

test("row 14: in a line of 2 MB only the words near its change are compared", () => {
  const front = "call(alpha, beta);".repeat(60_000);
  const back = "call(gamma);".repeat(60_000);
  const edit = {
    ...{ before: [`${front}total += count;${back}`], beforeStart: 40 },
    ...{ after: [`${front}sum += count;${back}`], afterStart: 50 },
    since: 0,
  };
  const { replaced, gone, come, isWhole } = wordChanges(edit, "\n");
  expect(replaced).toHaveLength(1);
  const [{ before, after, kept }] = replaced as [(typeof replaced)[number]];
  expect(before).toMatchObject({ word: "total", start: 40 + front.length });
  expect(after).toMatchObject({ word: "sum", start: 50 + front.length });
  expect(kept).toBeGreaterThan(0.99);
  expect({ gone, come, isWhole }).toEqual({ gone: [], come: [], isWhole: true });
});
