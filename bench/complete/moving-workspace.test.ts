import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { initialWeights } from "../../src/model/builtin/mixer.ts";
import { BuiltinModel } from "../../src/model/index.ts";
import { removeFolder } from "../../src/text/node/fixtures/remove-folder.ts";
import { type CompletionCase, caseRepositories, loadCases } from "./load-cases.ts";
import { MovingWorkspace } from "./moving-workspace.ts";

function makeCase(changes: Partial<CompletionCase>): CompletionCase {
  return {
    ...{ id: "x", set: "commit", file: "a.ts", kind: "line", isTest: false, isImport: false, seenLine: "no" },
    ...{ prefix: "", middle: "", suffix: "" },
    ...changes,
  };
}

const files = { "a.ts": "1", "b.ts": "2", "c.ts": "3", ".env": "1", "notes.xyz": "1" };
const texts: (readonly [string, string])[] = ["1", "2", "3", "4"].map((blob) => [blob, `const v${blob} = ${blob};\n`]);

test("moves from case to case, and never learns the file that is being written", () => {
  const model = new BuiltinModel({ weights: initialWeights(1) });
  const workspace = new MovingWorkspace(model, { name: "r", files, texts: new Map(texts), cases: [] });
  const check = (one: Partial<CompletionCase>, expected: string) => {
    workspace.moveTo(makeCase(one));
    expect([...model.knowledge.files.keys()].sort().join(" ")).toBe(expected);
  };
  check({ file: "a.ts" }, "b.ts c.ts");
  check({ file: "b.ts", delta: { "c.ts": null, "d.ts": "4" } }, "a.ts d.ts");
  check({ file: "new.ts", oldFile: "c.ts", delta: { "a.ts": "4" } }, "a.ts b.ts");
  expect(model.statistics.characters).toBe(2 * "const v1 = 1;\n".length);
  check({ file: "a.ts", oldFile: null, delta: { "b.ts": "gone" } }, "c.ts");
});

test("loads the first cases of each set", () => {
  const folder = mkdtempSync(join(tmpdir(), "emend-cases-"));
  try {
    mkdirSync(join(folder, "r"));
    mkdirSync(join(folder, "empty"));
    writeFileSync(join(folder, "r", "base.json.gz"), gzipSync(JSON.stringify({ repo: "r", head: "0", files })));
    const blobs = texts.map((entry) => JSON.stringify(entry)).join("\n");
    writeFileSync(join(folder, "r", "blobs.jsonl.gz"), gzipSync(`${blobs}\n`));
    const cases = (["commit", "static", "commit", "static", "static"] as const).map((set, i) =>
      JSON.stringify(makeCase({ id: `${i}`, set })),
    );
    writeFileSync(join(folder, "r", "cases.jsonl"), `${cases.join("\n")}\n`);
    expect(caseRepositories(folder)).toEqual(["r"]);
    const loaded = loadCases(folder, "r", 2);
    expect(loaded.cases.map(({ id }) => id)).toEqual(["1", "3", "0", "2"]);
    expect([...loaded.texts]).toEqual(texts);
    expect(loaded.files).toEqual(files);
  } finally {
    removeFolder(folder);
  }
});
