import { expect, test } from "vitest";
import { EditHistory } from "../../../context/index.ts";
import { readEdit, showEdit } from "../../../text/edit.laws.ts";
import { Edit, Lines, minimalEdit } from "../../../text/index.ts";
import { TextIndex } from "../../engine/text-index.ts";
import { contextAfter } from "../../fixtures/context-after.ts";
import type { Proposal } from "../next-edit-provider.ts";
import { ExampleProvider } from "./example-provider.ts";

/** Less likely proposals are left out: these tests are about places and edits. */
const leastLikelihood = 0.04;

/**
 * A file, line by line. `* OLD => NEW` was replaced, `*+ NEW` inserted and `*- OLD` deleted, in
 * this order; the cursor is at the last edit. `? OLD => NEW`, `?+ NEW` and `?- OLD` are the
 * expected proposals, those on adjacent lines as one; other lines begin with two blanks.
 */
const inOneFile: readonly (readonly [what: string, lines: string])[] = [
  [
    "replaces a word, also in strings and comments",
    `
    * open(userTable); => open(memberTable);
      // about it
    ? close(userTable); => close(memberTable);
      done("it");
    ? log("userTable"); => log("memberTable");`,
  ],
  [
    "adds an argument at the end of a call",
    `
    * save(order, items); => save(order, items, context);
      const done = [];
    * save(user, names); => save(user, names, context);
      done.push(names);
    ? save(basket, all(of, it)); => save(basket, all(of, it), context);`,
  ],
  [
    "adds a word before calls",
    `
    * const one = fetchPage(first); => const one = await fetchPage(first);
      show(one);
    * const two = fetchPage(second); => const two = await fetchPage(second);
      show(two);
    ? const three = fetchPage(third); => const three = await fetchPage(third);`,
  ],
  [
    "adds an ending to paths",
    `
    * import { a } from "./one/a"; => import { a } from "./one/a.js";
      start();
    * import { b } from "./one/b"; => import { b } from "./one/b.js";
      end();
    ? import { c } from "./one/c"; => import { c } from "./one/c.js";`,
  ],
  [
    "rewrites calls and keeps their arguments",
    `
    * assert.equal(sum(1, 2), 3); => expect(sum(1, 2)).toBe(3);
      log("x");
    * assert.equal(sum(2, 2), 4); => expect(sum(2, 2)).toBe(4);
      log("y");
    ? assert.equal(product(2, [3, 4]), 6); => expect(product(2, [3, 4])).toBe(6);`,
  ],
  [
    "puts a call around any argument",
    `
    * app.use("/one", load(1)); => app.use("/one", handler(load(1)));
      log("x");
    ? app.use("/two", load(2)(3) + [4, 5]); => app.use("/two", handler(load(2)(3) + [4, 5]));
      log("y");
    ? app.use("/three", three, options); => app.use("/three", handler(three), options);
      app.use("/four", handler(load(4)));`,
  ],
  [
    "puts a call around an operand that begins with a bracket",
    `
    * show("one", (1 + 2) * 3); => show("one", format((1 + 2) * 3));
      log("x");
    ? show("two", (left + right) * [2]); => show("two", format((left + right) * [2]));`,
  ],
  [
    "removes lines with the end of the line before, where another line follows directly",
    `
    * function one(): this { => function one() {
    *-   const removed = make();
    *-
        start();
      }
      // about it
    ? function two(): this { => function two() {
    ?-   const removed = make();
        const added = make();
      }`,
  ],
  [
    "splits a line into several at another indentation",
    `
    *- print(tax(1))
    *+ print(
    *+     tax(1),
    *+ )
      for x in [1]:
    ?-     print(tax(3))
    ?+     print(
    ?+         tax(3),
    ?+     )`,
  ],
  [
    "writes two lines for one, with two adjacent examples",
    `
    *- print(tax(1))
    *+ value = tax(1)
    *+ print(value)
    *- print(tax(2))
    *+ value = tax(2)
    *+ print(value)
    ?- print(tax(3))
    ?+ value = tax(3)
    ?+ print(value)
      done()
    ?- print(tax(4))
    ?+ value = tax(4)
    ?+ print(value)`,
  ],
  [
    "inserts a line before consecutive lines",
    `
    *+ log("x");
      step(1);
    *+ log("x");
      step(2);
    ?+ log("x");
      step(3);
    ?+ log("x");
      step(4);
      return total;`,
  ],
  [
    "inserts a line after an equal one",
    `
      const one = {
        kind: "circle",
    *+   isRound: true,
        size: 1,
      };
      const two = {
        kind: "circle",
    ?+   isRound: true,
        size: 1,
      };`,
  ],
  [
    "removes a line at another indentation",
    `
      function one() {
    *-   debugLog("reached");
        return 1;
      }
      if (deep) {
        if (deeper) {
    ?-     debugLog("reached");
          return 1;
        }
      }`,
  ],
  [
    "proposes adjacent lines as one step",
    `
    * oldName(1); => newName(1);
      other();
    * oldName(2); => newName(2);
      other();
    ? oldName(3); => newName(3);
    ? oldName(4); => newName(4);
      other();`,
  ],
  [
    "rewrites any quoted path after a prefix",
    `
    * read(cwd() + "/first.json"); => read(resolve(cwd(), "./first.json"));
      other();
    * read(cwd() + "/second.json"); => read(resolve(cwd(), "./second.json"));
      other();
    ? read(cwd() + "/a/third.lock.json"); => read(resolve(cwd(), "./a/third.lock.json"));`,
  ],
  [
    "proposes nothing where the new text is already there",
    `
    * add(a); => await add(a);
      other();
    * add(b); => await add(b);
      other();
      await add(c);`,
  ],
];

/**
 * A file after an edit of its first line, and what is proposed in the notation `[old|new]`: what
 * stays is no part of it.
 */
test.each<[before: string, after: string, proposed: string]>([
  ["f(a, oldName);", "f(a, newName);", "f(a, newName);\ng(b, [oldName|newName]);"],
  ["const a = load(1);", "const a = await load(1);", "const a = await load(1);\nconst b = [|await ]load(2);"],
  ["  oldName(1);", "  newName(1);", "  newName(1);\n  [oldName|newName](2);"],
  ["f(auth.state);", "f(state);", "f(state);\nreturn [auth.|]state;"],
])("%s: the proposed edit has only the changed text", (before, after, proposed) => {
  const { text, edit } = readEdit(proposed);
  const context = contextAfter("a.ts", `${before}${text.slice(after.length)}`, text, { cursor: after.length });
  const shown = [...new ExampleProvider().propose(context)].map((proposal) => showEdit(text, proposal.edit!));
  expect(shown[0]).toBe(showEdit(text, edit));
});

test.each(inOneFile)("ExampleProvider %s", (_, notation) => {
  const { now, expected, history, cursor } = readNotation(notation);
  const files = new TextIndex();
  files.update("a.ts", now);
  files.show(["a.ts"]);
  const context = { path: "a.ts", language: "typescript", text: now, cursor, history: history.entries(0), files };
  const proposals = [...new ExampleProvider().propose(context)].filter(
    ({ likelihood }) => likelihood >= leastLikelihood,
  );
  const done = proposals.reduce(
    (edit, proposal) => Edit.of([...edit.edits, ...editsOf(proposal)].sort(byStart)),
    Edit.empty,
  );
  expect(done.apply(now)).toBe(expected);
  expect(proposals).toHaveLength(countSteps(notation));
});

test("ExampleProvider proposes sites in open files, then in the workspace", () => {
  const files = new TextIndex();
  const history = new EditHistory();
  const before = 'export const url = "https://old.example.org/data";\n';
  files.update("src/a.ts", before.replace("old", "new"));
  history.record("src/a.ts", before, Edit.replace({ start: 28, end: 31 }, "new"), 0);
  files.update("src/b.ts", 'const url = "https://old.example.org/more";\n');
  files.update("docs/c.md", "See https://old.example.org/data for more.\n");
  files.show(["src/a.ts", "docs/c.md"]);
  const text = files.textOf("src/a.ts")!;
  const context = { path: "src/a.ts", language: "typescript", text, cursor: 30, history: history.entries(0), files };
  const proposals = [...new ExampleProvider().propose(context)];
  expect(proposals.map(({ path, reason }) => [path, reason])).toEqual([
    ["docs/c.md", "like your last edit"],
    ["src/b.ts", "like your last edit"],
  ]);
  expect(proposals.map(({ path, edit }) => edit?.apply(files.textOf(path)!))).toEqual([
    "See https://new.example.org/data for more.\n",
    'const url = "https://new.example.org/more";\n',
  ]);
});

test("joined lines have the same text between them as in the example", () => {
  const before = "  check<{ a: A }\n    | undefined\n  >(one);\n";
  const after = "  check<{ a: A }>(one);\n";
  const rest = "    check<{ b: B }\n      | undefined\n    >(other);\n";
  expect(allAfter(contextAfter("a.ts", before + rest, after + rest))).toEqual([
    "  check<{ a: A }>(one);\n    check<{ b: B }>(other);\n",
  ]);
});

test("new lines of an edit by example get the line ending of the text, also after a last line without one", () => {
  const before = "call(1);\r\ncall(2);\r\ncall(3);";
  const text = "call(\r\n  1,\r\n);\r\ncall(2);\r\ncall(3);";
  expect(allAfter(contextAfter("a.js", before, text))).toEqual([
    "call(\r\n  1,\r\n);\r\ncall(\r\n  2,\r\n);\r\ncall(\r\n  3,\r\n);",
  ]);
});

test("a remaining site on the edited line is proposed with a low likelihood", () => {
  const before = "a = f(oldCall(1), oldCall(2));\nlog(a);\nb = oldCall(3);\n";
  const text = before.replace("oldCall(1)", "newCall(1)");
  const proposals = [...equallyLikely.propose(contextAfter("a.js", before, text))];
  expect(proposals.map(({ edit, likelihood }) => [edit?.apply(text), likelihood])).toEqual([
    ["a = f(newCall(1), oldCall(2));\nlog(a);\nb = newCall(3);\n", 0.5],
    ["a = f(newCall(1), newCall(2));\nlog(a);\nb = oldCall(3);\n", 0.25],
  ]);
});

test.each<[how: string, steps: readonly number[], linesToEdit: number]>([
  ["at once has distance 0, as it would have been edited with them", [0, 2], 0],
  ["one by one has the least distance of fitted commits", [0, 1, 2], 2],
])("the line below two lines that were edited %s", (_, steps, linesToEdit) => {
  const names = ["one", "two", "three", "four"];
  const text = (done: number) => names.map((name, i) => `  ${name}: ${i < done ? "large" : "small"},\n`).join("");
  const history = new EditHistory();
  for (const [from, to] of steps.slice(1).map((step, i) => [text(steps[i]!), text(step)] as const)) {
    history.record("a.ts", from, minimalEdit(from, to), 0);
  }
  const context = { ...contextAfter("a.ts", text(0), text(2)), history: history.entries(0) };
  const [next] = [...equallyLikely.proposeJudged(context)];
  expect(next?.features.place).toMatchObject({ linesToEdit });
});

test("a site in another file gets names that are derived from the names there", () => {
  const before = "read(table: MySqlTable, name: string): void;\n";
  const after = "read(table: MySqlTable | MySqlView, name: string): void;\n";
  const context = contextAfter("mysql/a.ts", before, after);
  const text = "read(table: SQLiteTable, name: string): void;\n";
  context.files.update("sqlite/a.ts", text);
  expect(allAfter({ ...context, path: "sqlite/a.ts", text })).toEqual([
    "read(table: SQLiteTable | SQLiteView, name: string): void;\n",
  ]);
});

/** A provider with the same likelihood for every site. */
const equallyLikely = new ExampleProvider({ likelihoodOf: () => 0.5 });

/** Returns the text of a context with each proposal. */
function allAfter(context: ReturnType<typeof contextAfter>) {
  return [...equallyLikely.propose(context)].map(({ edit }) => edit?.apply(context.text));
}

function readNotation(notation: string) {
  const rows = notation.split("\n").flatMap((line) => {
    const [, mark, content] = /^ {4}([*?][+-]?| {1,2}) ?(.*)$/.exec(line) ?? [];
    if (mark === undefined || content === undefined) return [];
    const [old = "", fresh = ""] = content.split(" => ");
    const [before, after] = mark.endsWith("+")
      ? [[], [content]]
      : mark.endsWith("-")
        ? [[content], []]
        : [[old], [fresh]];
    return [
      { mark: mark.trim(), ...(mark.trim() === "" ? { before: [content], after: [content] } : { before, after }) },
    ];
  });
  const join = (pick: (row: (typeof rows)[number]) => readonly string[]) => `${rows.flatMap(pick).join("\n")}\n`;
  const history = new EditHistory();
  let line = 0;
  let cursor = 0;
  let now = join(({ before }) => before);
  for (const { mark, before, after } of rows) {
    if (mark.startsWith("*")) {
      const lines = Lines.of(now);
      const [start, end] = [lines.start(line), lines.start(line + before.length)];
      const fresh = after.map((one) => `${one}\n`).join("");
      const edit = minimalEdit(now, now.slice(0, start) + fresh + now.slice(end));
      history.record("a.ts", now, edit, 0);
      now = edit.apply(now);
      cursor = start;
    }
    line += mark.startsWith("*") ? after.length : before.length;
  }
  return { now, cursor, history, expected: join(({ mark, after }) => (mark === "" ? after : after)) };
}

/** The number of expected proposals: groups of adjacent marked lines. */
function countSteps(notation: string): number {
  const marks = notation.split("\n").map((line) => line.startsWith("    ?"));
  return marks.filter((isMarked, i) => isMarked && !marks[i - 1]).length;
}

function editsOf({ edit }: Proposal) {
  return edit?.edits ?? [];
}

function byStart(one: { readonly start: number }, other: { readonly start: number }): number {
  return one.start - other.start;
}
