import { expect, onTestFinished, test } from "vitest";
import { EmendError } from "../../text/index.ts";
import { RestartingTypeScript } from "./restarting-typescript.ts";
import { filesOfTree } from "./typescript-files.ts";
import { TypeScriptSource } from "./typescript-source.ts";

const unclosedTypes = "a<".repeat(2_000);
const manyUnclosedTypes = "a<\n".repeat(20_000);
const unclosedCalls = "a(".repeat(20_000);
const endlessConditions = "a?b:".repeat(10_000);

const config = '{ "compilerOptions": { "strict": true, "types": [], "lib": ["es2022"] } }';
const rest = {
  "tsconfig.json": config,
  "src/one.ts": "export const one: number = 1;\n",
  "src/wrong.ts": 'import { one } from "./one";\n\nexport const two: string = one;\n',
};

const limits = { maxMemoryMb: 300, stallMs: 2_000 };

/** A checker of these files, and how often its source was opened. */
async function open(files: Readonly<Record<string, string>>, options: Partial<typeof limits> = {}) {
  const texts = new Map(Object.entries({ ...rest, ...files }));
  let opened = 0;
  const checker = await RestartingTypeScript.open(
    {
      ...{ root: "/tree", paths: [...texts.keys()], files: filesOfTree("/tree", texts) },
      readText: async (path) => texts.get(path),
      limits: { ...limits, ...options },
    },
    (options) => {
      opened += 1;
      return TypeScriptSource.open(options);
    },
  );
  onTestFinished(() => checker[Symbol.asyncDispose]());
  return { checker, opened: () => opened };
}

async function errors(checker: RestartingTypeScript): Promise<readonly string[]> {
  return (await checker.errorsOf(undefined)).map(({ path, code }) => `${path} ${code}`);
}

const importing =
  'import { some } from "./bad";\nimport { one } from "./one";\n\nexport const other: string = some + one;\n';

const cases: readonly (readonly [what: string, files: Readonly<Record<string, string>>, leftOut: readonly string[]])[] =
  [
    ["type arguments that never close", { "src/bad.ts": unclosedTypes }, ["src/bad.ts"]],
    ["calls that never close, which stop the check alone", { "src/bad.ts": unclosedCalls }, ["src/bad.ts"]],
    ["a file that another imports", { "src/bad.ts": unclosedTypes, "src/user.ts": importing }, ["src/bad.ts"]],
    [
      "two files, of which one stops the parser and one the check",
      { "src/bad.ts": unclosedTypes, "src/worse.ts": endlessConditions },
      ["src/bad.ts", "src/worse.ts"],
    ],
    ["a folder's index", { "src/bad/index.ts": unclosedTypes, "src/user.ts": importing }, ["src/bad/index.ts"]],
  ];

test.each(cases)(
  "row 16: RestartingTypeScript leaves out %s, and checks the rest",
  { timeout: 120_000 },
  async (_, files, leftOut) => {
    const { checker } = await open(files);
    expect(await errors(checker)).toEqual(["src/wrong.ts 2322"]);
    expect([...checker.leftOut.keys()].sort()).toEqual(leftOut);
    const [references] = await checker.referencesOf(["src/wrong.ts"]);
    expect(references?.references.map(({ targetPath }) => targetPath)).toContain("src/one.ts");
  },
);

test("errors of a text that uses too many undeclared names are not requested, those of other files are", async () => {
  const many = Array.from({ length: 4_000 }, (_, n) => `export const a${n} = b${n};`).join("\n");
  const user = 'import { a1 } from "./many";\n\nexport const some: string = a1;\nconst wrong: string = 1;\n';
  const { checker } = await open({ "src/many.ts": many, "src/user.ts": user });
  expect([...(await errors(checker))].sort()).toEqual(["src/user.ts 2322", "src/wrong.ts 2322"]);
  expect(checker.leftOut).toEqual(new Map([["src/many.ts", "stalled"]]));
  const [references] = await checker.referencesOf(["src/user.ts"]);
  expect(references?.references.map(({ targetPath }) => targetPath)).toContain("src/many.ts");

  await checker.update(new Map([["src/many.ts", "export const a1 = b1;"]]));
  expect([...(await errors(checker))].sort()).toEqual(["src/many.ts 2304", "src/user.ts 2322", "src/wrong.ts 2322"]);
  expect(checker.leftOut).toEqual(new Map());
  await checker.update(new Map([["src/many.ts", many]]));
  expect([...(await errors(checker))].sort()).toEqual(["src/user.ts 2322", "src/wrong.ts 2322"]);
});

test("row 16: RestartingTypeScript leaves out one of many unclosed files", { timeout: 120_000 }, async () => {
  const { checker } = await open({ "src/bad.ts": manyUnclosedTypes });
  expect(await errors(checker)).toEqual(["src/wrong.ts 2322"]);
  expect([...checker.leftOut.keys()]).toEqual(["src/bad.ts"]);
});

test("row 16: RestartingTypeScript leaves out a file until an update sets another text", {
  timeout: 120_000,
}, async () => {
  const { checker, opened } = await open({
    "src/bad.ts": 'export const some: string = "";\n',
    "src/user.ts": importing,
  });
  expect(await errors(checker)).toEqual(["src/wrong.ts 2322"]);
  const bad = new Map([["src/bad.ts", unclosedTypes]]);
  await checker.update(bad);
  expect(await errors(checker)).toEqual(["src/wrong.ts 2322"]);
  expect([...checker.leftOut.keys()]).toEqual(["src/bad.ts"]);
  await checker.update(bad);
  expect(opened()).toBe(2);
  await checker.update(new Map([["src/bad.ts", "export const some: number = 1;\n"]]));
  expect([...checker.leftOut]).toEqual([]);
  expect(await errors(checker)).toEqual(["src/user.ts 2322", "src/wrong.ts 2322"]);
  expect(opened()).toBe(2);
});

test("row 16: RestartingTypeScript rejects when all files together need too much", { timeout: 120_000 }, async () => {
  await expect(open({}, { maxMemoryMb: 20 })).rejects.toMatchObject({ code: "typescript-memory" });
});

test("row 16: RestartingTypeScript opens no other source when no file causes the failure", async () => {
  const { checker, opened } = await open({});
  expect(await errors(checker)).toEqual(["src/wrong.ts 2322"]);
  const failing = new EmendError("typescript-memory", "It was ended.");
  const errorsOf = TypeScriptSource.prototype.errorsOf;
  onTestFinished(() => {
    TypeScriptSource.prototype.errorsOf = errorsOf;
  });
  TypeScriptSource.prototype.errorsOf = () => Promise.reject(failing);
  await expect(Promise.all([checker.errorsOf(undefined), checker.errorsOf(["src/one.ts"])])).rejects.toBe(failing);
  await expect(checker.errorsOf(undefined)).rejects.toBe(failing);
  expect(opened()).toBe(2);
});
