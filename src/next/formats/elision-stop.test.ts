import { expect, test } from "vitest";
import { chat } from "./chat.ts";
import { fillInTheMiddle } from "./fill-in-the-middle.ts";
import { play, promptInputOf, readAs } from "./format.laws.ts";
import { sweep } from "./sweep.ts";
import { unified } from "./unified.ts";
import { zeta21 } from "./zeta-2-1.ts";

const input = "«let a = 0|;\nfor (;;) {\n  b();\n}\nreturn a;\n»";
const kept = input.replace(/[«»|]/g, "");
const leftOut = (row: string) =>
  `(unreadable: The answer contains ${JSON.stringify(row)} in place of lines that it leaves out.)`;

test.each([
  ["chat", chat, "```\nlet a = 5;\n// ... rest unchanged\n```", "// ... rest unchanged"],
  ["unified", unified, "<EDIT>\nlet a = 5;\n// ... existing code ...\n</EDIT>", "// ... existing code ..."],
  ["dots alone in the middle", unified, "<EDIT>\nlet a = 5;\n// ...\nreturn a;\n</EDIT>", "// ..."],
  ["text for the cursor", unified, "<INSERT>\n\nc();\n// ... rest of the code\n</INSERT>", "// ... rest of the code"],
  ["sweep", sweep, "let a = 5;\n...\n", "..."],
  ["numbered blocks", zeta21, "<|marker_1|>let a = 5;\n// ... same\n<|marker_2|>", "// ... same"],
  ["fill in the middle", fillInTheMiddle, ";\n// ... existing code ...\n", "// ... existing code ..."],
])("a format stops at a placeholder for left-out lines: %s", async (_, format, answer, row) =>
  expect(await readAs(format, input, answer)).toBe(kept + leftOut(row)),
);

test("edits before the placeholder stay", async () => {
  const answer = "<EDIT>\nlet a = 5;\nfor (;;) {\n  b();\n// ... rest unchanged\n</EDIT>";
  const { text, end } = await play(unified, promptInputOf(input), [answer]);
  expect([text, end.kind]).toEqual([kept.replace("a = 0", "a = 5"), "unreadable"]);
});

/** Lines that look like a placeholder, in place of `b();`. */
test.each([
  ["a spread", "  ...b,"],
  ["a text", '  "..."'],
  ["a call", "  b(...c);"],
  ["a remark of something", "  // b the rest of c"],
  ["a remark behind code", "  c(); // ... existing code ..."],
])("a line that looks like a placeholder is code: %s", async (_, line) => {
  const answer = `<EDIT>\nlet a = 0;\nfor (;;) {\n${line}\n}\nreturn a;\n</EDIT>`;
  const { text, end } = await play(unified, promptInputOf(input), [answer]);
  expect([text, end]).toEqual([kept.replace("  b();", line), { kind: "read" }]);
});

test.each([
  ["in the window", "«a|\n// ... existing code ...\nb\n»"],
  ["elsewhere in the file", "// ... existing code ...\n«a|\nb\n»"],
])("a line that looks like a placeholder is code where it occurs %s", async (_, notation) => {
  const answer = "<EDIT>\nc\n  // ... existing code ...\nb\n</EDIT>";
  expect((await play(unified, promptInputOf(notation), [answer])).end).toEqual({ kind: "read" });
});

test("a line of dots alone is code in Python", async () => {
  const python = promptInputOf("«def f():|\n»", { path: "a.py", language: "python" });
  expect((await play(unified, python, ["<EDIT>\ndef f():\n    ...\n</EDIT>"])).text).toBe("def f():\n    ...\n");
});
