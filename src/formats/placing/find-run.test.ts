import fc from "fast-check";
import { expect } from "vitest";
import { law } from "../../text/edit.laws.ts";
import { findRun } from "./find-run.ts";

const letters = (maxLength: number) => fc.array(fc.constantFrom("a", "b"), { maxLength });

law("findRun agrees with checking every place", [letters(4), letters(20)], (run, items) => {
  const naive = items.flatMap((_, i) => (run.every((item, k) => items[i + k] === item) ? [i] : []));
  expect(findRun(run, items)).toEqual(run.length === 0 ? [] : naive);
});
