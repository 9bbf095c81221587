import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { comparePaths } from "../../workspace/index.ts";
import { TypeCheckCache } from "../impact/type-check-cache.ts";
import { filesOfTree } from "./typescript-files.ts";
import { TypeScriptSource } from "./typescript-source.ts";

/**
 * Texts by path; the first text of each is the one that the checkers are opened with. The files
 * reach each other by imports, by ambient names and by augmentations.
 */
const variants: Readonly<Record<string, readonly (string | undefined)[]>> = {
  "tsconfig.json": ["{}"],
  "a.ts": [
    "export function f(x: number) { return x; }\nexport interface Box { size: number }\n",
    "export function f(x: string) { return x; }\nexport interface Box { size: string }\n",
    "declare global { var shared: string; }\nexport function f(x: number) { return x + shared.length; }\n",
    undefined,
  ],
  "b.ts": [
    'import { f } from "./a";\nexport const b = f("1");\n',
    'import { f } from "./a";\nexport const b = f(1).length;\n',
  ],
  "c.ts": ['import { b } from "./b";\nexport const c: string = b;\nexport const d = version + depth + shared;\n'],
  "d.ts": ['import type { Box } from "./a";\nexport const box: Box = { size: 1, extra: version };\n'],
  "globals.d.ts": ["declare const version: string;\n", "declare const version: number;\n", undefined],
  "script.ts": ["var depth = 1;\n", "export var depth = 1;\n"],
  "augment.ts": [
    'import "./a";\ndeclare module "./a" { interface Box { extra: string } }\n',
    "export {};\n",
    'import "./a";\ndeclare module "./a" { interface Box { extra: number } }\n',
  ],
  "late.ts": [undefined, "var shared = 1;\n", 'import { b } from "./b";\nexport const late: number = b;\n'],
  "old.cjs": ["const a = 1;\nmodule.exports = { a };\n"],
  "user.js": ['// @ts-check\nconst { a } = require("./old.cjs");\na.toFixed(version);\na.none();\n'],
};
const paths = Object.keys(variants);
const scripts = paths.filter((path) => !path.endsWith(".json"));
const base = new Map(
  paths.flatMap((path) => {
    const [first] = variants[path]!;
    return first === undefined ? [] : [[path, first] as const];
  }),
);

async function open(requested?: readonly string[]) {
  const checker = await TypeScriptSource.open({
    ...{ root: "/tree", paths: [...base.keys()], files: filesOfTree("/tree", base), requested },
    readText: async (path) => base.get(path),
  });
  return { checker, types: new TypeCheckCache({ checker, texts: base }) };
}

type Opened = Awaited<ReturnType<typeof open>>;
let all: Opened;
beforeAll(async () => {
  all = await open();
});
afterAll(() => all.checker[Symbol.asyncDispose]());

const text = fc
  .constantFrom(...paths)
  .chain((path) => fc.tuple(fc.constant(path), fc.constantFrom(...variants[path]!)));
// Few, so that the checker goes back to texts of which it keeps a snapshot.
const overlay = fc.constantFrom(
  new Map<string, string | undefined>(),
  new Map([["a.ts", variants["a.ts"]![1]]]),
  new Map([["globals.d.ts", undefined]]),
);
const about = fc.subarray(scripts, { minLength: 1, maxLength: 3 });
const step = fc.oneof(
  fc.record({ kind: fc.constant("update" as const), text }),
  fc.record({ kind: fc.constant("errors" as const), overlay, about }),
  fc.record({ kind: fc.constant("references" as const), overlay, about }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Runs a step; returns the errors or the references as lines. */
async function run({ types, checker }: Opened, one: Step): Promise<readonly string[]> {
  if (one.kind === "update") {
    types.update(...one.text);
    return [];
  }
  if (one.kind === "errors") {
    const errors = await types.errorsWith(one.overlay, one.about);
    return errors.map(({ path, start, message }) => `${path} ${start} ${message}`).sort(comparePaths);
  }
  const lines: string[] = [];
  for (const path of one.about) {
    const found = await types.runQuery(one.overlay, { path, key: "all" }, async (signal) => {
      return (await checker.referencesOf([path], { signal }))[0]!.references;
    });
    for (const { start, targetPath, targetStart } of found) lines.push(`${path} ${start} ${targetPath} ${targetStart}`);
  }
  return lines;
}

test("law: a checker that opens only what is requested answers as one of all scripts", {
  timeout: 300_000,
}, async () => {
  let interesting = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 10 }), async (steps) => {
      const some = await open([]);
      try {
        for (const path of scripts) all.types.update(path, base.get(path));
        for (const one of steps) {
          const expected = await run(all, one);
          expect(await run(some, one)).toEqual(expected);
          if (expected.length > 0) interesting += 1;
        }
      } finally {
        await some.checker[Symbol.asyncDispose]();
      }
    }),
    { numRuns: 25 },
  );
  expect(interesting).toBeGreaterThan(25);
});

test("only the scripts of requests are opened, with what they import and those that declare names for all", async () => {
  const read: string[] = [];
  const files = filesOfTree("/tree", base);
  const checker = await TypeScriptSource.open({
    ...{ root: "/tree", paths: [...base.keys()], requested: ["b.ts"] },
    files: {
      ...files,
      readFile(path) {
        read.push(path);
        return files.readFile(path);
      },
    },
    readText: async (path) => base.get(path),
  });
  const own = () =>
    read
      .filter((path) => /^\/tree\/[^/]*\.(?!json)\w+$/.test(path))
      .map((path) => path.slice(6))
      .sort();
  expect(own()).toEqual(["a.ts", "augment.ts", "b.ts", "globals.d.ts", "script.ts"]);
  await checker.errorsOf(["d.ts"]);
  expect(own()).toEqual(["a.ts", "augment.ts", "b.ts", "d.ts", "globals.d.ts", "script.ts"]);
  await checker.errorsOf(undefined);
  expect(own()).toContain("user.js");
  await checker[Symbol.asyncDispose]();
});
