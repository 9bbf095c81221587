import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { BlockReader, isScript, NameReferences, WorkspaceGraph } from "../../codebase/index.ts";
import { filesOfTree, parseScriptTree, TypeScriptSource } from "../../codebase/node/index.ts";
import { openSyntax } from "../../syntax/node/index.ts";
import type { Moment } from "../next-edit-source.ts";
import { markedFiles, momentAfterEach } from "./fixtures/marked-files.ts";
import { ImpactSource } from "./impact-source.ts";
import { PastReferences } from "./past-references.ts";
import { PresentTypes } from "./present-types.ts";
import { ScriptStates } from "./script-states.ts";

const syntax = openSyntax();
const reader = new BlockReader({ parseScript: parseScriptTree, syntax });
beforeAll(() => reader.load(["a.py"]));
afterAll(() => syntax[Symbol.dispose]());

/** What is proposed after the marked changes: `FILE: the line (reason)`, and how likely in hundredths where it is asked for. */
async function places(marked: string, { likelihoods = false } = {}): Promise<readonly string[]> {
  const moment = momentAfterEach(marked);
  const before = new Map([...markedFiles(marked)].map(([path, file]) => [path, file.before] as const));
  const isOfScripts = [...before.keys()].every(isScript);
  return isOfScripts ? ofScripts(moment, before, likelihoods) : ofNames(moment, before, likelihoods);
}

async function ofScripts(moment: Moment, before: ReadonlyMap<string, string>, likelihoods: boolean) {
  const root = "/made-up";
  const types = await TypeScriptSource.open({
    ...{ root, paths: [...before.keys()], files: filesOfTree(root, before) },
    readText: async (path) => before.get(path),
  });
  try {
    const present = new PresentTypes({ witness: types, texts: before });
    for (const path of before.keys()) present.update(path, moment.files.textOf(path));
    const references = new PastReferences(present, types);
    const parts = { graph: () => undefined, references: () => references, syntax, states: new ScriptStates(reader) };
    return await saidBy(new ImpactSource(parts), moment, likelihoods);
  } finally {
    await types[Symbol.asyncDispose]();
  }
}

async function ofNames(moment: Moment, before: ReadonlyMap<string, string>, likelihoods: boolean) {
  const paths = [...before.keys()];
  const readText = async (path: string) => before.get(path);
  const workspace = new WorkspaceGraph({ reader, sources: [new NameReferences({ syntax, paths, readText })] });
  await workspace.build(paths, readText);
  const source = new ImpactSource({ graph: () => workspace.graph, syntax, states: new ScriptStates(reader) });
  return saidBy(source, moment, likelihoods);
}

async function saidBy(source: ImpactSource, moment: Moment, likelihoods: boolean): Promise<readonly string[]> {
  const said: string[] = [];
  for await (const { path, place, reason, edit, likelihood } of source.propose(moment)) {
    expect(edit).toBeUndefined();
    const text = moment.files.textOf(path)!;
    const line = text.slice(text.lastIndexOf("\n", place.start - 1) + 1, text.indexOf("\n", place.start)).trim();
    said.push(`${path}: ${line} (${reason})${likelihoods ? ` ${Math.round(100 * likelihood)}` : ""}`);
  }
  return said;
}

type Case = readonly [name: string, marked: string, ...said: readonly string[]];

describe("scripts, by their types", () => {
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
      "whoever is wrong now, in this file first, then by path, in the checker's words",
      send,
      "send.ts: return send(text) + send(text); (Expected 2 arguments, but got 1)",
      'a.ts: export const said = send("a"); (Expected 2 arguments, but got 1)',
      "b.ts: return send(name); (Expected 2 arguments, but got 1)",
    ],
    [
      "who was edited already is done",
      send.replace("return send(name)", "return send(name[ > , 2])"),
      'a.ts: export const said = send("a"); (Expected 2 arguments, but got 1)',
      "send.ts: return send(text) + send(text); (Expected 2 arguments, but got 1)",
    ],
    ["a parameter that nobody has to give leads to nobody", send.replace("times:", "times?:")],
    [
      "but to who has one of that name, and likely hands it on",
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
      "a function that gives a promise now leads to who does not wait for it",
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
      "a member that became another type leads to who says it, whatever else takes the type",
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
      "a body of which nobody sees that it changed leads nowhere",
      `--- a.ts
export function one(): number { const [x > y] = 1; return 1; }
export function two() { return one(); }
`,
    ],
    [
      "who calls another of the same name is not meant",
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
      "a member, by the type of what it is called on, whatever the file imports",
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
    ["nothing, while the file is not written to its end", send.replace("  return text;", "  return text[ >  + (;]")],
    [
      "what is exported by default, whatever it is called where it is imported",
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
      "what a tagged comment hides from the checker is likely meant to",
      send.replace("  return send(name)", "  // @ts-ignore\n  return send(name)"),
      "send.ts: return send(text) + send(text); (Expected 2 arguments, but got 1)",
      'a.ts: export const said = send("a"); (Expected 2 arguments, but got 1)',
    ],
  ];
  test.each(cases)("%s", async (_, marked, ...said) => {
    expect(await places(marked)).toEqual(said);
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
      "what others of them depend on comes before those",
      chain("[ > , b: number]", ""),
      "b-side.ts: export const side = base(1); (Expected 2 arguments, but got 1) 70",
      "middle.ts: return base(a); (Expected 2 arguments, but got 1) 70",
      "c-both.ts: export const both = base(side); (Expected 2 arguments, but got 1) 63",
    ],
    [
      "what depends on the declaration that was edited last comes first",
      chain("[ > , b: number]", "[ > , b: number]"),
      "a-top.ts: export const top = middle(1); (Expected 2 arguments, but got 1) 70",
      "b-side.ts: export const side = base(1); (Expected 2 arguments, but got 1) 63",
      "c-both.ts: export const both = base(side); (Expected 2 arguments, but got 1) 57",
    ],
  ];
  test.each(hops)("%s", async (_, marked, ...said) => {
    expect(await places(marked, { likelihoods: true })).toEqual(said);
  });
});

describe("other languages, by names alone", () => {
  const cases: readonly Case[] = [
    [
      "callers",
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
      "what stands beside a name in a call that became another is not called otherwise",
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
      "nor by a method",
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
      "a parameter of another name concerns who passes it by name",
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
      "a block that was shown and edited leads to what depends on it in turn",
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
  test.each(cases)("%s", async (_, marked, ...said) => {
    expect(await places(marked)).toEqual(said);
  });
});

test("while nobody knows what depends on what, nothing is known", async () => {
  const source = new ImpactSource({ graph: () => undefined, syntax, states: new ScriptStates(reader) });
  for (const marked of ["--- a.ts\nexport const a = [1 > 2];\n", "--- a.py\na = [1 > 2]\n"])
    expect(await saidBy(source, momentAfterEach(marked), false)).toEqual([]);
});
