import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openSyntax } from "../../syntax/node/index.ts";
import { removeFolder } from "../../text/node/fixtures/remove-folder.ts";
import type { ChangedText } from "../../workspace/index.ts";
import { disk } from "../../workspace/node/disk.ts";
import type { WorkspaceFile } from "../../workspace/survey.ts";
import { walkWorkspace } from "../../workspace/walk.ts";
import { WorkspaceAnalysis } from "./workspace-analysis.ts";

type Texts = Readonly<Record<string, string | undefined>>;

/** A workspace before a change, without the changed files; the changed texts come last. */
const unrelated = {
  "other/far.ts": 'import { near } from "./near";\nexport const far = near + 1;\n',
  "other/near.ts": "export const near = 1;\n",
};
const add = "export function add(a: number): number {\n  return a;\n}\n";
const addTwo = "export function add(a: number, b: number): number {\n  return a + b;\n}\n";
const shape = "export interface Shape {\n  area(): number;\n}\n";
const square =
  'import type { Shape } from "./index";\n\nexport class Square implements Shape {\n  area(): number {\n    return 4;\n  }\n}\n';

const cases: readonly (readonly [name: string, files: Texts, before: Texts, after: Texts, inReach: number])[] = [
  [
    "importers of importers, through a file that exports again and a package name",
    {
      "package.json": '{ "workspaces": ["packages/*"] }\n',
      "packages/sums/package.json": '{ "name": "@example/sums", "main": "src/index.ts" }\n',
      "packages/sums/src/index.ts": 'export * from "./add";\n',
      "packages/app/package.json": '{ "name": "@example/app" }\n',
      "packages/app/src/one.ts": 'import { add } from "@example/sums";\n\nexport const one = () => add(1);\n',
      "packages/app/src/two.ts": 'const one = require("./one");\n\nexport const two = one.one();\n',
      "packages/app/src/three.js": 'export const three = async () => (await import("./one.js")).one();\n',
    },
    { "packages/sums/src/add.ts": add },
    { "packages/sums/src/add.ts": addTwo },
    5,
  ],
  [
    "what implements and uses an interface that the changed class implements",
    {
      "src/shape.ts": shape,
      "src/index.ts": 'export * from "./shape";\n',
      "src/circle.ts": square.replace("Square", "Circle"),
      "src/total.ts":
        'import type { Shape } from "./index";\n\nexport function total(all: Shape[]): number {\n  return all.reduce((sum, one) => sum + one.area(), 0);\n}\n',
    },
    { "src/square.ts": square },
    { "src/square.ts": square.replace("area(): number", "area(scale: number): number").replace("4", "4 * scale") },
    5,
  ],
  [
    "who imports a file that is removed, and one that is added",
    {
      "src/a.ts": 'import { old } from "./old";\n\nexport const a = old;\n',
      "src/b.ts": 'import { fresh } from "./fresh.js";\n\nexport const b = fresh;\n',
    },
    { "src/old.ts": "export const old = 1;\n", "src/fresh.ts": undefined },
    { "src/old.ts": undefined, "src/fresh.ts": "export const fresh = 1;\n" },
    3,
  ],
];

/** The blocks that a change may affect, with their status, and how many scripts were analysed. */
async function affected(files: Texts, changed: ReadonlyMap<string, ChangedText>, maxWholeScripts: number) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "emend-reach-")));
  onTestFinished(() => removeFolder(root));
  for (const [path, text] of Object.entries(files)) {
    if (text === undefined) continue;
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const found = new Map<string, WorkspaceFile>();
  for await (const item of walkWorkspace(root, { fileSystem: disk }))
    if (item.kind === "file") found.set(item.path, item);
  const syntax = openSyntax();
  const analysis = await WorkspaceAnalysis.open({
    ...{ root, files: found, about: [...changed.keys()], fileSystem: disk, syntax },
    ...{ onlyChange: changed, maxWholeScripts },
  });
  onTestFinished(async () => {
    await analysis[Symbol.asyncDispose]();
    syntax[Symbol.dispose]();
  });
  const report = await analysis.at(changed).impact();
  return {
    blocks: report.affected
      .map(({ block, likelihood }) => `${block.path} ${block.name} ${likelihood.toFixed(3)}`)
      .sort(),
    scriptsInReach: analysis.coverage.scriptsInReach,
  };
}

test.each(cases)(
  "the change of a large workspace affects %s, as in a small one",
  async (_, files, before, after, inReach) => {
    const changed = new Map(
      Object.keys(before).map((path) => [path, { before: before[path], after: after[path] }] as const),
    );
    const all = { ...unrelated, ...files, ...before };
    const whole = await affected(all, changed, 1_000);
    const reached = await affected(all, changed, 0);
    expect(whole.blocks.length).toBeGreaterThan(0);
    expect(reached.blocks).toEqual(whole.blocks);
    expect([whole.scriptsInReach, reached.scriptsInReach]).toEqual([undefined, inReach]);
  },
);

test("all scripts are analysed where a change declares names without an import", async () => {
  const globals = { before: "declare const limit: number;\n", after: "declare const limit: string;\n" };
  const files = { ...unrelated, "src/use.ts": "export const twice = limit * 2;\n", "src/globals.d.ts": globals.before };
  const { blocks, scriptsInReach } = await affected(files, new Map([["src/globals.d.ts", globals]]), 0);
  expect([blocks.length > 0, scriptsInReach]).toEqual([true, undefined]);
});
