import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { formats } from "../formats/index.ts";
import { openSyntax } from "../syntax/node/index.ts";
import { editToJson } from "./edit-to-json.ts";
import { explainEdit, proposalOf } from "./explain-edit.ts";
import { play } from "./fixtures/play.ts";
import type { ScriptedAnswer } from "./fixtures/scripted-chat-model.ts";
import { lineFinder } from "./line-range.ts";

const syntax = openSyntax();
afterAll(() => syntax[Symbol.dispose]());

const before = Array.from({ length: 12 }, (_, i) => `function f${i}(a) {\n  g${i}(a);\n}\n`).join("");

const number = fc.integer({ min: 0, max: 40 });
/** Names a line as it is in the file. */
const lineCommand = fc.nat(35).map((index) => `@@ ${index + 1} ${before.split("\n")[index]!.trim()}`);
const command = fc.oneof(
  lineCommand,
  fc.tuple(number, number).map(([a, b]) => `@@ ${a}-${b}`),
  number.map((line) => `@@ ${line}`),
  number.map((line) => `@@ ${line} function f`),
  number.map((line) => `@@ ${line}+`),
  fc.tuple(number, number).map(([a, b]) => `@@ delete ${a}-${b}`),
);
const code = fc.constantFrom(
  "  x();",
  "}",
  "function h(a) {",
  "",
  "  if (a) {",
  "  // ... existing code ...",
  "```",
  "3\t  y();",
);
const word = fc.constantFrom(
  "@@ none",
  "@@ file b.ts",
  "@@ create ../b.ts",
  "@@ create c.ts",
  "@@ remove a.ts",
  "Sure:",
  "```ts",
);
const row = fc.oneof({ weight: 3, arbitrary: command }, { weight: 4, arbitrary: code }, { weight: 1, arbitrary: word });
/** Replaces the line in a function, so that the change parses. */
const plainEdit = fc.nat(11).map((i) => `@@ ${3 * i + 2} g${i}(a);\n  x();\n@@ end\n`);
const text = fc.oneof(
  plainEdit,
  fc.array(row, { maxLength: 8 }).map((rows) => `${rows.join("\n")}\n@@ end\n`),
  fc.array(row, { maxLength: 8 }).map((rows) => rows.join("\n")),
  fc.string({ unit: "binary", maxLength: 60 }),
);
const answer: fc.Arbitrary<ScriptedAnswer> = fc.oneof(
  { weight: 4, arbitrary: text },
  {
    weight: 1,
    arbitrary: fc.record({ text, reason: fc.constantFrom("length", "content-filter", "silent", "finished") }),
  },
);

/** Rows with a meaning in some format. */
const mark = fc.constantFrom(
  ...["a.ts", "# a.ts", "<<<<<<< SEARCH", "=======", ">>>>>>> REPLACE", "*** Begin Patch", "*** Update File: a.ts"],
  ...[
    "*** End Patch",
    "--- a/a.ts",
    "+++ b/a.ts",
    "@@",
    "+  x();",
    "-  g1(a);",
    "   g2(a);",
    "5:  x();",
    "5:",
    "_:y();",
  ],
  ...['{"path":"a.ts","old_string":"g3(a)","new_string":"x()"}', "  g4(a);", "function f4(a) {", "none:", "edit 4:4"],
);
const anyRow = fc.oneof(row, mark);
const anyText = fc.array(anyRow, { maxLength: 12 }).map((rows) => rows.join("\n"));

test("every answer in every format has an outcome", async () => {
  const format = fc.constantFrom(...formats.map(({ name }) => name));
  await fc.assert(
    fc.asyncProperty(format, fc.array(anyText, { minLength: 4, maxLength: 4 }), async (name, answers) => {
      const { outcome, model } = await play({ syntax, before, answers, format: name, maxRetries: 2 });
      expect(model.calls.length).toBeLessThanOrEqual(3);
      expect(proposalOf(outcome)?.edit.changes).not.toEqual([]);
      expect(explainEdit(outcome)).toMatch(/\n$/);
      expect(JSON.parse(JSON.stringify(editToJson(outcome)))).toEqual(editToJson(outcome));
    }),
  );
});

test("every answer has an outcome and the number of requests stays within the limit", async () => {
  let [proposed, offered] = [0, 0];
  await fc.assert(
    fc.asyncProperty(
      fc.array(answer, { minLength: 8, maxLength: 8 }),
      fc.integer({ min: 0, max: 4 }),
      fc.boolean(),
      async (answers, maxRetries, allowsWholeFiles) => {
        const { outcome, model, story, after } = await play({ syntax, before, answers, maxRetries, allowsWholeFiles });
        expect(model.calls.length).toBeLessThanOrEqual(1 + maxRetries + 2);
        expect(story).toHaveLength(model.calls.length);
        const proposal = proposalOf(outcome);
        expect(proposal?.requests ?? model.calls.length).toBe(model.calls.length);
        expect(proposal?.edit.changes).not.toEqual([]);
        expect(after).not.toEqual({ "a.ts": before });
        const files = outcome.kind === "offered" ? Object.entries(after) : [];
        for (const [path, changed] of files) {
          expect(await syntax.syntaxErrors({ uri: path, language: "typescript", text: changed })).toEqual([]);
        }
        if (proposal !== undefined) proposed += 1;
        if (outcome.kind === "offered") offered += 1;
      },
    ),
  );
  expect(proposed).toBeGreaterThan(20);
  expect(offered).toBeGreaterThan(15);
});

test("no answer changes a line far from the lines that it names", async () => {
  const anyRows = fc.oneof(fc.array(fc.oneof(command, code), { maxLength: 8 }), fc.tuple(lineCommand, code));
  let changed = 0;
  await fc.assert(
    fc.asyncProperty(anyRows, async (rows) => {
      const { outcome } = await play({ syntax, before, answers: [`${rows.join("\n")}\n@@ end\n`], maxRetries: 0 });
      const named = rows.flatMap((text) => {
        const [, from, to = from] = /^@@ (?:delete )?(\d+)(?:-(\d+))?/.exec(text) ?? [];
        return from === undefined ? [] : [[Number(from) - 1, Number(to)] as const];
      });
      // Anchors may move a place by 8 lines, and boundary repair by 2.
      const isNear = (line: number) => named.some(([start, end]) => start - 10 <= line && line <= end + 10);
      const toLines = lineFinder(before);
      const changes = proposalOf(outcome)?.edit.changes ?? [];
      const ranges = changes.flatMap((change) => (change.kind === "edit" ? change.edit.edits.map(toLines) : []));
      for (const range of ranges) {
        expect(isNear(range.start) && isNear(Math.max(range.start, range.end - 1))).toBe(true);
      }
      if (ranges.length > 0) changed += 1;
    }),
  );
  expect(changed).toBeGreaterThan(15);
});

test("the outcome is the same for any pieces of an answer", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(answer, { minLength: 4, maxLength: 4 }),
      fc.integer({ min: 1, max: 9 }),
      async (answers, pieceLength) => {
        const scene = { syntax, before, answers, maxRetries: 1 };
        const [one, other] = [await play({ ...scene, pieceLength }), await play({ ...scene, pieceLength: 1000 })];
        expect(one.outcome).toEqual(other.outcome);
        expect(one.model.calls).toEqual(other.model.calls);
      },
    ),
  );
});
