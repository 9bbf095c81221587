import { expect, test } from "vitest";
import { printCodeFrame } from "./repair-prompt.ts";

test("a code frame marks edited lines and puts remarks after their lines", () => {
  const lines = Array.from({ length: 12 }, (_, i) => (i === 10 ? "" : `line ${i}`));
  const frame = printCodeFrame({
    lines,
    shown: { start: 8, end: 12 },
    edited: [{ start: 9, end: 11 }],
    remarks: [
      { line: 9, text: "opened here" },
      { line: 9, text: "twice" },
      { line: 2, text: "not shown" },
    ],
  });
  expect(frame).toBe(
    ["   9 | line 8", "+ 10 | line 9   <-- opened here; twice", "+ 11 |", "  12 | line 11"].join("\n"),
  );
});
