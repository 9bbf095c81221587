import { mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { blockId, type ImpactReport } from "../../analysis/index.ts";
import { WorkspaceAnalysis } from "../../analysis/node/index.ts";
import { languageOf } from "../../syntax/index.ts";
import { openSyntax } from "../../syntax/node/index.ts";
import { removeFolder } from "../../text/node/fixtures/remove-folder.ts";
import type { ChangedText } from "../../workspace/index.ts";
import { disk } from "../../workspace/node/index.ts";
import type { ImpactSource } from "../plan-parts.ts";
import { analysisImpact, tryMechanicalEdits } from "./analysis-impact.ts";

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
  onTestFinished(() => removeFolder(root));
  write(root, files);
  return root;
}

async function openImpact(root: string, about: readonly string[], paths = Object.keys(files)) {
  const syntax = openSyntax();
  const found = new Map(paths.map((path) => [path, { language: languageOf(path).id }]));
  const analysis = await WorkspaceAnalysis.open({ root, files: found, about, fileSystem: disk, syntax });
  onTestFinished(async () => {
    await analysis[Symbol.asyncDispose]();
    syntax[Symbol.dispose]();
  });
  return Object.assign(analysisImpact(analysis), { analysis });
}

/** Makes a change on the disk and notifies the impact source, as a plan does. */
async function make(root: string, impact: ImpactSource, path: string, after: string): Promise<ImpactReport> {
  const changed = new Map<string, ChangedText>([[path, { before: readFileSync(join(root, path), "utf8"), after }]]);
  const report = await impact.impactOf(changed, {});
  write(root, { [path]: after });
  await impact.update(changed, {});
  return report;
}

/** The blocks with a diagnostic of a type checker after a change. */
function broken({ affected }: ImpactReport): string[] {
  return affected.flatMap(({ block, checked }) => (checked === undefined ? [] : [blockId(block)]));
}

/** All edges between blocks, sorted. */
function edges({ graph }: ImpactSource): string[] {
  const ids = Object.keys(files).flatMap((path) => graph.blocksOf(path).map(blockId));
  return ids.flatMap((id) => graph.dependenciesOf(id).map(({ relation, to }) => `${id} ${relation} ${to}`)).sort();
}

test("after each change the analysis equals one that is opened then", async () => {
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

test("a new override is found by impactOf, which changes nothing", async () => {
  const root = makeWorkspace();
  write(root, {
    "base.ts": "export class Base {\n  save(): void {}\n}\nexport const keep = (base: Base) => base.save();\n",
    "file.ts": 'import { Base } from "./base";\n\nexport class File extends Base {\n}\n',
  });
  const impact = await openImpact(root, ["base.ts"], ["tsconfig.json", "base.ts", "file.ts"]);
  const before = edges(impact);
  const text = readFileSync(join(root, "file.ts"), "utf8");
  const changed = new Map([["file.ts", { before: text, after: text.replace("{\n}", "{\n  save(): void {}\n}") }]]);
  const { affected } = await impact.impactOf(changed, {});
  const ways = affected.map(({ block, reach }) => `${block.name} ${reach?.hops} ${reach?.relation}`);
  expect(ways).toContain("Base.save 1 overrides");
  expect(ways).toContain("keep 2 type-used-by");
  expect(edges(impact)).toEqual(before);
});

test("files of another language are read when they are needed", async () => {
  const impact = await openImpact(makeWorkspace(), ["price.ts"]);
  expect(impact.graph.blocksOf("tool.py")).toEqual([]);
  await impact.load?.(["tool.py", "not-there.py"], {});
  expect(impact.graph.blocksOf("tool.py").map(({ name }) => name)).toEqual(["price", "use"]);
  expect(edges(impact)).toContain("tool.py|function:use calls tool.py|function:price");
});

test("without scripts there is no type checker, and none is reported as missing", async () => {
  const impact = await openImpact(makeWorkspace(), ["tool.py"]);
  expect(tryMechanicalEdits(impact.analysis, { repairsOldErrors: false })).toBeUndefined();
  expect(impact.analysis.coverage.types).toEqual({ kind: "not-needed" });
});

/** Only types show that `dim` calls the lamp's method, and `divert` that of the track. */
const lamps = {
  "lamp.py": "class Lamp:\n    def switch(self, on: bool) -> None: ...\n",
  "track.py": "class Track:\n    def switch(self, on: bool) -> None: ...\n",
  "use.py":
    "from lamp import Lamp\nfrom track import Track\n\n\ndef dim(one):\n    if isinstance(one, Lamp):\n        one.switch(True)\n\n\ndef divert(one):\n    if isinstance(one, Track):\n        one.switch(True)\n",
};

test("in Python pyright resolves whose method is called, also after each change", async () => {
  const root = makeWorkspace();
  write(root, lamps);
  const impact = await openImpact(root, ["lamp.py"], Object.keys(lamps));
  const reached = ({ affected }: ImpactReport) =>
    affected.flatMap(({ block, isTouched }) => (isTouched || block.kind === "import" ? [] : [block.name])).sort();
  const longer = lamps["lamp.py"].replace("on: bool", "on: bool, fade: float");
  const first = await make(root, impact, "lamp.py", longer);
  expect([reached(first), broken(first)]).toEqual([["dim"], ["use.py|function:dim"]]);
  const repaired = await make(
    root,
    impact,
    "use.py",
    `\n${lamps["use.py"].replace("switch(True)", "switch(True, 0.5)")}`,
  );
  expect(broken(repaired)).toEqual([]);
  const other = await make(root, impact, "track.py", lamps["track.py"].replace("on: bool", "on: bool, by: str"));
  expect([reached(other), broken(other)]).toEqual([["divert"], ["use.py|function:divert"]]);
});
