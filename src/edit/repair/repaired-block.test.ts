import fc from "fast-check";
import { expect, test } from "vitest";
import { readRepaired } from "./repaired-block.ts";

// Rows are separated by `/`.
const block = ["  a();", "  if (b) {", "    c();", "  }"];

const cases: readonly (readonly [what: string, answer: string, expected: string])[] = [
  ["a fence", "```ts/  a();/  }/```", "  a();/  }"],
  ["words around it", "Here it is:/```/  a();/```/I closed it.", "  a();"],
  ["blank lines inside", "```//  a();//```", "/  a();/"],
  ["no lines", "```/```", ""],
  ["a shorter fence inside a longer one", "````/  a(`/```/`);/````", "  a(`/```/`);"],
  ["less indentation, as a whole", "```/a();/if (b) {/  d();/}/```", "  a();/  if (b) {/    d();/  }"],
  [
    "less indentation in the first line alone",
    "```/a();/  if (b) {/    d();/  }/```",
    "  a();/  if (b) {/    d();/  }",
  ],
  ["another indentation, and another line", "```/x();/if (b) {/```", "x();/if (b) {"],
  ["numbers of the display", "```/   7 |   a();/+  8 |/+  9 |   }/```", "  a();//  }"],
  ["numbers in a part of the rows", "```/   7 |   a();/  }/```", "   7 |   a();/  }"],
  ["no fence", "  a();", "no-edits"],
  ["two fences", "```/a/```/or/```/b/```", "unreadable-row"],
  ["a fence inside one as long", "```/a(`/```/b/```/", "unreadable-row"],
  ["a fence that is not closed", "```/a();", "cut-off"],
  ["nothing", "", "no-edits"],
];

for (const [what, answer, expected] of cases) {
  test(`a rewritten block: ${what}`, () => {
    const read = readRepaired(answer.replaceAll("/", "\n"), "a.ts", block, false);
    expect(read.kind === "lines" ? read.lines.join("/") : read.refusal.kind).toBe(expected);
  });
}

test("a cut-off answer for a block is refused", () => {
  expect(readRepaired("```\na\n```\n", "a.ts", ["a"], true)).toMatchObject({ refusal: { kind: "cut-off" } });
});

test("a fence inside of reasoning is ignored", () => {
  const read = readRepaired("<think>\n```\nb();\n```\n</think>\n```\n  a();\n```", "a.ts", block, false);
  expect(read).toMatchObject({ lines: ["  a();"] });
});

test("restored indentation of a block is reported", () => {
  const read = readRepaired("```\na();\n```", "a.ts", ["  a();"], false);
  expect(read).toMatchObject({ normalizations: [{ kind: "indentation", path: "a.ts" }] });
});

test("every answer for a block is read or refused", () => {
  const answer = fc
    .array(fc.constantFrom("```", "~~~", "````ts", "a", ""), { maxLength: 8 })
    .map((rows) => rows.join("\n"));
  fc.assert(
    fc.property(answer, (text) => {
      const read = readRepaired(text, "a.ts", ["a"], false);
      fc.pre(read.kind === "lines");
      expect(text).toContain(read.lines.join("\n"));
    }),
  );
});
