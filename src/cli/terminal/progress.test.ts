import { expect, test } from "vitest";
import { openActivityLine, openProgressBar, progressLine } from "./progress.ts";

const half = { phase: "learning", files: 1204, totalFiles: 2408, bytes: 2_100_000, totalBytes: 4_200_000 } as const;

test.each([
  [half, 80, "Learning ███████████████░░░░░░░░░░░░░░░  50%  1,204 files  2.1 of 4.2 MB"],
  [half, 50, "Learning ████░░░░  50%  1,204 files  2.1 of 4.2 MB"],
  [half, 30, "Learning  50%  1,204 files  2."],
  [{ ...half, phase: "looking" }, 80, "Looking for sources: 1,204 files"],
] as const)("%j in %d columns", (progress, columns, expected) => {
  const line = progressLine(progress, columns);
  expect(line).toBe(expected);
  expect(line.length).toBeLessThanOrEqual(columns);
});

test("progress is drawn after a delay and at a limited rate, and erased at the end", () => {
  let printed = "";
  let time = 0;
  const err = (text: string) => {
    printed += text;
  };
  const bar = openProgressBar({ err, isWatched: true, columns: 60, now: () => time });
  bar.show(half);
  expect(printed).toBe("");
  time = 300;
  bar.show(half);
  time = 310;
  bar.show(half);
  expect(printed.split("\r")).toHaveLength(2);
  bar[Symbol.dispose]();
  expect(printed.endsWith("\r\u001b[K")).toBe(true);
  time = 900;
  bar.show(half);
  expect(printed.split("\r")).toHaveLength(3);
});

test.each([
  ["Reading größe.ts", 12, "Reading grö"],
  ["Reading 価格.ts", 12, "Reading 価"],
  ["Reading 👩‍👩‍👧.ts", 12, "Reading 👩‍👩‍👧."],
])("the activity %j takes less than %d columns", async (text, columns, expected) => {
  let printed = "";
  let time = 0;
  const err = (part: string) => {
    printed += part;
  };
  const line = openActivityLine({ err, isWatched: true, columns, now: () => time });
  time = 300;
  // What measures columns is loaded for the first text that needs it.
  line.show(text);
  expect(printed).toBe("");
  await import("./clip-row.ts");
  line.show(text);
  expect(printed).toBe(`\r${expected}\u001b[K`);
});

test("progress is not drawn without a terminal", () => {
  let printed = "";
  let time = 0;
  const bar = openProgressBar({
    err: (text) => {
      printed += text;
    },
    isWatched: false,
    columns: 60,
    now: () => time,
  });
  time = 1000;
  bar.show(half);
  bar[Symbol.dispose]();
  expect(printed).toBe("");
});
