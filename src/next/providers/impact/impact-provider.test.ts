import { setImmediate } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { BlockReader, NameReferences, ParseCache, TypeCheckCache, WorkspaceGraph } from "../../../analysis/index.ts";
import { filesOfTree, TypeScriptSource } from "../../../analysis/node/index.ts";
import { isScript } from "../../../names/index.ts";
import { parseScriptTree } from "../../../names/node/index.ts";
import { openSyntax } from "../../../syntax/node/index.ts";
import type { NextEditContext } from "../next-edit-provider.ts";
import { contextAfterEach, markedFiles } from "../types/fixtures/marked-files.ts";
import { ImpactProvider } from "./impact-provider.ts";

const syntax = openSyntax();
const reader = new BlockReader({ parseScript: parseScriptTree, syntax });
beforeAll(() => reader.load(["a.py"]));
afterAll(() => syntax[Symbol.dispose]());

/**
 * Returns the proposals after the marked changes as `FILE: the line (reason)`, with the likelihood
 * in hundredths if `likelihoods` is set.
 */
async function places(marked: string, { likelihoods = false } = {}): Promise<readonly string[]> {
  const context = contextAfterEach(marked);
  const before = new Map([...markedFiles(marked)].map(([path, file]) => [path, file.before] as const));
  const isOfScripts = [...before.keys()].every(isScript);
  return isOfScripts ? ofScripts(context, before, likelihoods) : ofNames(context, before, likelihoods);
}

async function ofScripts(context: NextEditContext, before: ReadonlyMap<string, string>, likelihoods: boolean) {
  const root = "/made-up";
  const types = await TypeScriptSource.open({
    ...{ root, paths: [...before.keys()], files: filesOfTree(root, before) },
    readText: async (path) => before.get(path),
  });
  try {
    const present = new TypeCheckCache({ checker: types, texts: before });
    for (const path of before.keys()) present.update(path, context.files.textOf(path));
    const parts = { graph: () => undefined, types: () => present, syntax, states: new ParseCache(reader) };
    return await proposalsOf(new ImpactProvider(parts), context, likelihoods);
  } finally {
    await types[Symbol.asyncDispose]();
  }
}

async function ofNames(context: NextEditContext, before: ReadonlyMap<string, string>, likelihoods: boolean) {
  const paths = [...before.keys()];
  const readText = async (path: string) => before.get(path);
  const workspace = new WorkspaceGraph({
    reader,
    sources: [new NameReferences({ syntax, paths, readText })],
    yieldThread: () => setImmediate(),
  });
  await workspace.build(paths, readText);
  const source = new ImpactProvider({ graph: () => workspace.graph, syntax, states: new ParseCache(reader) });
  return proposalsOf(source, context, likelihoods);
}

async function proposalsOf(
  source: ImpactProvider,
  context: NextEditContext,
  likelihoods: boolean,
): Promise<readonly string[]> {
  const shown: string[] = [];
  for await (const { path, place, reason, edit, likelihood } of source.propose(context)) {
    expect(edit).toBeUndefined();
    const text = context.files.textOf(path)!;
    const line = text.slice(text.lastIndexOf("\n", place.start - 1) + 1, text.indexOf("\n", place.start)).trim();
    shown.push(`${path}: ${line} (${reason})${likelihoods ? ` ${Math.round(100 * likelihood)}` : ""}`);
  }
  return shown;
}

type Case = readonly [name: string, marked: string, ...expected: readonly string[]];

describe("impact of scripts, by types", () => {
  const send = `--- send.ts
export function send(text: string[ > , times: number]) {
  return text;
}
export function twice(text: string) {
  return send(text) + send(text);
}
--- b.ts
import { send } from "./send.ts";
export const other = 1;
export function greet(name: string) {
  return send(name);
}
--- a.ts
import { send } from "./send.ts";
export const said = send("a");
`;
  const cases: readonly Case[] = [
    [
      "places with a new diagnostic come in this file first, then by path, with its message as the reason",
      send,
      "send.ts: return send(text) + send(text); (Expected 2 arguments, but got 1)",
      'a.ts: export const said = send("a"); (Expected 2 arguments, but got 1)',
      "b.ts: return send(name); (Expected 2 arguments, but got 1)",
    ],
    [
      "a block that was edited itself is left out",
      send.replace("return send(name)", "return send(name[ > , 2])"),
      'a.ts: export const said = send("a"); (Expected 2 arguments, but got 1)',
      "send.ts: return send(text) + send(text); (Expected 2 arguments, but got 1)",
    ],
    ["an optional parameter leads to no place", send.replace("times:", "times?:")],
    [
      "an optional parameter leads to a caller that has a variable of its name",
      `--- send.ts
export function send(text: string[ > , times?: number]) {
  return text;
}
--- a.ts
import { send } from "./send.ts";
export function often(text: string, times: number) {
  return send(text).repeat(times);
}
export function once(text: string) {
  return send(text);
}
`,
      "a.ts: return send(text).repeat(times); (calls send, whose parameters changed)",
    ],
    [
      "a function that returns a promise now leads to callers that do not await it",
      `--- save.ts
export [ > async ]function save(text: string) {
  console.log(text);
}
--- a.ts
import { save } from "./save.ts";
export function one() {
  save("1");
}
export async function two() {
  await save("2");
}
export function three() {
  return save("3");
}
`,
      'a.ts: save("1"); (calls save, whose signature changed)',
    ],
    [
      "a member with another type leads to code that uses it, not to other uses of its owner",
      `--- options.ts
export interface Options {
  retries?: [number > number | string];
  name?: string;
}
--- a.ts
import type { Options } from "./options.ts";
export function print(options: Options) {
  return String(options.retries);
}
export function nameOf(options: Options) {
  return options.name;
}
`,
      "a.ts: export function print(options: Options) { (uses Options, of which retries changed)",
    ],
    [
      "a changed body leads to no place",
      `--- a.ts
export function one(): number { const [x > y] = 1; return 1; }
export function two() { return one(); }
`,
    ],
    [
      "a call of another function of the same name is left out",
      `--- send.ts
export function send(text: string[ > , times: number]) {
  return text;
}
--- a.ts
import "./send.ts";
function send(text: string) {
  return text;
}
export const said = send("a");
`,
    ],
    [
      "a member leads to its uses by the type of the object, without an import",
      `--- mail.ts
export class Mail {
  send(text: string[ > , times: number]) {
    return text;
  }
}
export class Post {
  send(text: string) {
    return text;
  }
}
--- box.ts
import { Mail, Post } from "./mail.ts";
export const mail = new Mail();
export const post = new Post();
--- use.ts
import { mail, post } from "./box.ts";
export function byMail() {
  return mail.send("a");
}
export function byPost() {
  return post.send("a");
}
`,
      'use.ts: return mail.send("a"); (Expected 2 arguments, but got 1)',
    ],
    [
      "nothing is proposed while the file has a new syntax error",
      send.replace("  return text;", "  return text[ >  + (;]"),
    ],
    [
      "a default export leads to its uses under any imported name",
      `--- send-mail.ts
function send(text: string[ > , times: number]) {
  return text;
}
export default send;
--- a.ts
import mail from "./send-mail.ts";
export const said = mail("a");
--- b.ts
import { default as post } from "./send-mail.ts";
export const said = post("a");
--- c.ts
import mail from "./other-mail.ts";
export const said = mail("a");
--- other-mail.ts
export default function mail(text: string) {
  return text;
}
`,
      'a.ts: export const said = mail("a"); (Expected 2 arguments, but got 1)',
      'b.ts: export const said = post("a"); (Expected 2 arguments, but got 1)',
    ],
    [
      "a place with a suppressed diagnostic is left out",
      send.replace("  return send(name)", "  // @ts-ignore\n  return send(name)"),
      "send.ts: return send(text) + send(text); (Expected 2 arguments, but got 1)",
      'a.ts: export const said = send("a"); (Expected 2 arguments, but got 1)',
    ],
  ];
  test.each(cases)("ImpactProvider, %s", async (_, marked, ...expected) => {
    expect(await places(marked)).toEqual(expected);
  });

  const chain = (first: string, second: string) => `--- base.ts
export function base(a: number${first}) {
  return a;
}
--- middle.ts
import { base } from "./base.ts";
export function middle(a: number${second}) {
  return base(a${second === "" ? "" : "[ > , b]"});
}
--- a-top.ts
import { middle } from "./middle.ts";
export const top = middle(1);
--- b-side.ts
import { base } from "./base.ts";
export const side = base(1);
--- c-both.ts
import { base } from "./base.ts";
import { side } from "./b-side.ts";
export const both = base(side);
`;
  const hops: readonly Case[] = [
    [
      "a dependency comes before its dependents",
      chain("[ > , b: number]", ""),
      "b-side.ts: export const side = base(1); (Expected 2 arguments, but got 1) 70",
      "middle.ts: return base(a); (Expected 2 arguments, but got 1) 70",
      "c-both.ts: export const both = base(side); (Expected 2 arguments, but got 1) 63",
    ],
    [
      "dependents of the declaration that was edited last come first",
      chain("[ > , b: number]", "[ > , b: number]"),
      "a-top.ts: export const top = middle(1); (Expected 2 arguments, but got 1) 70",
      "b-side.ts: export const side = base(1); (Expected 2 arguments, but got 1) 63",
      "c-both.ts: export const both = base(side); (Expected 2 arguments, but got 1) 57",
    ],
  ];
  test.each(hops)("ImpactProvider follows a change over several steps: %s", async (_, marked, ...expected) => {
    expect(await places(marked, { likelihoods: true })).toEqual(expected);
  });
});

describe("impact of other languages, by names", () => {
  const cases: readonly Case[] = [
    [
      "a changed signature leads to callers",
      `--- send.py
def send(text[ > , times]):
    return text
--- use.py
from send import send

def greet(name):
    return send(name)
`,
      "use.py: return send(name) (calls send, whose parameters changed)",
    ],
    [
      "a renamed call beside another call does not affect the other function",
      `--- send.py
def send[ > _all](text):
    return log(text)

def log(text):
    return text
--- use.py
from send import send[ > _all], log

def greet(name):
    log(send[ > _all](name))

def other(name):
    x = send[ > _all](name)
    return log(x)
`,
    ],
    [
      "a renamed method call beside another call does not affect the other method",
      `--- send.py
class Mail:
    def send[ > _all](self, text):
        return self.log(text)

    def log(self, text):
        return text

def use(mail: Mail):
    mail.log(mail.send[ > _all](1))
`,
    ],
    [
      "a renamed parameter leads to callers that pass it by name",
      `--- send.py
def send(text[ > s]):
    return log(text[ > s])

def log(text):
    return text

def use():
    return send(1)

def named():
    return send(text=1)
`,
      "send.py: return send(text=1) (calls send, whose parameters changed)",
    ],
    [
      "a block that was edited leads to its own dependents",
      `--- send.py
def send(text[ > , times]):
    return text
--- greet.py
from send import send

def greet(name[ > , times]):
    return send(name[ > , times])
--- use.py
from greet import greet
from send import send

def one():
    return send(1)

def two():
    return greet(1)
`,
      "use.py: return greet(1) (calls greet, whose parameters changed)",
      "use.py: return send(1) (calls send, whose parameters changed)",
    ],
  ];
  test.each(cases)("ImpactProvider, %s", async (_, marked, ...expected) => {
    expect(await places(marked)).toEqual(expected);
  });
});

test("ImpactProvider proposes nothing without a graph and a type checker", async () => {
  const source = new ImpactProvider({ graph: () => undefined, syntax, states: new ParseCache(reader) });
  for (const marked of ["--- a.ts\nexport const a = [1 > 2];\n", "--- a.py\na = [1 > 2]\n"])
    expect(await proposalsOf(source, contextAfterEach(marked), false)).toEqual([]);
});
