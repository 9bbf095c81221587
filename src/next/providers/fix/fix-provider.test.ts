import { afterAll, expect, test } from "vitest";
import { ScriptedTypeChecker } from "../../../analysis/fixtures/scripted-type-checker.ts";
import { BlockReader, ParseCache, TypeCheckCache } from "../../../analysis/index.ts";
import { filesOfTree, TypeScriptSource } from "../../../analysis/node/index.ts";
import { parseScriptTree } from "../../../names/node/index.ts";
import { openSyntax } from "../../../syntax/node/index.ts";
import { contextAfterMarked, markedFiles } from "../types/fixtures/marked-files.ts";
import { FixProvider } from "./fix-provider.ts";

const syntax = openSyntax();
const reader = new BlockReader({ parseScript: parseScriptTree, syntax });
afterAll(() => syntax[Symbol.dispose]());

/**
 * Returns the proposals after the marked change: `FILE: the new line (reason)`, with `~` for a
 * stub, or `FILE? the line (reason)` for a place.
 */
async function fixes(marked: string): Promise<readonly string[]> {
  const files = markedFiles(marked);
  const context = contextAfterMarked(files);
  const texts = new Map([...files].map(([path, { before }]) => [path, before] as const));
  const checker = await TypeScriptSource.open({
    root: "/made-up",
    paths: [...texts.keys()],
    readText: async (path) => texts.get(path),
    files: filesOfTree("/made-up", texts),
  });
  try {
    const types = new TypeCheckCache({ checker, texts });
    for (const [path, { after }] of files) types.update(path, after);
    const source = new FixProvider({ types: () => types, states: new ParseCache(reader), syntax });
    const shown: string[] = [];
    for await (const { path, edit, place, reason, isStub } of source.propose(context)) {
      const text = files.get(path)!.after;
      const line = (of: string, at: number) => of.slice(of.lastIndexOf("\n", at - 1) + 1, of.indexOf("\n", at)).trim();
      const last = edit?.rangesAfter().at(-1)?.end;
      if (last === undefined || edit === undefined) {
        shown.push(`${path}? ${line(text, place.start)} (${reason})`);
        continue;
      }
      const made = edit.apply(text);
      const end = made.slice(0, last).trimEnd().length;
      shown.push(`${path}${isStub ? "~" : ":"} ${line(made, Math.max(0, end - 1))} (${reason})`);
    }
    return shown;
  } finally {
    await checker[Symbol.asyncDispose]();
  }
}

const cases: readonly (readonly [name: string, marked: string, expected: readonly string[]])[] = [
  [
    "passes a variable of the new parameter's name, below first, then above",
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
    "proposes adjacent lines as one",
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
    "proposes open files before others, and a place where the argument is unknown",
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
    "adds a missing case like the others where all are alike, and a stub otherwise",
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
      'a.ts~ "big-ring": "", (lacks big-ring, which is required now)',
      'a.ts: export const draws: Record<Kind, () => string> = { dot: drawDot, arc: drawArc, "big-ring": drawBigRing }; (gives big-ring, which is required now)',
      "a.ts? export const tops: Record<Kind, () => string> = { dot: () => \"1\", arc: drawArc }; (Property '\"big-ring\"' is missing in type '{ dot: () => string; arc: () => string; }' but required in type 'Record<Kind,…)",
    ],
  ],
  [
    "imports an unresolved name from the only file that exports it",
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
    "imports an unresolved name of moved code",
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
    "imports from a file outside any folder",
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
    "imports a declaration that moved to another file",
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
    "does not import a name that is being typed",
    `--- row.ts
export interface Row { readonly id: number }
--- a.ts
[ > export const made: Row‸ = { id: 1 };]
`,
    [],
  ],
  [
    "fixes errors in the cursor's line that was not edited",
    `--- kind.ts
export type Kind = "dot"[ >  | "arc"];
--- a.ts
import type { Kind } from "./kind.ts";
export const sizes: Record<Kind, number> = {‸ dot: 1 };
`,
    ["a.ts~ export const sizes: Record<Kind, number> = { dot: 1, arc: 0 }; (lacks arc, which is required now)"],
  ],
  ["leaves out errors on the cursor's edited line", '--- a.ts\nexport const a: number = [1 > "‸"];\n', []],
  [
    "renames the uses of a renamed member",
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
    "renames the uses of a renamed string of a type",
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
    "does not rename uses where the member also got another type",
    `--- item.ts
export interface Item { readonly [cents: number > label: string] }
--- a.ts
import type { Item } from "./item.ts";
export const cents = (item: Item) => item.cents;
`,
    ["a.ts? export const cents = (item: Item) => item.cents; (Property 'cents' does not exist on type 'Item')"],
  ],
  [
    "does not rename uses where the new name is the opposite",
    `--- item.ts
export interface Item { readonly [visible > hidden]: boolean }
--- a.ts
import type { Item } from "./item.ts";
export const seen = (item: Item) => item.visible;
`,
    ["a.ts? export const seen = (item: Item) => item.visible; (Property 'visible' does not exist on type 'Item')"],
  ],
  [
    "renames the uses of a renamed declaration",
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
    "proposes nothing for a file with a new syntax error",
    `--- a.ts
export function draw(x: number[ > , pen: ]) { return x; }
export const one = draw(1);
`,
    [],
  ],
  [
    "leaves out errors from before the edits",
    `--- a.ts
export const one: string = 1;
export const two = [1 > 2];
`,
    [],
  ],
  [
    "leaves out errors of a line that was just written",
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
    "adds a new property with another place's value as a stub",
    `--- a.ts
interface Row { readonly id: number; [ > readonly tag: string] }
export const one: Row = { id: 1[ > , tag: "new"] };
export const space = 1;
export const two: Row = { id: 2 };
`,
    ['a.ts~ export const two: Row = { id: 2, tag: "new" }; (lacks tag, which is required now)'],
  ],
  [
    "imports a type with `import type` where nothing is imported yet",
    `--- row.ts
export interface Row { readonly id: number }
--- a.ts
[ > export const made: Row = { id: 1 };]
`,
    ['a.ts: import type { Row } from "./row"; (imports Row)'],
  ],
  [
    "imports a type beside other imported types",
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
    "does not restore a removed import",
    `--- row.ts
export interface Row { readonly id: number }
--- a.ts
[import type { Row } from "./row.ts"; > ]
export const made: Row = { id: 1 };
`,
    ["a.ts? export const made: Row = { id: 1 }; (Cannot find name 'Row')"],
  ],
  [
    "does not import from another top-level folder",
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
    "imports from another top-level folder in a test",
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
    "awaits a function that became async",
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
    "adds a property required through an extending type in the same file",
    `--- shape.ts
interface Base { readonly name: string[ > ; readonly size: number] }
export interface Box extends Base { readonly open: boolean }
--- a.ts
import type { Box } from "./shape.ts";
export const made = (size: number): Box => ({ name: "a", open: true });
`,
    [
      'a.ts: export const made = (size: number): Box => ({ name: "a", open: true, size }); (gives size, which is required now)',
    ],
  ],
  [
    "adds a property required through extending types in other files",
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
      'a.ts: export const made = (size: number): Crate => ({ name: "a", open: true, heavy: true, size }); (gives size, which is required now)',
    ],
  ],
  [
    "adds a property required through an intersection type",
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
      'a.ts: export const made = (size: number): Boxes => [{ name: "a", open: true, size }]; (gives size, which is required now)',
    ],
  ],
  [
    "adds a property required through a mapped type",
    `--- shape.ts
export interface Base { readonly name: string[ > ; readonly size: number] }
--- box.ts
import type { Base } from "./shape.ts";
export type Box = Readonly<Omit<Base, "name">>;
--- a.ts
import type { Box } from "./box.ts";
export const made = (size: number): Box => ({});
`,
    ["a.ts: export const made = (size: number): Box => ({ size }); (gives size, which is required now)"],
  ],
  [
    "adds no property that a type omits or makes optional",
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
    "adds a property required through a containing type",
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
      'a.ts: export const made = (size: number): Box => ({ base: { name: "a", size } }); (gives size, which is required now)',
    ],
  ],
  [
    "adds a property required through a function's parameter",
    `--- shape.ts
export interface Base { readonly name: string[ > ; readonly size: number] }
--- box.ts
import type { Base } from "./shape.ts";
export function draw(base: Base) { return base.name; }
--- a.ts
import { draw } from "./box.ts";
export const made = (size: number) => draw({ name: "a" });
`,
    ['a.ts: export const made = (size: number) => draw({ name: "a", size }); (gives size, which is required now)'],
  ],
  [
    "adds a property required through a re-exported alias",
    `--- lib/shape.ts
export interface Base { readonly name: string[ > ; readonly size: number] }
--- lib/index.ts
export type { Base as Shape } from "./shape.ts";
--- a.ts
import type { Shape } from "./lib/index.ts";
export const made = (size: number): Shape => ({ name: "a" });
`,
    ['a.ts: export const made = (size: number): Shape => ({ name: "a", size }); (gives size, which is required now)'],
  ],
  [
    "passes a new constructor argument in a subclass",
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
    "passes a new constructor argument to a subclass without a constructor",
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
    "proposes a subclass that lacks a new abstract member as a place",
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
    "adds a new field of a class to an object literal of its type",
    `--- shape.ts
export class Base { name = "a";[ >  size = 1;] }
--- a.ts
import type { Base } from "./shape.ts";
export const made = (size: number): Base => ({ name: "a" });
`,
    ['a.ts: export const made = (size: number): Base => ({ name: "a", size }); (gives size, which is required now)'],
  ],
];

test.each(cases)("FixProvider %s", async (_, marked, expected) => {
  expect(await fixes(marked)).toEqual(expected);
});

test.each([
  [
    "does not request the errors before when there are none now",
    "export const one = [ 1 > 2 ];\n",
    ["update a.ts", "errors a.ts"],
  ],
  ["requests no errors while the text has a new syntax error", "export const one = [ 1 > bad( ];\n", []],
  [
    "requests the errors before when there are errors now",
    "export const one = [ 1 > bad1 ];\n",
    ["update a.ts", "errors a.ts", "update a.ts", "errors a.ts"],
  ],
])("FixProvider %s", async (_, change, log) => {
  const files = markedFiles(`--- a.ts\n${change}`);
  const texts = [...files].map(([path, { before }]) => [path, before] as const);
  const checker = new ScriptedTypeChecker(texts);
  const types = new TypeCheckCache({ checker, texts });
  for (const [path, { after }] of files) types.update(path, after);
  const source = new FixProvider({ types: () => types, states: new ParseCache(reader), syntax });
  for await (const _one of source.propose(contextAfterMarked(files)));
  // Repairs of the errors follow in the log.
  expect(checker.log.slice(0, 4)).toEqual(log);
});
