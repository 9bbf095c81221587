import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { law } from "../../text/edit.laws.ts";
import { applyWorkspaceEdit } from "../../text/index.ts";
import type { EditOperation } from "../edit-operation.ts";
import { linesOf, shown } from "./place-cases.laws.ts";
import { resolveOperations } from "./resolve-operations.ts";

// Lines are separated by `|`, and `…` is replaced by `// ... existing code ...`.

const queue =
  "class Queue {|  add(item) {|    this.items.push(item);|  }||  take() {|    return this.items.shift();|  }|}|";

const three = "f1() {|  a1();|}|f2() {|  b1();|}|f3() {|  c1();|}|";

const cases: Readonly<
  Record<string, readonly (readonly [name: string, before: string, answer: string, after: string])[]>
> = {
  "what stays": [
    ["in front", "aa();|bb();|cc();|", "…|cc();|dd();", "aa();|bb();|cc();|dd();| (elision)"],
    ["behind", "aa();|bb();|cc();|", "xx();|aa();|…", "xx();|aa();|bb();|cc();| (elision)"],
    ["between", "aa();|bb();|cc();|", "aa();|…|cc();|dd();", "aa();|bb();|cc();|dd();| (elision)"],
    ["with the blank lines", "aa();||bb();||cc();|", "aa();|…|cc();|dd();", "aa();||bb();||cc();|dd();| (elision)"],
    ["on both sides", "aa();|bb(1);|cc();|", "…|bb(1);|xx();|…", "aa();|bb(1);|xx();|cc();| (elision)"],
    [
      "a new import in front",
      "import a1;|import b1;|aa();|",
      "import c1;|…",
      "import c1;|import a1;|import b1;|aa();| (elision)",
    ],
    ["a new block behind", "aa();|", "…||f() {|  bb();|}", "aa();||f() {|  bb();|}| (elision)"],
  ],
  inside: [
    [
      "a new method at the end",
      queue,
      "class Queue {|  …||  size() {|    return this.items.length;|  }|}",
      queue.replace("  }|}|", "  }||  size() {|    return this.items.length;|  }|}| (elision)"),
    ],
    [
      "a changed method",
      queue,
      "class Queue {|  …|  take() {|    return this.items.pop();|  }|}",
      queue.replace("shift", "pop").concat(" (elision)"),
    ],
    [
      "a changed method without its class, indented otherwise",
      queue,
      "take() {|  return this.items.pop();|}",
      queue.replace("shift", "pop").concat(" (indentation)"),
    ],
    [
      "the beginning of a method",
      queue,
      "class Queue {|  add(item) {|    check(item);|    …|  }|…|}",
      queue.replace("    this.items.push", "    check(item);|    this.items.push").concat(" (elision)"),
    ],
    [
      "a remark that is not repeated",
      "// Adds.|add(a1) {|  return 1;|}|bb();|",
      "add(a1) {|  return 2;|}|…",
      "// Adds.|add(a1) {|  return 2;|}|bb();| (elision)",
    ],
    [
      "a first line that has more words",
      "f(a1, b1) {|  x1();|}|",
      "f(a1, b1, c1) {|  x1();|}|…",
      "f(a1, b1, c1) {|  x1();|}| (elision)",
    ],
    [
      "two lines of else",
      "if (aa) {|  b1();|} else {|  c1();|}|",
      "if (aa) {|  …|} else {|  d1();|}",
      "if (aa) {|  b1();|} else {|  d1();|}| (elision)",
    ],
    [
      "Python",
      "def aa():|    b1()|    c1()||def dd():|    e1()|",
      "def aa():|    # ...|    c1()|    x1()",
      "def aa():|    b1()|    c1()|    x1()||def dd():|    e1()| (elision)",
    ],
  ],
  "what goes": [
    ["a statement", "aa();|bb();|cc();|dd();|", "aa();|cc();|…", "aa();|cc();|dd();| (elision left-out)"],
    [
      "a function between two",
      three,
      "f1() {|  a1();|}|f3() {|  …|}",
      "f1() {|  a1();|}|f3() {|  c1();|}| (elision left-out)",
    ],
    [
      "a function beside one that changes",
      three,
      "f1() {|  x1();|}|f3() {|  c1();|}",
      "f1() {|  x1();|}|f3() {|  c1();|}| (left-out)",
    ],
    [
      "a function for another one",
      three,
      "f1() {|  x1();|}|g2() {|  y1();|}|f3() {|  z1();|}",
      "f1() {|  x1();|}|g2() {|  y1();|}|f3() {|  z1();|}| (left-out)",
    ],
    [
      "nothing, but a function goes down",
      three,
      "f1() {|  a1();|}|f3() {|  c1();|}|f2() {|  x1();|}",
      "f1() {|  a1();|}|f3() {|  c1();|}|f2() {|  x1();|}|",
    ],
    [
      "a method, of a class that is shown",
      queue,
      "class Queue {|  take() {|    return this.items.shift();|  }|}",
      "class Queue {|  take() {|    return this.items.shift();|  }|}| (left-out)",
    ],
    ["lines of a function", "f1() {|  if (a1) {|    b1();|  }|  c1();|}|", "f1() {|  d1();|}", "f1() {|  d1();|}|"],
  ],
  refused: [
    ["a function between two that change", three, "f1() {|  x1();|}|f3() {|  z1();|}", `${three} !elided-code`],
    ["a function between two parts", three, "f1() {|  x1();|  …|}|f3() {|  …|  z1();|}", `${three} !elided-code`],
    [
      "a function below an import",
      `import a1;|${three}`,
      "import a1;|f3() {|  z1();|}",
      `import a1;|${three} !elided-code`,
    ],
    [
      "two functions for one",
      `${three}f4() {|  d1();|}|`,
      "f1() {|  x1();|}|g1() {|  y1();|}|f4() {|  z1();|}",
      `${three}f4() {|  d1();|}| !elided-code`,
    ],
    ["a function that goes up", three, "f2() {|  b1();|}|f1() {|  a1();|}|f3() {|  z1();|}", `${three} !elided-code`],
    ["a function that goes down", three, "f2() {|  x1();|}|f1() {|  a1();|}|…", `${three} !elided-code`],
    [
      "a method of a class that changes",
      queue,
      "class Queue {|  take() {|    return 1;|  }|}",
      `${queue} !elided-code`,
    ],
    [
      "a method of a class in which rows stand for others",
      queue,
      "class Queue {|  take() {|    …|    return 1;|  }|}",
      `${queue} !elided-code`,
    ],
    ["a statement between rows", "aa();|bb();|cc();|", "aa();|…|xx();|…|cc();", "aa();|bb();|cc();| !elided-code"],
    ["nothing that is there", "aa();|bb();|", "xx();|yy();", "aa();|bb();| !not-found"],
    [
      "a place that is there twice",
      "if (a1) {|  b1();|}|if (a1) {|  b1();|}|",
      "if (a1) {|  c1();|}",
      "if (a1) {|  b1();|}|if (a1) {|  b1();|}| !elided-code",
    ],
    [
      "a method of two classes",
      "class A1 {|  f1() {|    x1();|  }|}|class B1 {|  f1() {|    x1();|  }|}|",
      "f1() {|  y1();|}",
      "class A1 {|  f1() {|    x1();|  }|}|class B1 {|  f1() {|    x1();|  }|}| !not-found",
    ],
    ["nothing new", "aa();|bb();|", "aa();|…", "aa();|bb();| !no-change"],
  ],
};

for (const [name, list] of Object.entries(cases)) {
  describe(`elided code, ${name}`, () => {
    for (const [what, before, answer, after] of list) {
      test(what, () => expect(shown(before, elided(answer))).toBe(after));
    }
  });
}

test("deleted lines are reported, and lines that would be deleted are shown", () => {
  const files = new Map([["a.ts", three.replaceAll("|", "\n")]]);
  const resolve = (answer: string) => resolveOperations([elided(answer)], files);
  expect(resolve("f1() {|  a1();|}|f3() {|  z1();|}").normalizations).toMatchObject([
    { kind: "left-out", message: expect.stringMatching(/^Lines 4 to 6 go, .*: "f2\(\) \{", and 2 lines more\.$/) },
  ]);
  expect(resolve("f1() {|  x1();|}|f3() {|  z1();|}").refusals).toMatchObject([
    { kind: "elided-code", nearest: [{ start: 3, lines: ["f2() {", "  b1();", "}"] }] },
  ]);
});

test("an elision row in a new file is refused", () => {
  expect(shown("", { ...elided("aa();|…"), path: "b.ts" })).toBe(" !elided-code");
});

function elided(answer: string): EditOperation {
  return {
    kind: "elided",
    row: 0,
    path: undefined,
    lines: linesOf(answer.replaceAll("…", "// ... existing code ...")),
  };
}

test("lines with ever deeper indentation are refused", () => {
  const deep = Array.from({ length: 2_000 }, (_, i) => `${" ".repeat(i)}a${i}();`);
  const answer = deep
    .slice(0, 1_000)
    .concat(`${" ".repeat(1_000)}// ... existing code ...`, "x1();")
    .join("|");
  expect(shown(`${deep.join("|")}|`, elided(answer))).toMatch(/ !elided-code$/);
});

const anyParts = fc.array(fc.tuple(fc.nat(6), fc.constantFrom("same", "changed", "part", "left-out")), {
  maxLength: 8,
});

law("no function is deleted without a report", [fc.integer({ min: 2, max: 7 }), anyParts], (count, parts) => {
  const printed = (i: number, body: string) => `f${i}(a${i}) {\n  ${body};\n  b${i}();\n}\n`;
  const file = Array.from({ length: count }, (_, i) => printed(i, `a${i}()`)).join("\n");
  const answer = parts.map(([i, how]) =>
    how === "left-out"
      ? "// ... existing code ..."
      : printed(i, how === "same" ? `a${i}()` : how === "part" ? "// ... existing code ..." : `x${i}()`),
  );
  const ask: EditOperation = { kind: "elided", row: 0, path: undefined, lines: answer.join("\n").split("\n") };
  const { edit, normalizations, refusals } = resolveOperations([ask], new Map([["a.ts", file]]));
  const outcome = applyWorkspaceEdit(new Map([["a.ts", file]]), edit);
  const text = outcome.kind === "applied" ? outcome.files.get("a.ts")! : "";
  const heads = Array.from({ length: count }, (_, i) => `f${i}(a${i}) {`);
  const gone = heads.filter((head) => !text.includes(head));
  const twice = heads.filter((head) => text.split(head).length > 2);
  const isWrittenTwice = (head: string) => answer.filter((part) => part.includes(head)).length > 1;
  expect(twice.filter((head) => !isWrittenTwice(head))).toEqual([]);
  fc.pre(gone.length > 0);
  expect([...normalizations, ...refusals].map(({ kind }) => kind)).toContain("left-out");
});
