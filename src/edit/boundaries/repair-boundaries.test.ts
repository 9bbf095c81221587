import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { openSyntax } from "../../syntax/node/index.ts";
import { hasRepeatedLine } from "./boundary-evidence.ts";
import type { AnchoredSplice, BoundaryAnswer } from "./boundary-repair.ts";
import { repairBoundaries } from "./repair-boundaries.ts";
import { spliceLines } from "./splice-checker.ts";

const syntax = openSyntax();
afterAll(() => syntax[Symbol.dispose]());

const paths: Readonly<Record<string, string>> = { typescript: "a.ts", python: "a.py", go: "a.go", scss: "a.scss" };

async function repair(language: string, text: string, splices: readonly AnchoredSplice[]): Promise<BoundaryAnswer> {
  const path = paths[language] ?? "a.txt";
  const errors = async (content: string) => (await syntax.syntaxErrors({ uri: path, language, text: content })).length;
  const before = await errors(text);
  return repairBoundaries({ path, language, text, splices }, async (after) =>
    Math.max(0, (await errors(after)) - before),
  );
}

/**
 * A change in diff notation: the rows with ` ` and `-` are the file, the rows with `+` are the new
 * lines.
 */
function read(diff: string): { lines: string[]; splices: AnchoredSplice[] } {
  const lines: string[] = [];
  const splices: { start: number; end: number; lines: string[] }[] = [];
  let open: (typeof splices)[number] | undefined;
  for (const row of diff.replace(/^\n|\n *$/g, "").split("\n")) {
    const [mark, line] = [row.charAt(0), row.slice(1)];
    if (mark !== "-" && mark !== "+") open = undefined;
    else if (open === undefined) {
      open = { start: lines.length, end: lines.length, lines: [] };
      splices.push(open);
    }
    if (mark === "+") open!.lines.push(line);
    else lines.push(line);
    if (mark === "-") open!.end++;
  }
  return { lines, splices };
}

interface Case {
  readonly name: string;
  readonly language: string;
  /** The change as the answer has it. */
  readonly answer: string;
  /** A line of the file that the answer quotes, from 0. */
  readonly anchors?: readonly (readonly [line: number, opening: string])[];
  /** The intended change, or what is expected: no report, or a doubt. */
  readonly made: string | "unnoticed" | "doubted";
}

/** Lines that stay, each followed by a blank line. */
const spaced = Array.from({ length: 20 }, (_, i) => ` const name${i} = ${i};\n `).join("\n");

/** Methods that stay, each followed by a blank line. */
const methods = Array.from(
  { length: 8 },
  (_, i) => `   public name${i}() {\n     return this.names.at(${i});\n   }\n `,
).join("\n");

const cases: readonly Case[] = [
  {
    name: "the last row took the place of the closing brace",
    language: "typescript",
    answer: `
 export function add(a: number, b: number) {
-  return a + b;
-}
+  const sum = a + b;
+  return sum;
 
 export const one = 1;`,
    made: `
 export function add(a: number, b: number) {
-  return a + b;
+  const sum = a + b;
+  return sum;
 }
 
 export const one = 1;`,
  },
  {
    name: "the head of the function is taken, too",
    language: "typescript",
    answer: `
 const one = 1;
 
-export function size(names: string[]) {
-  return names.length;
+  return names.length + one;
 }`,
    made: `
 const one = 1;
 
 export function size(names: string[]) {
-  return names.length;
+  return names.length + one;
 }`,
  },
  {
    name: "the closing brace comes again",
    language: "typescript",
    answer: `
 export function size(names: string[]) {
-  return names.length;
+  return names.length + 1;
+}
 }
 
 export const one = 1;`,
    made: `
 export function size(names: string[]) {
-  return names.length;
+  return names.length + 1;
 }
 
 export const one = 1;`,
  },
  {
    name: "a line before comes again, and all would parse",
    language: "typescript",
    answer: `
 const first = open("first");
-const second = open("second");
+const first = open("first");
+const second = open("third");
 
 run(first, second);`,
    made: `
 const first = open("first");
-const second = open("second");
+const second = open("third");
 
 run(first, second);`,
  },
  {
    name: "both lines around come again",
    language: "typescript",
    answer: `
 export function size(names: string[]) {
-  return names.length;
+export function size(names: string[]) {
+  return names.length + 1;
+}
 }`,
    made: `
 export function size(names: string[]) {
-  return names.length;
+  return names.length + 1;
 }`,
  },
  {
    name: "a line that is there often may come again",
    language: "typescript",
    answer: `
 step();
-step();
+step();
+jump();
 step();`,
    made: "unnoticed",
  },
  {
    name: "a correct change",
    language: "typescript",
    answer: `
 export function size(names: string[]) {
-  return names.length;
+  return names.length + 1;
 }`,
    made: "unnoticed",
  },
  {
    name: "new lines that are broken in themselves",
    language: "typescript",
    answer: `
 export function size(names: string[]) {
-  return names.length;
+  return names.length + (;
 }`,
    made: "doubted",
  },
  {
    name: "nothing tells which line to keep",
    language: "typescript",
    answer: `
 f(() => {
   alpha();
-  beta();
-});
+  gamma = 1;
 
 f(() => {
   delta();
 });`,
    made: "doubted",
  },
  {
    name: "a blank line in the place of a head",
    language: "typescript",
    answer: `
 const one = 1;
-function size(names: string[]) {
+
   return names.length;
 }`,
    made: "doubted",
  },
  {
    name: "nothing but a blank line would be left",
    language: "typescript",
    answer: `
 read("one");
-// two
+
+read("three");
 read("three");`,
    made: "doubted",
  },
  {
    name: "a method ends below what it should",
    language: "python",
    answer: `
 class Names:
     def size(self):
-        return len(self.names)
-    def first(self):
+        return len(self.names) + 1
         return self.names[0]`,
    made: "unnoticed",
  },
  {
    name: "the head of a block is gone",
    language: "python",
    answer: `
 def size(names, more):
-    total = len(names)
-    if more:
+    total = len(names) + 1
         total += len(more)
     return total`,
    made: "doubted",
  },
  {
    name: "a lost brace where only brackets are known",
    language: "scss",
    answer: `
 .name {
-  color: red;
-}
+  color: blue;
 
 .other {
   color: red;
 }`,
    made: `
 .name {
-  color: red;
+  color: blue;
 }
 
 .other {
   color: red;
 }`,
  },
  {
    name: "a sentence comes again",
    language: "plaintext",
    answer: `
 The first line of all.
-The second one.
+The first line of all.
+The second line.
 :)`,
    made: `
 The first line of all.
-The second one.
+The second line.
 :)`,
  },
  {
    name: "a smile is no bracket",
    language: "plaintext",
    answer: `
 The first line.
-The second one.
+The second one :(`,
    made: "unnoticed",
  },
  {
    name: "anchors are a line above",
    language: "typescript",
    answer: `
 const one = read("one");
 const two = read("two");
-const three = read("three");
+const two = read("2");
 const four = read("four");`,
    anchors: [[2, "const two"]],
    made: `
 const one = read("one");
-const two = read("two");
+const two = read("2");
 const three = read("three");
 const four = read("four");`,
  },
  {
    name: "the last anchor is a line above",
    language: "typescript",
    answer: `
 const one = read("one");
-const two = read("two");
-const three = read("three");
-const four = read("four");
+const both = read("2, 3");`,
    anchors: [
      [1, "const two"],
      [3, "const three"],
    ],
    made: `
 const one = read("one");
-const two = read("two");
-const three = read("three");
+const both = read("2, 3");
 const four = read("four");`,
  },
  {
    name: "anchors that agree keep a range that breaks the file",
    language: "typescript",
    answer: `
 export function size(names: string[]) {
-  return names.length;
-}
+  return names.length + 1;
 `,
    anchors: [
      [1, "return names"],
      [2, "}"],
    ],
    made: "doubted",
  },
  {
    name: "an anchor that is nowhere",
    language: "typescript",
    answer: `
 const one = 1;
-const two = 2;
+const two = 3;`,
    anchors: [[1, "const three"]],
    made: "doubted",
  },
  {
    name: "an end whose anchor is at its number stays",
    language: "typescript",
    answer: `
 read("zero");
-read("one");
-read("two");
-
-
+read("three");
 write("four");`,
    anchors: [
      [1, 'read("two'],
      [4, ""],
    ],
    made: `
 read("zero");
 read("one");
-read("two");
-
-
+read("three");
 write("four");`,
  },
  {
    name: "the new lines begin with the line that the range should begin with",
    language: "typescript",
    answer: `
 const one = read("one");
-const two = read("two");
-const three = read("three");
+const one = read("one");
+const both = read("2, 3");`,
    anchors: [
      [1, "const one"],
      [2, "const three"],
    ],
    made: `
 const one = read("one");
-const two = read("two");
-const three = read("three");
+const both = read("2, 3");`,
  },
  {
    name: "two ways to delete the same lines",
    language: "typescript",
    answer: `
 read("one");
-
-read("two");
-read("three");
-
 read("four");`,
    anchors: [
      [1, 'read("two'],
      [4, ""],
    ],
    made: `
 read("one");
 
-read("two");
-read("three");
-
 read("four");`,
  },
  {
    name: "two places fit the anchors",
    language: "typescript",
    answer: `
 step();
-jump();
+leap();
 step();`,
    anchors: [[1, "step"]],
    made: "doubted",
  },
  {
    name: "a blank line that may be doubled, since others are",
    language: "typescript",
    answer: `
${spaced}
 
 const four = 4;
 
+
+export const five = 5;
+
+const six = read();
 const six = read();
 
 const seven = 7;`,
    anchors: [[42, ""]],
    made: "doubted",
  },
  {
    name: "a blank line in a file that doubles none",
    language: "typescript",
    answer: `
 const one = 1;
 
 const two = 2;
 
 const three = 3;
 
 const four = 4;
 
+
+export const five = 5;
+
+const six = read();
 const six = read();
 
 const seven = 7;`,
    anchors: [[7, ""]],
    made: `
 const one = 1;
 
 const two = 2;
 
 const three = 3;
 
 const four = 4;
 
+export const five = 5;
+
 const six = read();
 
 const seven = 7;`,
  },
  {
    name: "a blank line in the place of a line, and nothing else of its own",
    language: "typescript",
    answer: `
 import { one } from "one";
-import { two } from "two";
+import { one } from "one";
+
 
 const three = 3;
 
 const four = 4;
 
 const five = 5;`,
    anchors: [[1, "import { two"]],
    made: "doubted",
  },
  {
    name: "a method in the place of a blank line, or behind it",
    language: "typescript",
    answer: `
 class Names {
${methods}
-  public last() {
+  public second() {
+    const names = this.read();
+    return names[1];
+  }
     if (this.isEmpty()) {
       return undefined;
     }
     return this.names.at(-1);
   }
 }`,
    made: "doubted",
  },
  {
    name: "a line of a list that may come twice, since others do",
    language: "typescript",
    answer: `
 type Children<T> = T extends Options<
   Some,
   Some,
   Some,
   Some,
   Some,
   Some,
+  Some,
+  Some,
+  Some,
+  infer More,
   infer More,
   Some
 > ? More : never;`,
    anchors: [[6, "Some"]],
    made: "doubted",
  },
  {
    name: "a line that comes again with another indentation",
    language: "typescript",
    answer: `
 function size() {
-    if (one)
-      read();
+  if (one) {
+    read();
+  }
+  write();
     write();
 }`,
    anchors: [
      [1, "if"],
      [2, "read"],
    ],
    made: "doubted",
  },
  {
    name: "of two places that fit the anchor one is indented alike",
    language: "typescript",
    answer: `
 function size() {
   if (one) {
     if (two) {
       read();
+    write(two);
     }
   }
 }`,
    anchors: [[3, "}"]],
    made: `
 function size() {
   if (one) {
     if (two) {
       read();
     }
+    write(two);
   }
 }`,
  },
  {
    name: "an insertion behind the anchored line",
    language: "typescript",
    answer: `
 const one = 1;
 const two = 2;
+const more = 3;
 const four = 4;`,
    anchors: [[1, "const one"]],
    made: `
 const one = 1;
+const more = 3;
 const two = 2;
 const four = 4;`,
  },
  {
    name: "of two changes one takes the brace",
    language: "typescript",
    answer: `
 export function size(names: string[]) {
-  return names.length;
-}
+  return names.length + 1;
 
 export function first(names: string[]) {
-  return names[0];
+  return names[1];
 }`,
    made: `
 export function size(names: string[]) {
-  return names.length;
+  return names.length + 1;
 }
 
 export function first(names: string[]) {
-  return names[0];
+  return names[1];
 }`,
  },
  {
    name: "both changes take a brace",
    language: "typescript",
    answer: `
 export function size(names: string[]) {
-  return names.length;
-}
+  return names.length + 1;
 
 export function first(names: string[]) {
-  return names[0];
-}
+  return names[1];
 `,
    made: `
 export function size(names: string[]) {
-  return names.length;
+  return names.length + 1;
 }
 
 export function first(names: string[]) {
-  return names[0];
+  return names[1];
 }
 `,
  },
  {
    name: "two changes that are whole only together",
    language: "typescript",
    answer: `
 const a = read();
+if (a) {
 write(a);
+}
 close();`,
    made: "unnoticed",
  },
];

describe("a change", () => {
  for (const { name, language, answer, anchors, made } of cases) {
    test(name, async () => {
      const { lines, splices } = read(answer);
      const quoted = (anchors ?? []).map(([line, opening]) => ({ line, opening }));
      const given = splices.map((splice) => (quoted.length > 0 ? { ...splice, anchors: quoted } : splice));
      for (const ending of ["\n", "\r\n"]) {
        const found = await repair(language, [...lines, ""].join(ending), given);
        const isMade = made !== "unnoticed" && made !== "doubted";
        const expected = isMade ? read(made).splices : splices;
        expect(spliceLines(lines, found.splices)).toEqual(spliceLines(lines, expected));
        const noticed = found.repairs.length > 0 ? "repaired" : found.doubts.length > 0 ? "doubted" : "unnoticed";
        expect(noticed).toBe(isMade ? "repaired" : made);
        for (const { evidence, message } of found.repairs) {
          expect(evidence).not.toEqual([]);
          expect(message).toMatch(/^[A-Z].*\.$/);
        }
      }
    });
  }
});

describe("laws", () => {
  const line = fc.constantFrom(
    "",
    "}",
    "  }",
    "call {",
    "  read(one);",
    "  read(two);",
    "write a line of words",
    "end",
  );
  const file = fc.array(line, { minLength: 1, maxLength: 12 });
  /** Cuts the file at ascending places and makes every second stretch a change. */
  const splicesOf = (lines: readonly string[], cuts: readonly number[], fresh: readonly (readonly string[])[]) => {
    const places = cuts.map((cut) => cut % (lines.length + 1)).sort((a, b) => a - b);
    return fresh.flatMap((made, i) => {
      const [start, end] = [places[2 * i], places[2 * i + 1]];
      return start === undefined || end === undefined ? [] : [{ start, end, lines: made }];
    });
  };
  const input = fc
    .record({
      lines: file,
      cuts: fc.array(fc.nat(100), { maxLength: 6 }),
      fresh: fc.array(fc.array(line, { maxLength: 4 }), { maxLength: 3 }),
      /** Decides at random which texts parse: a third of them. */
      salt: fc.nat(),
      language: fc.constantFrom("plaintext", "typescript", "python"),
    })
    .map(({ lines, cuts, fresh, ...rest }) => ({ ...rest, lines, splices: splicesOf(lines, cuts, fresh) }));

  const run = async ({
    lines,
    splices,
    salt,
    language,
  }: {
    lines: string[];
    splices: AnchoredSplice[];
    salt: number;
    language: string;
  }) => {
    const parses = (text: string) =>
      [...text].reduce((sum, character) => (sum * 31 + character.charCodeAt(0)) % 9973, salt) % 3 === 0;
    const text = lines.map((one) => `${one}\n`).join("");
    const errors = async (content: string) => (parses(content) ? 0 : 1);
    const answer = await repairBoundaries({ path: "a", language, text, splices }, errors);
    return { answer, parses };
  };

  test("a repair moves an end by at most two lines, drops at most two at either edge, and leaves a file that parses", async () => {
    let repaired = 0;
    await fc.assert(
      fc.asyncProperty(input, async (given) => {
        const { answer, parses } = await run(given);
        expect(answer.splices.length).toBe(given.splices.length);
        for (const [at, { start, end, lines }] of answer.splices.entries()) {
          const before = given.splices[at]!;
          expect(Math.abs(start - before.start)).toBeLessThanOrEqual(2);
          expect(Math.abs(end - before.end)).toBeLessThanOrEqual(2);
          const dropped = before.lines.length - lines.length;
          expect(dropped).toBeLessThanOrEqual(4);
          const from = Array.from({ length: Math.min(2, dropped) + 1 }, (_, i) =>
            before.lines.slice(i, i + lines.length),
          );
          expect(from).toContainEqual(lines);
        }
        const after = spliceLines(
          given.lines,
          answer.splices.toSorted((a, b) => a.start - b.start || a.end - b.end),
        );
        const isRepaired = answer.repairs.length > 0;
        expect(isRepaired && !parses(after.map((one) => `${one}\n`).join(""))).toBe(false);
        if (isRepaired) repaired += 1;
      }),
      { numRuns: 400 },
    );
    expect(repaired).toBeGreaterThan(10);
  });

  test("without evidence nothing changes", () =>
    fc.assert(
      fc.asyncProperty(input, async ({ lines, splices, language }) => {
        fc.pre(language !== "python" && splices.every((splice) => !hasRepeatedLine(lines, splice)));
        const given = { path: "a", language, text: lines.map((one) => `${one}\n`).join(""), splices };
        expect(await repairBoundaries(given, async () => 0)).toEqual({ splices, repairs: [], doubts: [] });
      }),
    ));
});
