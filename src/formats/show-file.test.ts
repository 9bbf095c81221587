import { expect, test } from "vitest";
import { closesFence, fenceFor, showFenced, showNumbered, tryReadFence } from "./show-file.ts";

test("fenceFor returns a fence longer than any in the text", () => {
  expect(fenceFor("a")).toBe("```");
  expect(fenceFor("a `b` ``c``")).toBe("```");
  expect(fenceFor("````ts\n```\n")).toBe("`````");
});

test("a file is shown with its path, its language and numbers", () => {
  expect(showFenced("src/a.ts", showNumbered("a\r\n\n  ```", ":"))).toBe(
    "# src/a.ts\n\n````ts\n1:a\n2:\n3:  ```\n````\n",
  );
  expect(showFenced("Makefile", "")).toBe("# Makefile\n\n```\n```\n");
  expect(showFenced("a.py", "x")).toBe("# a.py\n\n```py\nx\n```\n");
});

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
