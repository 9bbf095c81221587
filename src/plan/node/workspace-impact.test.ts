import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { blockId, type ChangedText, type ImpactReport } from "../../codebase/index.ts";
import { disk } from "../../codebase/node/index.ts";
import { openSyntax } from "../../syntax/node/index.ts";
import { WorkspaceImpact } from "./workspace-impact.ts";

const files = {
  "tsconfig.json": '{ "compilerOptions": { "strict": true, "module": "esnext", "moduleResolution": "bundler" } }\n',
  "price.ts": "export function price(euros: number): number {\n  return euros * 100;\n}\n",
  "cart.ts": 'import { price } from "./price";\n\nexport const total = (list: number[]) => list.map(price);\n',
  "tool.py": "def price():\n    return 1\n\n\ndef use():\n    return price()\n",
};

function write(root: string, texts: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(texts)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

function makeWorkspace(): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "emend-impact-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  write(root, files);
  return root;
}

async function openImpact(root: string, about: readonly string[], paths = Object.keys(files)) {
  const syntax = openSyntax();
  const impact = await WorkspaceImpact.open({ root, paths, about, fileSystem: disk, syntax });
  onTestFinished(async () => {
    await impact[Symbol.asyncDispose]();
    syntax[Symbol.dispose]();
  });
  return impact;
}

/** Makes a change on the disk, as a plan does it, and tells of it. */
async function make(root: string, impact: WorkspaceImpact, path: string, after: string): Promise<ImpactReport> {
  const changed = new Map<string, ChangedText>([[path, { before: readFileSync(join(root, path), "utf8"), after }]]);
  const report = await impact.impactOf(changed, {});
  write(root, { [path]: after });
  await impact.update(changed, {});
  return report;
}

/** Whom a type checker refuses once a change is made. */
function broken({ affected }: ImpactReport): string[] {
  return affected.flatMap(({ block, witness }) => (witness === undefined ? [] : [blockId(block)]));
}

/** All edges between blocks, sorted. */
function edges({ graph }: WorkspaceImpact): string[] {
  const ids = Object.keys(files).flatMap((path) => graph.blocksOf(path).map(blockId));
  return ids.flatMap((id) => graph.dependenciesOf(id).map(({ relation, to }) => `${id} ${relation} ${to}`)).sort();
}

test("after each change it says what one says that is opened then", async () => {
  const root = makeWorkspace();
  const impact = await openImpact(root, ["price.ts"]);
  const renamed = files["price.ts"].replace("price", "cents");
  expect(broken(await make(root, impact, "price.ts", renamed)).sort()).toEqual([
    "cart.ts|function:total",
    "cart.ts|import:./price",
  ]);
  expect(broken(await make(root, impact, "cart.ts", files["cart.ts"].replaceAll(/\bprice\b(?!")/g, "cents")))).toEqual(
    [],
  );
  const fresh = await openImpact(root, ["price.ts"]);
  expect(edges(impact)).toEqual(edges(fresh));
  expect(edges(impact)).toContain("cart.ts|function:total uses price.ts|function:cents");
});

test("files of another language are read when they are asked for", async () => {
  const impact = await openImpact(makeWorkspace(), ["price.ts"]);
  expect(impact.graph.blocksOf("tool.py")).toEqual([]);
  await impact.load(["tool.py", "not-there.py"], {});
  expect(impact.graph.blocksOf("tool.py").map(({ name }) => name)).toEqual(["price", "use"]);
  expect(edges(impact)).toContain("tool.py|function:use calls tool.py|function:price");
});

test("where no script is looked at there is no type checker, and none is missed", async () => {
  const impact = await openImpact(makeWorkspace(), ["tool.py"]);
  expect([impact.mechanical, impact.withoutTypes]).toEqual([undefined, undefined]);
});
