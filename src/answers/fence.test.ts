import { expect, test } from "vitest";
import { closesFence, closingFenceAt, FenceState, tryReadFence } from "./fence.ts";

const fences: readonly (readonly [row: string, expected: string | undefined])[] = [
  ["```", "``` "],
  ["```ts", "``` ts"],
  ["  ~~~~ a b ", "~~~~ a b"],
  ["    ```", undefined],
  ["``` a `", undefined],
  ["``", undefined],
  ["a ```", undefined],
];

for (const [row, expected] of fences) {
  test(`tryReadFence reads the row ${row}`, () => {
    const fence = tryReadFence(row);
    expect(fence && `${fence.marks} ${fence.info}`).toBe(expected);
  });
}

test("a fence is closed by the same mark, not by a shorter one or one with a language", () => {
  const opening = tryReadFence("````md")!;
  const closes = (row: string) => closesFence(tryReadFence(row)!, opening);
  expect(["````", "`````", "```", "````ts", "~~~~"].map(closes)).toEqual([true, true, false, false, false]);
});

test.each([
  ["```/a/```", 2],
  ["```/a", undefined],
  ["```/```ts/```/```", 3],
  ["```/~~~ts/```", 2],
  ["````/```ts/````", 2],
  ["```/````ts/````/````", 3],
])("the block that the first of the rows %j opens is closed by row %s", (joined, expected) => {
  const rows = joined.split("/");
  expect(closingFenceAt(rows, 1, tryReadFence(rows[0]!)!)).toBe(expected);
});

test.each([
  ["a", ""],
  ["```ts/a", "```"],
  ["```ts/a/```", ""],
  ["````/```/a", "````"],
  ["~~~\r/```\r", "~~~"],
  ["```/a/```\r/~~~~", "~~~~"],
])("the open fence behind the rows %j is %j", (rows, marks) => {
  const fences = new FenceState();
  for (const row of rows.split("/")) fences.take(row);
  expect(fences.open?.marks ?? "").toBe(marks);
});
