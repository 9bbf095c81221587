import { afterAll, expect, test } from "vitest";
import { BlockReader, NameReferences, WorkspaceGraph } from "../../codebase/index.ts";
import { filesOfTree, parseScriptTree, TypeScriptSource } from "../../codebase/node/index.ts";
import { openSyntax } from "../../syntax/node/index.ts";
import { markedFiles, momentAfter } from "./fixtures/marked-files.ts";
import { ImpactSource } from "./impact-source.ts";
import { ScriptStates } from "./script-states.ts";

const syntax = openSyntax();
const reader = new BlockReader({ parseScript: parseScriptTree, syntax });
afterAll(() => syntax[Symbol.dispose]());

/** Where the marked change leads, by the graph of before it: `FILE: the line (reason)`. */
async function places(marked: string, checks?: (path: string) => boolean): Promise<readonly string[]> {
  const files = markedFiles(marked);
  const texts = new Map([...files].map(([path, { before }]) => [path, before] as const));
  const paths = [...texts.keys()];
  const readText = async (path: string) => texts.get(path);
  const types = await TypeScriptSource.open({
    ...{ root: "/made-up", paths, readText },
    files: filesOfTree("/made-up", texts),
  });
  try {
    const workspace = new WorkspaceGraph({ reader, sources: [types, new NameReferences({ syntax, paths, readText })] });
    await workspace.build(paths, readText);
    const source = new ImpactSource({
      graph: () => workspace.graph,
      states: new ScriptStates(reader),
      ...(checks && { checks }),
    });
    const said: string[] = [];
    for await (const { path, place, reason, edit } of source.propose(momentAfter(files))) {
      expect(edit).toBeUndefined();
      const text = files.get(path)!.after;
      const line = text.slice(text.lastIndexOf("\n", place.start - 1) + 1, text.indexOf("\n", place.start)).trim();
      said.push(`${path}: ${line} (${reason})`);
    }
    return said;
  } finally {
    await types[Symbol.asyncDispose]();
  }
}

const called = `--- send.ts
export function send(text: string[ > , times?: number]) {
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

const cases: readonly (readonly [name: string, marked: string, said: readonly string[]])[] = [
  [
    "callers, in this file first, then by path",
    called,
    [
      "send.ts: return send(text) + send(text); (calls send, whose parameters changed)",
      'a.ts: export const said = send("a"); (calls send, whose parameters changed)',
      "b.ts: return send(name); (calls send, whose parameters changed)",
    ],
  ],
  [
    "who was edited already is done",
    called.replace("return send(name)", "return send(name[ > , 2])"),
    [
      'a.ts: export const said = send("a"); (calls send, whose parameters changed)',
      "send.ts: return send(text) + send(text); (calls send, whose parameters changed)",
    ],
  ],
  [
    "a body of which nobody sees that it changed leads nowhere",
    `--- a.ts
export function one(): number { const [x > y] = 1; return 1; }
export function two() { return one(); }
`,
    [],
  ],
  [
    "Python, by names alone",
    `--- send.py
def send(text[ > , times]):
    return text
--- use.py
from send import send

def greet(name):
    return send(name)
`,
    ["use.py: return send(name) (calls send, whose parameters changed)"],
  ],
];

test.each(cases)("%s", async (_, marked, said) => {
  await reader.load(["a.py"]);
  expect(await places(marked)).toEqual(said);
});

test("where a checker looks, what it does not complain of is left alone", async () => {
  expect(await places(called, () => true)).toEqual([]);
});

test("while there is no graph, nothing is known", async () => {
  const source = new ImpactSource({ graph: () => undefined, states: new ScriptStates(reader) });
  for await (const one of source.propose(momentAfter(markedFiles(called)))) expect(one).toBeUndefined();
});
