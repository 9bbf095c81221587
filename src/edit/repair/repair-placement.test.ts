import { afterAll, expect, test } from "vitest";
import { range, readAnswer, resolveOperations } from "../../formats/index.ts";
import { openSyntax } from "../../syntax/node/index.ts";
import { applyWorkspaceEdit } from "../../text/index.ts";
import { repairPlacement } from "./repair-placement.ts";

const syntax = openSyntax();
afterAll(() => syntax[Symbol.dispose]());

const text = "function f(a) {\n  one(a);\n  two(a);\n}\n\nfunction g(a) {\n  three(a);\n}\n";

interface Case {
  readonly what: string;
  /** Rows of an answer in `range`, separated by `/`. */
  readonly answer: string;
  readonly repairs: number;
  /** The number of edits that stay refused. */
  readonly refusals?: number;
  /** The lines after it, separated by `/`. */
  readonly after: string;
}

const cases: readonly Case[] = [
  {
    what: "a right edit stays",
    answer: "@@ 2 one(a)/  uno(a);",
    repairs: 0,
    after: "function f(a) {/  uno(a);/  two(a);/}//function g(a) {/  three(a);/}/",
  },
  {
    what: "a repeated line goes",
    answer: "@@ 2 one(a)/  uno(a);/  two(a);",
    repairs: 1,
    after: "function f(a) {/  uno(a);/  two(a);/}//function g(a) {/  three(a);/}/",
  },
  {
    what: "one of two edits is repaired",
    answer: "@@ 2 one(a)/  uno(a);/@@ 7 three(a)/  tres(a);/}",
    repairs: 1,
    after: "function f(a) {/  uno(a);/  two(a);/}//function g(a) {/  tres(a);/}/",
  },
  {
    what: "an edit that was found beside its number is not doubted for that",
    answer: "@@ 4 two(a)/  dos(a);",
    repairs: 0,
    after: "function f(a) {/  one(a);/  dos(a);/}//function g(a) {/  three(a);/}/",
  },
  {
    what: "an end that takes a line too many goes to the line that is quoted",
    answer: "@@ 2-4 one | two/  uno(a);",
    repairs: 1,
    after: "function f(a) {/  uno(a);/}//function g(a) {/  three(a);/}/",
  },
  {
    what: "so does one beside an edit that is right",
    answer: "@@ 2-4 one | two/  uno(a);/@@ 7 three/  tres(a);",
    repairs: 1,
    after: "function f(a) {/  uno(a);/}//function g(a) {/  tres(a);/}/",
  },
  {
    what: "an end that takes a line too few goes to the line that is quoted",
    answer: "@@ 6-7 function g | }/function g() {/}",
    repairs: 1,
    after: "function f(a) {/  one(a);/  two(a);/}//function g() {/}/",
  },
  {
    what: "a range whose second number is lost has it again",
    answer: "@@ 2 one | two/  uno(a);",
    repairs: 1,
    after: "function f(a) {/  uno(a);/}//function g(a) {/  three(a);/}/",
  },
  {
    what: "so has one whose first number is lost",
    answer: "@@ 3 one | two/  uno(a);",
    repairs: 1,
    after: "function f(a) {/  uno(a);/}//function g(a) {/  three(a);/}/",
  },
  {
    what: "an end that is quoted in vain is left to the model, and the others are placed",
    answer: "@@ 2-4 one | five/  uno(a);/@@ 7 three/  tres(a);",
    repairs: 0,
    refusals: 1,
    after: "function f(a) {/  one(a);/  two(a);/}//function g(a) {/  tres(a);/}/",
  },
  {
    what: "where one is left, the others are judged without it",
    answer: "@@ 2-3 one | five/  uno(a) {/@@ 7 three/  tres(a);/}",
    repairs: 1,
    refusals: 1,
    after: "function f(a) {/  one(a);/  two(a);/}//function g(a) {/  tres(a);/}/",
  },
  {
    what: "an edit that does not parse at the line that is quoted is left to the model",
    answer: "@@ 2-4 one | two/  uno(a) {",
    repairs: 0,
    refusals: 1,
    after: "function f(a) {/  one(a);/  two(a);/}//function g(a) {/  three(a);/}/",
  },
  {
    what: "an edit at the lines of another one is left to the model",
    answer: "@@ 2-3 one | two/  uno(a);/@@ 3-4 one | two/  dos(a);",
    repairs: 0,
    refusals: 1,
    after: "function f(a) {/  uno(a);/}//function g(a) {/  three(a);/}/",
  },
];

for (const { what, answer, repairs, refusals = 0, after } of cases) {
  for (const ending of ["\n", "\r\n"]) {
    test(`${what}, lines ending with ${JSON.stringify(ending)}`, async () => {
      const files = new Map([["a.js", text.replaceAll("\n", ending)]]);
      const written = `${answer.replaceAll("/", "\n")}\n@@ end\n`;
      const { operations } = readAnswer(range.read({ paths: ["a.js"] }), written);
      const repaired = await repairPlacement(resolveOperations(operations, files), files, { syntax, known: new Map() });
      const applied = applyWorkspaceEdit(files, repaired.edit);
      expect(applied.kind === "applied" && applied.files.get("a.js")).toBe(after.replaceAll("/", ending));
      expect(repaired.repairs).toHaveLength(repairs);
      expect(repaired.refusals).toHaveLength(refusals);
      expect(repaired.placed).toHaveLength(operations.length - refusals);
      expect(repaired.warnings).toEqual([]);
    });
  }
}
