import { describe, expect, test } from "vitest";
import type { Ask } from "./ask.ts";
import { linesOf, shown } from "./place-cases.laws.ts";

// Lines are parted by `|`, and `…` stands for `// ... existing code ...`.

const queue =
  "class Queue {|  add(item) {|    this.items.push(item);|  }||  take() {|    return this.items.shift();|  }|}|";

const cases: Readonly<
  Record<string, readonly (readonly [name: string, before: string, answer: string, after: string])[]>
> = {
  "what stays": [
    ["in front", "aa();|bb();|cc();|", "…|cc();|dd();", "aa();|bb();|cc();|dd();| (elision)"],
    ["behind", "aa();|bb();|cc();|", "xx();|aa();|…", "xx();|aa();|bb();|cc();| (elision)"],
    ["between", "aa();|bb();|cc();|", "aa();|…|cc();|dd();", "aa();|bb();|cc();|dd();| (elision)"],
    ["with the blank lines", "aa();||bb();||cc();|", "aa();|…|cc();|dd();", "aa();||bb();||cc();|dd();| (elision)"],
    ["on both sides", "aa();|bb(1);|cc();|", "…|bb(1);|xx();|…", "aa();|bb(1);|xx();|cc();| (elision)"],
    ["nothing between two", "aa();|bb();|cc();|dd();|", "aa();|cc();|…", "aa();|cc();|dd();| (elision)"],
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
  refused: [
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

test("a new file has no row that stands for code", () => {
  expect(shown("", { ...elided("aa();|…"), path: "b.ts" })).toBe(" !elided-code");
});

function elided(answer: string): Ask {
  return {
    kind: "elided",
    row: 0,
    path: undefined,
    lines: linesOf(answer.replaceAll("…", "// ... existing code ...")),
  };
}

test("lines that are indented without end are refused", () => {
  const deep = Array.from({ length: 2_000 }, (_, i) => `${" ".repeat(i)}a${i}();`);
  const answer = deep
    .slice(0, 1_000)
    .concat(`${" ".repeat(1_000)}// ... existing code ...`, "x1();")
    .join("|");
  expect(shown(`${deep.join("|")}|`, elided(answer))).toMatch(/ !elided-code$/);
});
