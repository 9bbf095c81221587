import { afterAll, expect, test } from "vitest";
import { BlockReader, type FileReferences } from "../../codebase/index.ts";
import { parseScriptTree } from "../../codebase/node/index.ts";
import { openSyntax } from "../../syntax/node/index.ts";
import { ScriptedWitness } from "./fixtures/scripted-witness.ts";
import { KnownReferences } from "./known-references.ts";
import { PastReferences } from "./past-references.ts";
import { PresentTypes } from "./present-types.ts";
import { ScriptStates } from "./script-states.ts";

const syntax = openSyntax();
afterAll(() => syntax[Symbol.dispose]());

const texts = {
  "a.ts": 'import { send } from "./b.ts";\nsend();\n',
  "b.ts": "export function send() {}\n",
  "c.ts": "export function other() { return 1; }\nfunction own() {}\n",
  "index.ts": 'export * from "./b.ts";\n',
  "d.json": "{}\n",
};

/** How often it is asked what `send` means in `a.ts`, where it means what `b.ts` declares, before and after other texts are told. */
async function asked(
  told: Readonly<Record<string, string | undefined>>,
  past: Readonly<Record<string, string>> = {},
): Promise<number> {
  const all = Object.entries(texts);
  const types = new PresentTypes({ witness: new ScriptedWitness(all), texts: all });
  let count = 0;
  const references = new PastReferences(types, {
    async referencesOf([path]) {
      count += 1;
      const meant = { start: 31, role: "call", targetPath: "b.ts", targetStart: 16 } as const;
      return [{ path: path!, references: [meant], unresolved: 0, precision: "types" } satisfies FileReferences];
    },
  });
  const known = new KnownReferences(new ScriptStates(new BlockReader({ parseScript: parseScriptTree, syntax })));
  const find = (over: Readonly<Record<string, string>>) =>
    known.of("a.ts", new Set(["send"]), new Map(Object.entries(over)), { references });
  const first = await find({});
  for (const [path, text] of Object.entries(told)) types.update(path, text);
  const second = await find(past);
  expect(second === first).toBe(count === 1);
  return count;
}

test.each<readonly [what: string, told: Readonly<Record<string, string | undefined>>, count: number]>([
  ["the body of another file's function", { "c.ts": texts["c.ts"].replace("1", "2") }, 1],
  ["what another file keeps to itself", { "c.ts": texts["c.ts"].replace("own()", "own(a: A)") }, 1],
  ["what others see of another file", { "c.ts": texts["c.ts"].replace("other()", "other(a: A)") }, 2],
  ["what another file gives on", { "index.ts": 'export * from "./c.ts";\n' }, 2],
  ["the file itself", { "a.ts": `${texts["a.ts"]}\n` }, 2],
  ["the file that is meant, if only a body", { "b.ts": "export function send() { }\n" }, 2],
  ["a file that comes", { "e.ts": "" }, 2],
  ["a file that goes", { "c.ts": undefined }, 2],
  ["what configures scripts", { "d.json": "[]\n" }, 2],
])("asks so often after a change of %s", async (_, told, count) => {
  expect(await asked(told)).toBe(count);
});

test("a text that is laid over counts instead of the present one", async () => {
  expect(await asked({ "a.ts": "later" }, { "a.ts": texts["a.ts"] })).toBe(1);
  expect(await asked({}, { "a.ts": "earlier" })).toBe(2);
});

test("of names that were asked about before only the others are asked, and all is told", async () => {
  const all = Object.entries(texts);
  const types = new PresentTypes({ witness: new ScriptedWitness(all), texts: all });
  const starts: Readonly<Record<string, number>> = { send: 31, other: 50, own: 40 };
  const asked: string[] = [];
  const references = new PastReferences(types, {
    async referencesOf([path], { saying } = {}) {
      asked.push([...saying!].join());
      const meant = [...saying!].map((name) => ({ start: starts[name]!, targetPath: "b.ts", targetStart: 16 }));
      const told = meant.map((one) => ({ ...one, role: "call" as const }));
      return [{ path: path!, references: told, unresolved: 0, precision: "types" } satisfies FileReferences];
    },
  });
  const known = new KnownReferences(new ScriptStates(new BlockReader({ parseScript: parseScriptTree, syntax })));
  const startsOf = async (...names: readonly string[]) => {
    const { references: told } = await known.of("a.ts", new Set(names), new Map(), { references });
    return told.map(({ start }) => start).join();
  };
  expect([await startsOf("send"), await startsOf("send", "other"), await startsOf("own", "other")]).toEqual([
    "31",
    "31,50",
    "31,40,50",
  ]);
  expect(asked).toEqual(["send", "other", "own"]);
});
