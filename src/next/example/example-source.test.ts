import { expect, test } from "vitest";
import { EditHistory } from "../../context/index.ts";
import { readEdit, showEdit } from "../../text/edit.laws.ts";
import { Edit, Lines, minimalEdit } from "../../text/index.ts";
import { momentAfter } from "../fixtures/moment-after.ts";
import type { Proposal } from "../next-edit-source.ts";
import { TextIndex } from "../text-index.ts";
import { ExampleSource } from "./example-source.ts";

/** What is less likely is not looked at here: this is about where and what, not about how likely. */
const leastLikelihood = 0.04;

/**
 * A file, line by line. `* OLD => NEW` was written anew, `*+ NEW` came and `*- OLD` went, in this order; the cursor is where the last was.
 * `? OLD => NEW`, `?+ NEW` and `?- OLD` say what is to be proposed, those on lines next to each other as one; other lines begin with two blanks.
 */
const inOneFile: readonly (readonly [what: string, lines: string])[] = [
  [
    "a word that became another, in strings and comments too",
    `
    * open(userTable); => open(memberTable);
      // about it
    ? close(userTable); => close(memberTable);
      done("it");
    ? log("userTable"); => log("memberTable");`,
  ],
  [
    "an argument that is given at the end, whatever stands in front of it",
    `
    * save(order, items); => save(order, items, context);
      const done = [];
    * save(user, names); => save(user, names, context);
      done.push(names);
    ? save(basket, all(of, it)); => save(basket, all(of, it), context);`,
  ],
  [
    "a word in front of calls",
    `
    * const one = fetchPage(first); => const one = await fetchPage(first);
      show(one);
    * const two = fetchPage(second); => const two = await fetchPage(second);
      show(two);
    ? const three = fetchPage(third); => const three = await fetchPage(third);`,
  ],
  [
    "endings of paths",
    `
    * import { a } from "./one/a"; => import { a } from "./one/a.js";
      start();
    * import { b } from "./one/b"; => import { b } from "./one/b.js";
      end();
    ? import { c } from "./one/c"; => import { c } from "./one/c.js";`,
  ],
  [
    "calls written in another way, their arguments kept",
    `
    * assert.equal(sum(1, 2), 3); => expect(sum(1, 2)).toBe(3);
      log("x");
    * assert.equal(sum(2, 2), 4); => expect(sum(2, 2)).toBe(4);
      log("y");
    ? assert.equal(product(2, [3, 4]), 6); => expect(product(2, [3, 4])).toBe(6);`,
  ],
  [
    "a call around an argument, whatever that is",
    `
    * app.use("/one", load(1)); => app.use("/one", handler(load(1)));
      log("x");
    ? app.use("/two", load(2)(3) + [4, 5]); => app.use("/two", handler(load(2)(3) + [4, 5]));
      log("y");
    ? app.use("/three", three, options); => app.use("/three", handler(three), options);
      app.use("/four", handler(load(4)));`,
  ],
  [
    "a call around what begins with a bracket itself",
    `
    * show("one", (1 + 2) * 3); => show("one", format((1 + 2) * 3));
      log("x");
    ? show("two", (left + right) * [2]); => show("two", format((left + right) * [2]));`,
  ],
  [
    "lines that go with the end of the line in front, where another one follows right behind",
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
    "what goes over several lines, in another depth",
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
    "two lines for one, where the second example stands right behind the first",
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
    "a line in front of lines that follow each other",
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
    "a line that follows another",
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
    "a line that goes, in another depth",
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
    "lines next to each other as one step",
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
    "what is in quotes behind a prefix, whatever it is",
    `
    * read(cwd() + "/first.json"); => read(resolve(cwd(), "./first.json"));
      other();
    * read(cwd() + "/second.json"); => read(resolve(cwd(), "./second.json"));
      other();
    ? read(cwd() + "/a/third.lock.json"); => read(resolve(cwd(), "./a/third.lock.json"));`,
  ],
  [
    "nothing where the new text stands already",
    `
    * add(a); => await add(a);
      other();
    * add(b); => await add(b);
      other();
      await add(c);`,
  ],
];

/** A file after an edit of its first line, and what is proposed in the notation `[old|new]`: what stays is no part of it. */
test.each<[before: string, after: string, proposed: string]>([
  ["f(a, oldName);", "f(a, newName);", "f(a, newName);\ng(b, [oldName|newName]);"],
  ["const a = load(1);", "const a = await load(1);", "const a = await load(1);\nconst b = [|await ]load(2);"],
  ["  oldName(1);", "  newName(1);", "  newName(1);\n  [oldName|newName](2);"],
  ["f(auth.state);", "f(state);", "f(state);\nreturn [auth.|]state;"],
])("%s: what is proposed is no longer than what changes", (before, after, proposed) => {
  const { text, edit } = readEdit(proposed);
  const moment = momentAfter("a.ts", `${before}${text.slice(after.length)}`, text, { cursor: after.length });
  const shown = [...new ExampleSource().propose(moment)].map((proposal) => showEdit(text, proposal.edit!));
  expect(shown[0]).toBe(showEdit(text, edit));
});

test.each(inOneFile)("%s", (_, notation) => {
  const { now, expected, history, cursor } = readNotation(notation);
  const files = new TextIndex();
  files.update("a.ts", now);
  files.show(["a.ts"]);
  const moment = { path: "a.ts", language: "typescript", text: now, cursor, history: history.entries(0), files };
  const proposals = [...new ExampleSource().propose(moment)].filter(({ likelihood }) => likelihood >= leastLikelihood);
  const done = proposals.reduce(
    (edit, proposal) => Edit.of([...edit.edits, ...editsOf(proposal)].sort(byStart)),
    Edit.empty,
  );
  expect(done.apply(now)).toBe(expected);
  expect(proposals).toHaveLength(countSteps(notation));
});

test("other files: those that are open, then the workspace", () => {
  const files = new TextIndex();
  const history = new EditHistory();
  const before = 'export const url = "https://old.example.org/data";\n';
  files.update("src/a.ts", before.replace("old", "new"));
  history.record("src/a.ts", before, Edit.replace({ start: 28, end: 31 }, "new"), 0);
  files.update("src/b.ts", 'const url = "https://old.example.org/more";\n');
  files.update("docs/c.md", "See https://old.example.org/data for more.\n");
  files.show(["src/a.ts", "docs/c.md"]);
  const text = files.textOf("src/a.ts")!;
  const moment = { path: "src/a.ts", language: "typescript", text, cursor: 30, history: history.entries(0), files };
  const proposals = [...new ExampleSource().propose(moment)];
  expect(proposals.map(({ path, reason }) => [path, reason])).toEqual([
    ["docs/c.md", "like your last edit"],
    ["src/b.ts", "like your last edit"],
  ]);
  expect(proposals.map(({ path, edit }) => edit?.apply(files.textOf(path)!))).toEqual([
    "See https://new.example.org/data for more.\n",
    'const url = "https://new.example.org/more";\n',
  ]);
});

test("lines that are joined have nothing more between them than in the example", () => {
  const before = "  check<{ a: A }\n    | undefined\n  >(one);\n";
  const after = "  check<{ a: A }>(one);\n";
  const rest = "    check<{ b: B }\n      | undefined\n    >(other);\n";
  expect(allAfter(momentAfter("a.ts", before + rest, after + rest))).toEqual([
    "  check<{ a: A }>(one);\n    check<{ b: B }>(other);\n",
  ]);
});

test("lines end as the others do, behind the last of a text without an ending too", () => {
  const before = "call(1);\r\ncall(2);\r\ncall(3);";
  const text = "call(\r\n  1,\r\n);\r\ncall(2);\r\ncall(3);";
  expect(allAfter(momentAfter("a.js", before, text))).toEqual([
    "call(\r\n  1,\r\n);\r\ncall(\r\n  2,\r\n);\r\ncall(\r\n  3,\r\n);",
  ]);
});

test("what is left on the line that was just edited is proposed to whoever asks", () => {
  const before = "a = f(oldCall(1), oldCall(2));\nlog(a);\nb = oldCall(3);\n";
  const text = before.replace("oldCall(1)", "newCall(1)");
  const proposals = [...equallyLikely.propose(momentAfter("a.js", before, text))];
  expect(proposals.map(({ edit, likelihood }) => [edit?.apply(text), likelihood])).toEqual([
    ["a = f(newCall(1), oldCall(2));\nlog(a);\nb = newCall(3);\n", 0.5],
    ["a = f(newCall(1), newCall(2));\nlog(a);\nb = oldCall(3);\n", 0.25],
  ]);
});

test.each<[how: string, steps: readonly number[], linesToEdit: number]>([
  ["at once: it would have been edited with them", [0, 2], 0],
  ["one by one: it is near by", [0, 1, 2], 2],
])("the line below two that were edited %s", (_, steps, linesToEdit) => {
  const names = ["one", "two", "three", "four"];
  const text = (done: number) => names.map((name, i) => `  ${name}: ${i < done ? "large" : "small"},\n`).join("");
  const history = new EditHistory();
  for (const [from, to] of steps.slice(1).map((step, i) => [text(steps[i]!), text(step)] as const)) {
    history.record("a.ts", from, minimalEdit(from, to), 0);
  }
  const moment = { ...momentAfter("a.ts", text(0), text(2)), history: history.entries(0) };
  const [next] = [...equallyLikely.proposeJudged(moment)];
  expect(next?.features.place).toMatchObject({ linesToEdit });
});

test("another file has names of its own, from which others are derived", () => {
  const before = "read(table: MySqlTable, name: string): void;\n";
  const after = "read(table: MySqlTable | MySqlView, name: string): void;\n";
  const moment = momentAfter("mysql/a.ts", before, after);
  const text = "read(table: SQLiteTable, name: string): void;\n";
  moment.files.update("sqlite/a.ts", text);
  expect(allAfter({ ...moment, path: "sqlite/a.ts", text })).toEqual([
    "read(table: SQLiteTable | SQLiteView, name: string): void;\n",
  ]);
});

/** For what is proposed, however likely it is. */
const equallyLikely = new ExampleSource({ likelihoodOf: () => 0.5 });

/** What the text of a moment becomes with each proposal. */
function allAfter(moment: ReturnType<typeof momentAfter>) {
  return [...equallyLikely.propose(moment)].map(({ edit }) => edit?.apply(moment.text));
}

function readNotation(notation: string) {
  const rows = notation.split("\n").flatMap((line) => {
    const [, mark, said] = /^ {4}([*?][+-]?| {1,2}) ?(.*)$/.exec(line) ?? [];
    if (mark === undefined || said === undefined) return [];
    const [old = "", fresh = ""] = said.split(" => ");
    const [before, after] = mark.endsWith("+") ? [[], [said]] : mark.endsWith("-") ? [[said], []] : [[old], [fresh]];
    return [{ mark: mark.trim(), ...(mark.trim() === "" ? { before: [said], after: [said] } : { before, after }) }];
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

/** How many groups of neighbours are to be proposed. */
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
