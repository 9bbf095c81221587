import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openSyntax } from "../../syntax/node/index.ts";
import { EmendError } from "../../text/errors.ts";
import { removeFolder } from "../../text/node/fixtures/remove-folder.ts";
import { readChangedTexts } from "../../workspace/node/changed-texts.ts";
import { disk } from "../../workspace/node/disk.ts";
import type { SkippedPath, WorkspaceFile } from "../../workspace/survey.ts";
import { walkWorkspace } from "../../workspace/walk.ts";
import { printCoverage } from "../impact/impact-coverage.ts";
import { skippedCoverage } from "./skipped-coverage.ts";
import { TypeScriptSource } from "./typescript-source.ts";
import { WorkspaceAnalysis, type WorkspaceAnalysisOptions } from "./workspace-analysis.ts";

const sums = {
  "src/add.ts": "export function add(a: number): number {\n  return a;\n}\n",
  "src/sum.ts": 'import { add } from "./add";\n\nexport const sum = add(1);\n',
};

const diff = `--- a/src/add.ts
+++ b/src/add.ts
@@ -1,2 +1,2 @@
-export function add(a: number): number {
+export function add(a: number, b: number): number {
   return a;
`;

/** Opens a workspace of these files in the state before a diff. */
async function open(
  files: Readonly<Record<string, string>>,
  change: string,
  options: Partial<WorkspaceAnalysisOptions> = {},
) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "emend-impact-")));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const found = new Map<string, WorkspaceFile>();
  const skipped: SkippedPath[] = [];
  for await (const item of walkWorkspace(root, { fileSystem: disk })) {
    if (item.kind === "file") found.set(item.path, item);
    else skipped.push(item);
  }
  const paths = new Set(found.keys());
  const texts = await readChangedTexts(
    { kind: "diff", diff: change },
    { root, files: paths, skipped, fileSystem: disk },
  );
  if (texts.kind !== "texts") throw new Error(texts.kind);
  const syntax = openSyntax();
  const analysis = await WorkspaceAnalysis.open({
    ...{ root, files: found, about: [...texts.changed.keys()], overlay: texts.before, fileSystem: disk, syntax },
    ...options,
  });
  onTestFinished(async () => {
    await analysis[Symbol.asyncDispose]();
    syntax[Symbol.dispose]();
    removeFolder(root);
  });
  return {
    analysis,
    changed: texts.changed,
    analyse: () => analysis.at(texts.changed).impact({ ...options }),
    get coverage() {
      return { ...analysis.coverage, ...skippedCoverage(texts, skipped) };
    },
  };
}

function gaps(workspace: Pick<Awaited<ReturnType<typeof open>>, "coverage">): string[] {
  return printCoverage(workspace.coverage).flatMap(({ kind, text }) => (kind === "gap" ? [text] : []));
}

test("with the type checker, calls are followed and checked", async () => {
  const phases = new Set<string>();
  const workspace = await open(sums, diff, { onProgress: ({ phase }) => phases.add(phase) });
  const { affected } = await workspace.analyse();
  expect(affected[0]).toMatchObject({ block: { name: "sum" }, checked: { wave: 1 }, reach: { relation: "called-by" } });
  expect(workspace.coverage.types).toEqual({ kind: "checked", files: 2, errorsBefore: 0 });
  expect(gaps(workspace)).toEqual([]);
  expect([...phases]).toEqual(["reading", "types", "references", "impact"]);
});

test("when the type checker cannot start, the changed blocks and the missing coverage are reported", async () => {
  const message = "The TypeScript service cannot be started.";
  const workspace = await open(sums, diff, {
    openTypes: () => Promise.reject(new EmendError("typescript-missing", message)),
  });
  const { changes, affected } = await workspace.analyse();
  expect(changes.map(({ label }) => label)).toEqual(["MMS"]);
  expect(affected).toEqual([]);
  expect(gaps(workspace)).toEqual([
    "No types were checked: The TypeScript service cannot be started",
    "who depends on whom in typescript (2 files) is not known; only what changed is told",
  ]);
});

test("when the type checker ends during the analysis, the analysis continues without it", async () => {
  const openTypes: WorkspaceAnalysisOptions["openTypes"] = async (options) => {
    const source = await TypeScriptSource.open(options);
    // As if it ended before the change was set.
    source.update = () => Promise.reject(new EmendError("typescript-failed", "It ended by itself."));
    return source;
  };
  const workspace = await open(sums, diff, { openTypes });
  const { affected } = await workspace.analyse();
  expect(affected[0]).toMatchObject({ block: { name: "sum" }, reach: { relation: "called-by" } });
  expect(affected[0]).not.toHaveProperty("checked");
  expect(gaps(workspace)).toEqual(["No types were checked: It ended by itself"]);
});

test("when the type checker ends, its dependencies stay known, and changes are still applied", async () => {
  const openTypes: WorkspaceAnalysisOptions["openTypes"] = async (options) => {
    const source = await TypeScriptSource.open(options);
    source.update = () => Promise.reject(new EmendError("typescript-failed", "It ended by itself."));
    return source;
  };
  const { analysis, changed } = await open(sums, diff, { openTypes });
  const callers = () => Array.from(analysis.graph.dependentsOf("src/add.ts|function:add"), ({ from }) => from);
  const before = callers();
  expect(before.length).toBeGreaterThan(0);
  await analysis.update(changed);
  expect(analysis.coverage.types).toEqual({ kind: "failed", message: "It ended by itself." });
  expect([analysis.textOf("src/add.ts"), analysis.checks]).toEqual([changed.get("src/add.ts")?.after, undefined]);
  expect(callers()).toEqual(before);
});

test("when references cannot be resolved, the blocks are listed without them", async () => {
  const openTypes: WorkspaceAnalysisOptions["openTypes"] = async (options) => {
    const source = await TypeScriptSource.open(options);
    source.referencesOf = () => Promise.reject(new EmendError("typescript-slow", "It did not answer."));
    return source;
  };
  const workspace = await open(sums, diff, { openTypes });
  expect((await workspace.analyse()).changes.length).toBe(1);
  expect(gaps(workspace)[0]).toBe("No types were checked: It did not answer");
});

test("analyse rejects with the signal's reason", async () => {
  const stop = new AbortController();
  const opening = open(sums, diff, {
    signal: stop.signal,
    onProgress: ({ phase }) => phase === "types" && stop.abort(new Error("enough")),
  });
  await expect(opening).rejects.toThrow("enough");
});

test("row 14: the blocks of a changed text are read in slices, however often they are needed", async () => {
  const values = Array.from({ length: 2_000 }, (_, n) => `  int value${n} = ${n};\n`).join("");
  const syntax = openSyntax();
  const atOnce: string[] = [];
  const watched: typeof syntax = {
    ...syntax,
    tryParse: (document) => {
      atOnce.push(document.text);
      return syntax.tryParse(document);
    },
  };
  const change = "--- a/A.cs\n+++ b/A.cs\n@@ -1,2 +1,2 @@\n-class A {\n+class B {\n   int value0 = 0;\n";
  const workspace = await open({ "A.cs": `class A {\n${values}}\n` }, change, { syntax: watched });
  const { changes } = await workspace.analyse();
  expect(changes.map(({ label }) => label)).toContain("RENAME");
  expect(atOnce).toEqual([]);
  syntax[Symbol.dispose]();
});
