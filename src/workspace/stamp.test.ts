import { expect, test } from "vitest";
import { stampOf } from "./stamp.ts";

test.each([
  // A file changed long before it was read is trusted.
  [123.25, 200, 123.25],
  // One changed in the same tick may change again unseen.
  [190.5, 200, -1],
  [250.5, 200, -1],
  // A round number is that of a disk that counts in seconds, or in pairs of them.
  [5000, 6000, -1],
  [5000, 7001, 5000],
])("the stamp of a file changed at %d and read at %d is %d", (mtimeMs, readAtMs, stamp) => {
  expect(stampOf(mtimeMs, readAtMs)).toBe(stamp);
});
