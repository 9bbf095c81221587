import { afterAll, expect, test } from "vitest";
import { BlockReader } from "../../codebase/index.ts";
import { filesOfTree, parseScriptTree, TypeScriptSource } from "../../codebase/node/index.ts";
import { openSyntax } from "../../syntax/node/index.ts";
import { FixSource } from "./fix-source.ts";
import { markedFiles, momentAfter } from "./fixtures/marked-files.ts";
import { ScriptedWitness } from "./fixtures/scripted-witness.ts";
import { PresentTypes } from "./present-types.ts";
import { ScriptStates } from "./script-states.ts";

const syntax = openSyntax();
const reader = new BlockReader({ parseScript: parseScriptTree, syntax });
afterAll(() => syntax[Symbol.dispose]());

/** What is proposed after the marked change: `FILE: the line as it becomes (reason)`, with `~` what leaves something open, or `FILE? the line (reason)` for a place. */
async function fixes(marked: string): Promise<readonly string[]> {
  const files = markedFiles(marked);
  const moment = momentAfter(files);
  const texts = new Map([...files].map(([path, { before }]) => [path, before] as const));
  const witness = await TypeScriptSource.open({
    root: "/made-up",
    paths: [...texts.keys()],
    readText: async (path) => texts.get(path),
    files: filesOfTree("/made-up", texts),
  });
  try {
    const types = new PresentTypes({ witness, texts });
    for (const [path, { after }] of files) types.update(path, after);
    const source = new FixSource({ types: () => types, states: new ScriptStates(reader), syntax });
    const said: string[] = [];
    for await (const { path, edit, place, reason, isSkeleton } of source.propose(moment)) {
      const text = files.get(path)!.after;
      const line = (of: string, at: number) => of.slice(of.lastIndexOf("\n", at - 1) + 1, of.indexOf("\n", at)).trim();
      const last = edit?.rangesAfter().at(-1)?.end;
      if (last === undefined || edit === undefined) {
        said.push(`${path}? ${line(text, place.start)} (${reason})`);
        continue;
      }
      const made = edit.apply(text);
      const end = made.slice(0, last).trimEnd().length;
      said.push(`${path}${isSkeleton ? "~" : ":"} ${line(made, Math.max(0, end - 1))} (${reason})`);
    }
    return said;
  } finally {
    await witness[Symbol.asyncDispose]();
  }
}

const cases: readonly (readonly [name: string, marked: string, said: readonly string[]])[] = [
  [
    "a variable of the new parameter's name is passed, below first, then above",
    `--- a.ts
export function one(pen: string) { return draw(1); }
export function draw(x: number[ > , pen: string]) { return pen.repeat(x); }
export function two(pen: string) {
  return draw(2);
}
`,
    [
      "a.ts: return draw(2, pen); (passes pen, which draw needs now)",
      "a.ts: export function one(pen: string) { return draw(1, pen); } (passes pen, which draw needs now)",
    ],
  ],
  [
    "adjacent lines are one proposal",
    `--- a.ts
export function draw(x: number[ > , pen: string]) { return pen.repeat(x); }
export function two(pen: string) {
  draw(2);
  draw(3);
}
`,
    ["a.ts: draw(3, pen); (passes pen, which draw needs now)"],
  ],
  [
    "an open file comes before the others, and what nobody can know is a place",
    `--- draw.ts
export function draw(x: number[ > , pen: string]) { return pen.repeat(x); }
--- a.ts
import { draw } from "./draw.ts";
export const one = (pen: string) => draw(1);
export const two = draw(2);
`,
    [
      "a.ts: export const one = (pen: string) => draw(1, pen); (passes pen, which draw needs now)",
      "a.ts? export const two = draw(2); (Expected 2 arguments, but got 1)",
    ],
  ],
  [
    "a case that a switch lacks is written like the others where all are alike, and else a person has to say what it does",
    `--- kind.ts
export type Kind = "dot" | "arc"[ >  | "big-ring"];
--- a.ts
import type { Kind } from "./kind.ts";
declare function drawDot(): string;
declare function drawArc(): string;
declare function drawBigRing(): string;
export function draw(kind: Kind): string {
  switch (kind) {
    case "dot": return drawDot();
    case "arc": return drawArc();
  }
}
export function size(kind: Kind): number {
  switch (kind) {
    case "dot":
      return 1;
    case "arc":
      return 20;
    default: {
      const other: never = kind;
      return other;
    }
  }
}
export const titles: Record<Kind, string> = {
  dot: "The dot",
  arc: "The arc",
};
export const draws: Record<Kind, () => string> = { dot: drawDot, arc: drawArc };
export const tops: Record<Kind, () => string> = { dot: () => "1", arc: drawArc };
`,
    [
      'a.ts: case "big-ring": return drawBigRing(); (adds case "big-ring", which its type lists now)',
      'a.ts~ throw new Error("Not implemented: big-ring"); (lacks case "big-ring", which its type lists now)',
      'a.ts~ "big-ring": "", (lacks big-ring, which is asked for now)',
      'a.ts: export const draws: Record<Kind, () => string> = { dot: drawDot, arc: drawArc, "big-ring": drawBigRing }; (gives big-ring, which is asked for now)',
      "a.ts? export const tops: Record<Kind, () => string> = { dot: () => \"1\", arc: drawArc }; (Property '\"big-ring\"' is missing in type '{ dot: () => string; arc: () => string; }' but required in type 'Record<Kind,…)",
    ],
  ],
  [
    "a name that means nothing is imported from the only file that exports it",
    `--- row.ts
export interface Row { readonly id: number }
--- a.ts
import { other } from "./other.ts";
other();
[ > export const made: Row = { id: 1 };]
--- other.ts
export function other() {}
`,
    ['a.ts: import { Row } from "./row.ts"; (imports Row)'],
  ],
  [
    "a name that moved code says is, too",
    `--- row.ts
export interface Row { readonly id: number }
--- a.ts
import type { Row } from "./row.ts";
export const one: Row = { id: 1 };
[export const two: Row = { id: 2 };
 > ]
--- b.ts
export const three = 3;
[ > export const two: Row = { id: 2 };
]
`,
    ['b.ts: import type { Row } from "./row.ts"; (imports Row)'],
  ],
  [
    "what lies in no folder is imported by a file that lies in one",
    `--- lib.ts
export function sum(a: number): number { return a; }
--- c.ts
import { sum } from "./lib.ts";
sum(1);
--- sub/b.ts
export const three = 3;
[ > export const four = sum(4);
]
`,
    ['sub/b.ts: import { sum } from "../lib.ts"; (imports sum)'],
  ],
  [
    "what was declared here and moved elsewhere is imported from there",
    `--- lib.ts
export const other = 1;
[ > export function sum(a: number): number { return a; }
]
--- a.ts
import { other } from "./lib.ts";
[export function sum(a: number): number { return a; }
 > ]
export const total = sum(other);
`,
    ['a.ts: import { other, sum } from "./lib.ts"; (imports sum)'],
  ],
  [
    "a name that is being typed is not",
    `--- row.ts
export interface Row { readonly id: number }
--- a.ts
[ > export const made: Row‸ = { id: 1 };]
`,
    [],
  ],
  [
    "errors where the cursor only went are",
    `--- kind.ts
export type Kind = "dot"[ >  | "arc"];
--- a.ts
import type { Kind } from "./kind.ts";
export const sizes: Record<Kind, number> = {‸ dot: 1 };
`,
    ["a.ts~ export const sizes: Record<Kind, number> = { dot: 1, arc: 0 }; (lacks arc, which is asked for now)"],
  ],
  ["errors on the cursor's line are not yet errors", '--- a.ts\nexport const a: number = [1 > "‸"];\n', []],
  [
    "a member got another name, whatever that is",
    `--- item.ts
export interface Item { readonly [cents > amount]: number }
--- a.ts
import type { Item } from "./item.ts";
export const sum = (item: Item, cents: number) => item.cents + cents;
export const other = { cents: 1 };
export const made: Item = { cents: 1 };
`,
    [
      "a.ts: export const sum = (item: Item, cents: number) => item.amount + cents; (renamed to amount)",
      "a.ts: export const made: Item = { amount: 1 }; (renamed to amount)",
    ],
  ],
  [
    "a string of a type got another name, whatever that is",
    `--- kind.ts
export type Kind = "dot" | "[line > path]";
--- a.ts
import type { Kind } from "./kind.ts";
export function size(kind: Kind): number {
  switch (kind) {
    case "dot":
      return 1;
    case "line":
      return 2;
  }
}
`,
    ['a.ts: case "path": (renamed to path)'],
  ],
  [
    "a member of another name and type is another member",
    `--- item.ts
export interface Item { readonly [cents: number > label: string] }
--- a.ts
import type { Item } from "./item.ts";
export const cents = (item: Item) => item.cents;
`,
    ["a.ts? export const cents = (item: Item) => item.cents; (Property 'cents' does not exist on type 'Item')"],
  ],
  [
    "a member whose name says the opposite is another member",
    `--- item.ts
export interface Item { readonly [visible > hidden]: boolean }
--- a.ts
import type { Item } from "./item.ts";
export const seen = (item: Item) => item.visible;
`,
    ["a.ts? export const seen = (item: Item) => item.visible; (Property 'visible' does not exist on type 'Item')"],
  ],
  [
    "a declaration got another name",
    `--- sum.ts
export function [sum > total](a: number) { return a; }
--- use.ts
import { sum } from "./sum.ts";

export const said = sum(1);
`,
    [
      'use.ts: import { total } from "./sum.ts"; (renamed to total)',
      "use.ts: export const said = total(1); (renamed to total)",
    ],
  ],
  [
    "a file with a syntax error of late is not written to its end",
    `--- a.ts
export function draw(x: number[ > , pen: ]) { return x; }
export const one = draw(1);
`,
    [],
  ],
  [
    "what was wrong before is left alone",
    `--- a.ts
export const one: string = 1;
export const two = [1 > 2];
`,
    [],
  ],
  [
    "what a line that was just written lacks is its writer's own, and is not followed",
    `--- draw.ts
export function draw(x: number) { return x; }
--- a.ts
[ > import { drow } from "./draw.ts";
]export const one = 1;
export const two = [1 > 2]‸;
`,
    [],
  ],
  [
    "what others give a new property says nothing sure of the value that is missing",
    `--- a.ts
interface Row { readonly id: number; [ > readonly tag: string] }
export const one: Row = { id: 1[ > , tag: "new"] };
export const space = 1;
export const two: Row = { id: 2 };
`,
    ['a.ts~ export const two: Row = { id: 2, tag: "new" }; (lacks tag, which is asked for now)'],
  ],
  [
    "a type is imported as one where nothing else is imported yet",
    `--- row.ts
export interface Row { readonly id: number }
--- a.ts
[ > export const made: Row = { id: 1 };]
`,
    ['a.ts: import type { Row } from "./row"; (imports Row)'],
  ],
  [
    "or beside others that are",
    `--- row.ts
export const first = 1;
export interface Row { readonly id: number }
export interface Cell { readonly id: number }
--- a.ts
import { first, type Cell } from "./row.ts";
export const cell: Cell = { id: first };
[ > export const made: Row = { id: 1 };]
`,
    ['a.ts: import { first, type Cell, type Row } from "./row.ts"; (imports Row)'],
  ],
  [
    "an import that was just taken out does not come back",
    `--- row.ts
export interface Row { readonly id: number }
--- a.ts
[import type { Row } from "./row.ts"; > ]
export const made: Row = { id: 1 };
`,
    ["a.ts? export const made: Row = { id: 1 }; (Cannot find name 'Row')"],
  ],
  [
    "nothing is imported from what lies beside the program",
    `--- dist/row.ts
export interface Row { readonly id: number }
--- src/a.ts
import { other } from "./other.ts";
other();
[ > export const made: Row = { id: 1 };]
--- src/other.ts
export function other() {}
`,
    ["src/a.ts? export const made: Row = { id: 1 }; (Cannot find name 'Row')"],
  ],
  [
    "a test takes what it wants from the program",
    `--- src/row.ts
export interface Row { readonly id: number }
--- test/a.ts
import { other } from "../src/other.ts";
other();
[ > export const made: Row = { id: 1 };]
--- src/other.ts
export function other() {}
`,
    ['test/a.ts: import { Row } from "../src/row.ts"; (imports Row)'],
  ],
  [
    "awaits what is a promise now",
    `--- a.ts
export [ > async ]function load() { return [1]; }
export async function use() {
  const rows = load();
  return rows.map(String);
}
`,
    ["a.ts: const rows = await load(); (awaits what is a promise now)"],
  ],
  [
    "a property is asked for by a type that extends the changed one, in the same file",
    `--- shape.ts
interface Base { readonly name: string[ > ; readonly size: number] }
export interface Box extends Base { readonly open: boolean }
--- a.ts
import type { Box } from "./shape.ts";
export const made = (size: number): Box => ({ name: "a", open: true });
`,
    [
      'a.ts: export const made = (size: number): Box => ({ name: "a", open: true, size }); (gives size, which is asked for now)',
    ],
  ],
  [
    "or in files in between",
    `--- shape.ts
export interface Base { readonly name: string[ > ; readonly size: number] }
--- box.ts
import type { Base } from "./shape.ts";
export interface Box extends Base { readonly open: boolean }
--- crate.ts
import type { Box } from "./box.ts";
export interface Crate extends Box { readonly heavy: boolean }
--- a.ts
import type { Crate } from "./crate.ts";
export const made = (size: number): Crate => ({ name: "a", open: true, heavy: true });
`,
    [
      'a.ts: export const made = (size: number): Crate => ({ name: "a", open: true, heavy: true, size }); (gives size, which is asked for now)',
    ],
  ],
  [
    "by a type that is made of it",
    `--- shape.ts
export interface Base { readonly name: string[ > ; readonly size: number] }
--- box.ts
import type { Base } from "./shape.ts";
type Box = Base & { readonly open: boolean };
export type Boxes = readonly Box[];
--- a.ts
import type { Boxes } from "./box.ts";
export const made = (size: number): Boxes => [{ name: "a", open: true }];
`,
    [
      'a.ts: export const made = (size: number): Boxes => [{ name: "a", open: true, size }]; (gives size, which is asked for now)',
    ],
  ],
  [
    "or of some of it",
    `--- shape.ts
export interface Base { readonly name: string[ > ; readonly size: number] }
--- box.ts
import type { Base } from "./shape.ts";
export type Box = Readonly<Omit<Base, "name">>;
--- a.ts
import type { Box } from "./box.ts";
export const made = (size: number): Box => ({});
`,
    ["a.ts: export const made = (size: number): Box => ({ size }); (gives size, which is asked for now)"],
  ],
  [
    "but not where it is left out, or need not be given",
    `--- shape.ts
export interface Base { readonly name: string[ > ; readonly size: number] }
--- box.ts
import type { Base } from "./shape.ts";
export type Box = Omit<Base, "size">;
export type Part = Partial<Base>;
--- a.ts
import type { Box, Part } from "./box.ts";
export const made = (size: number): Box => ({ name: "a" });
export const part = (size: number): Part => ({ name: "a" });
`,
    [],
  ],
  [
    "by a type that holds one",
    `--- shape.ts
export interface Base { readonly name: string[ > ; readonly size: number] }
--- box.ts
import type { Base } from "./shape.ts";
export interface Box { readonly base: Base }
--- a.ts
import type { Box } from "./box.ts";
export const made = (size: number): Box => ({ base: { name: "a" } });
`,
    [
      'a.ts: export const made = (size: number): Box => ({ base: { name: "a", size } }); (gives size, which is asked for now)',
    ],
  ],
  [
    "by a function that takes one",
    `--- shape.ts
export interface Base { readonly name: string[ > ; readonly size: number] }
--- box.ts
import type { Base } from "./shape.ts";
export function draw(base: Base) { return base.name; }
--- a.ts
import { draw } from "./box.ts";
export const made = (size: number) => draw({ name: "a" });
`,
    ['a.ts: export const made = (size: number) => draw({ name: "a", size }); (gives size, which is asked for now)'],
  ],
  [
    "by another name",
    `--- lib/shape.ts
export interface Base { readonly name: string[ > ; readonly size: number] }
--- lib/index.ts
export type { Base as Shape } from "./shape.ts";
--- a.ts
import type { Shape } from "./lib/index.ts";
export const made = (size: number): Shape => ({ name: "a" });
`,
    ['a.ts: export const made = (size: number): Shape => ({ name: "a", size }); (gives size, which is asked for now)'],
  ],
  [
    "a subclass calls its base class as that is made now",
    `--- shape.ts
export class Base { constructor(readonly name: string[ > , readonly size: number]) {} }
--- box.ts
import { Base } from "./shape.ts";
export class Box extends Base {
  constructor(name: string, size: number) { super(name); }
}
`,
    [
      "box.ts: constructor(name: string, size: number) { super(name, size); } (passes size, which its base class needs now)",
    ],
  ],
  [
    "one without a constructor is made as its base class is, through files in between",
    `--- shape.ts
export class Base { constructor(readonly name: string[ > , readonly size: number]) {} }
--- box.ts
import { Base } from "./shape.ts";
export class Box extends Base { readonly open = true; }
--- crate.ts
import { Box } from "./box.ts";
export class Crate extends Box {}
--- a.ts
import { Crate } from "./crate.ts";
export const made = (size: number) => new Crate("a");
`,
    ['a.ts: export const made = (size: number) => new Crate("a", size); (passes size, which Crate needs now)'],
  ],
  [
    "what an abstract class asks for now, its subclasses lack",
    `--- shape.ts
export abstract class Base { abstract name(): string;[ >  abstract size(): number;] }
--- box.ts
import { Base } from "./shape.ts";
export class Box extends Base { name() { return "a"; } }
`,
    [
      "box.ts? export class Box extends Base { name() { return \"a\"; } } (Non-abstract class 'Box' does not implement inherited abstract member size from class 'Base')",
    ],
  ],
  [
    "and what a class that is written out got",
    `--- shape.ts
export class Base { name = "a";[ >  size = 1;] }
--- a.ts
import type { Base } from "./shape.ts";
export const made = (size: number): Base => ({ name: "a" });
`,
    ['a.ts: export const made = (size: number): Base => ({ name: "a", size }); (gives size, which is asked for now)'],
  ],
];

test.each(cases)("%s", async (_, marked, said) => {
  expect(await fixes(marked)).toEqual(said);
});

test.each([
  ["nothing is wrong now: what was is not asked", "export const one = [ 1 > 2 ];\n", ["told a.ts", "asked a.ts"]],
  ["the text is broken by what is typed: nobody is asked", "export const one = [ 1 > bad( ];\n", []],
  [
    "something is wrong: what was is asked, too",
    "export const one = [ 1 > bad1 ];\n",
    ["told a.ts", "asked a.ts", "told a.ts", "asked a.ts"],
  ],
])("%s", async (_, change, log) => {
  const files = markedFiles(`--- a.ts\n${change}`);
  const texts = [...files].map(([path, { before }]) => [path, before] as const);
  const witness = new ScriptedWitness(texts);
  const types = new PresentTypes({ witness, texts });
  for (const [path, { after }] of files) types.update(path, after);
  const source = new FixSource({ types: () => types, states: new ScriptStates(reader), syntax });
  for await (const _one of source.propose(momentAfter(files)));
  // What is found is mended after that.
  expect(witness.log.slice(0, 4)).toEqual(log);
});
