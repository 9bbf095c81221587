import { afterAll, expect, test } from "vitest";
import { ScriptedTypeChecker } from "../../../analysis/fixtures/scripted-type-checker.ts";
import {
  BlockReader,
  type FileReferences,
  ParseCache,
  type ReferenceSource,
  TypeCheckCache,
} from "../../../analysis/index.ts";
import { parseScriptTree } from "../../../names/node/index.ts";
import { openSyntax } from "../../../syntax/node/index.ts";
import { ReferenceCache } from "./references.ts";

const syntax = openSyntax();
afterAll(() => syntax[Symbol.dispose]());

const texts = {
  "a.ts": 'import { send } from "./b.ts";\nsend();\n',
  "b.ts": "export function send() {}\n",
  "c.ts": "export function other() { return 1; }\nfunction own() {}\n",
  "index.ts": 'export * from "./b.ts";\n',
  "d.json": "{}\n",
};

/** The types of these texts, by a checker that resolves names so. */
function typesOf(referencesOf: ReferenceSource["referencesOf"]): TypeCheckCache {
  const all = Object.entries(texts);
  return new TypeCheckCache({ checker: Object.assign(new ScriptedTypeChecker(all), { referencesOf }), texts: all });
}

/**
 * Counts the requests for what `send` refers to in `a.ts`, which is declared in `b.ts`, before and
 * after changes of the texts.
 */
async function requestCount(
  changes: Readonly<Record<string, string | undefined>>,
  past: Readonly<Record<string, string>> = {},
): Promise<number> {
  let count = 0;
  const types = typesOf(async ([path]) => {
    count += 1;
    const meant = { start: 31, role: "call", targetPath: "b.ts", targetStart: 16 } as const;
    return [{ path: path!, references: [meant], unresolved: 0, precision: "types" } satisfies FileReferences];
  });
  const known = new ReferenceCache(new ParseCache(new BlockReader({ parseScript: parseScriptTree, syntax })));
  const find = (over: Readonly<Record<string, string>>) =>
    known.of("a.ts", new Set(["send"]), new Map(Object.entries(over)), { types });
  const first = await find({});
  for (const [path, text] of Object.entries(changes)) types.update(path, text);
  const second = await find(past);
  expect(second === first).toBe(count === 1);
  return count;
}

test.each<readonly [what: string, changes: Readonly<Record<string, string | undefined>>, count: number]>([
  ["the body of another file's function", { "c.ts": texts["c.ts"].replace("1", "2") }, 1],
  ["a local declaration of another file", { "c.ts": texts["c.ts"].replace("own()", "own(a: A)") }, 1],
  ["the exported surface of another file", { "c.ts": texts["c.ts"].replace("other()", "other(a: A)") }, 2],
  ["a re-export of another file", { "index.ts": 'export * from "./c.ts";\n' }, 2],
  ["the file itself", { "a.ts": `${texts["a.ts"]}\n` }, 2],
  ["a body in the file that is referred to", { "b.ts": "export function send() { }\n" }, 2],
  ["an added file", { "e.ts": "" }, 2],
  ["a deleted file", { "c.ts": undefined }, 2],
  ["a configuration file", { "d.json": "[]\n" }, 2],
])("requests references again or not after a change of %s", async (_, changes, count) => {
  expect(await requestCount(changes)).toBe(count);
});

test("an overlaid text counts instead of the present one", async () => {
  expect(await requestCount({ "a.ts": "later" }, { "a.ts": texts["a.ts"] })).toBe(1);
  expect(await requestCount({}, { "a.ts": "earlier" })).toBe(2);
});

test("references are requested for new names of a file only, and the result has all", async () => {
  const starts: Readonly<Record<string, number>> = { send: 31, other: 50, own: 40 };
  const requested: string[] = [];
  const types = typesOf(async ([path], { onlyNames } = {}) => {
    requested.push([...onlyNames!].join());
    const meant = [...onlyNames!].map((name) => ({ start: starts[name]!, targetPath: "b.ts", targetStart: 16 }));
    const found = meant.map((one) => ({ ...one, role: "call" as const }));
    return [{ path: path!, references: found, unresolved: 0, precision: "types" } satisfies FileReferences];
  });
  const known = new ReferenceCache(new ParseCache(new BlockReader({ parseScript: parseScriptTree, syntax })));
  const startsOf = async (...names: readonly string[]) => {
    const { references: found } = await known.of("a.ts", new Set(names), new Map(), { types });
    return found.map(({ start }) => start).join();
  };
  expect([await startsOf("send"), await startsOf("send", "other"), await startsOf("own", "other")]).toEqual([
    "31",
    "31,50",
    "31,40,50",
  ]);
  expect(requested).toEqual(["send", "other", "own"]);
});
