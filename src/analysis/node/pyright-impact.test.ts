import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { openSyntax } from "../../syntax/node/index.ts";
import { EmendError } from "../../text/errors.ts";
import { removeFolder } from "../../text/node/fixtures/remove-folder.ts";
import { disk } from "../../workspace/node/disk.ts";
import type { WorkspaceFile } from "../../workspace/survey.ts";
import { walkWorkspace } from "../../workspace/walk.ts";
import type { ImpactReport } from "../impact/impact-analysis.ts";
import { type ImpactCoverage, printCoverage } from "../impact/impact-coverage.ts";
import { findPyright } from "./pyright-program.ts";
import { PyrightService } from "./pyright-service.ts";
import { pyrightIn } from "./pyright-types.ts";
import { WorkspaceAnalysis, type WorkspaceAnalysisOptions } from "./workspace-analysis.ts";

type Files = Readonly<Record<string, string>>;

/** A workspace with a change. */
interface Opened {
  readonly coverage: ImpactCoverage;
  analyse(): Promise<ImpactReport>;
}

type OpenPython = NonNullable<WorkspaceAnalysisOptions["openPython"]>;

/**
 * Opens a workspace of files in the state before some of them change, by default with the pyright
 * of our own packages.
 */
async function open(
  files: Files,
  after: Files,
  pyright: (root: string) => OpenPython | null = (root) => pyrightIn({ root, searchPath: "" })!,
  signal?: AbortSignal,
): Promise<Opened> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "emend-pyright-")));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const found = new Map<string, WorkspaceFile>();
  for await (const item of walkWorkspace(root, { fileSystem: disk }))
    if (item.kind === "file") found.set(item.path, item);
  const changed = new Map(Object.entries(after).map(([path, text]) => [path, { before: files[path], after: text }]));
  const syntax = openSyntax();
  const analysis = await WorkspaceAnalysis.open({
    ...{ root, files: found, about: Object.keys(after), fileSystem: disk, syntax, openPython: pyright(root) },
    overlay: new Map(Object.keys(after).map((path) => [path, files[path]])),
    ...(signal && { signal }),
  });
  onTestFinished(async () => {
    await analysis[Symbol.asyncDispose]();
    syntax[Symbol.dispose]();
    removeFolder(root);
  });
  return {
    analyse: () => analysis.at(changed).impact(signal ? { signal } : {}),
    get coverage() {
      return { ...analysis.coverage, skippedChanges: [], skipped: [] };
    },
  };
}

/** The affected blocks with pyright's diagnostics: `use.py use reportCallIssue`. */
async function affected(workspace: Opened): Promise<string[]> {
  const report = await workspace.analyse();
  const coverage = report.affected
    .filter(({ isTouched, block }) => !isTouched && block.kind !== "import")
    .map(({ block, checked }) => [block.path, block.name, ...(checked?.codes ?? [])].join(" "));
  return coverage.sort();
}

function gaps(workspace: Opened): string[] {
  return printCoverage(workspace.coverage).flatMap(({ kind, text }) => (kind === "gap" ? [text] : []));
}

/** Two unrelated classes with a method of the same name; only types tell whose method is called. */
const files = {
  "lamp.py": "class Lamp:\n    def switch(self, on: bool) -> None: ...\n",
  "track.py": "class Track:\n    def switch(self, on: bool) -> None: ...\n",
  "room.py":
    "from lamp import Lamp\n\n\ndef dim(one):\n    if isinstance(one, Lamp):\n        one.switch(False)\n\n\ndef first(lamps: list[Lamp]):\n    return sorted(lamps, key=id)[0]\n\n\ndef dark(lamps: list[Lamp]):\n    first(lamps).switch(False)\n",
  "station.py":
    "from track import Track\n\n\ndef divert(one):\n    if isinstance(one, Track):\n        one.switch(True)\n\n\ndef straight(all: list[Track]):\n    for one in reversed(all):\n        one.switch(False)\n",
};
const longer = { "lamp.py": files["lamp.py"].replace("on: bool", "on: bool, fade: float") };

describe("a new required parameter of a method", () => {
  test("affects callers by name when there is no pyright, which is too many and too few", async () => {
    const workspace = await open(files, longer, () => null);
    expect(await affected(workspace)).toEqual(["room.py dim", "station.py divert"]);
    expect(gaps(workspace)).toEqual([
      "types of Python are not checked: install pyright",
      "python (4 files) is followed by names alone, which may be too much or too little",
    ]);
  });

  test("affects the real callers when pyright is used", async () => {
    const workspace = await open(files, longer);
    expect(await affected(workspace)).toEqual(["room.py dark reportCallIssue", "room.py dim reportCallIssue"]);
    expect(workspace.coverage.python).toEqual({
      ...{ kind: "queried", queried: 4, known: 4, left: 0 },
      ...{ files: 2, unchecked: 0, errorsBefore: 0 },
    });
    expect(gaps(workspace)).toEqual([
      "python (4 files) is followed by names, and by types where those are guesses; what pyright did not check of it may be too much or too little",
    ]);
  });
});

test("counts only the diagnostics that the change adds, also in blocks that it does not touch", async () => {
  const workspace = await open(
    {
      "store.py":
        "import not_installed\n\n\nclass Store:\n    def fetch(self) -> str:\n        return not_installed.get(1) + None\n",
      "use.py":
        "from store import Store\nimport nor_this\n\n\nclass Shop(Store):\n    def fetch(self) -> str:\n        return super().fetch()\n\n\ndef show() -> str:\n    return Store().fetch() + nor_this.end\n",
    },
    {
      "store.py":
        "import not_installed\n\n\nclass Store:\n    def load(self) -> str:\n        return not_installed.get(1) + None\n",
    },
  );
  expect(await affected(workspace)).toEqual([
    "use.py Shop.fetch reportAttributeAccessIssue",
    "use.py show reportAttributeAccessIssue",
  ]);
  expect(workspace.coverage.python).toMatchObject({ kind: "queried", errorsBefore: 2 });
});

describe("when pyright fails, references by names are used and a line reports it:", () => {
  const without = ["room.py dim", "station.py divert"];
  // A write may fail before the signal is known.
  const killed = /^types of Python are not checked: Pyright ended by itself( \(SIGKILL\))?$/;

  test("it cannot be started", async () => {
    const missing = () => Promise.reject(new EmendError("pyright-missing", "Pyright cannot be started."));
    const workspace = await open(files, longer, () => missing);
    expect(await affected(workspace)).toEqual(without);
    expect(gaps(workspace)[0]).toBe("types of Python are not checked: Pyright cannot be started");
  });

  test("it is killed while it resolves names", async () => {
    const workspace = await open(files, longer, (root) => killedAt("textDocument/definition", root));
    expect(await affected(workspace)).toEqual(without);
    expect(gaps(workspace)[0]).toMatch(killed);
  });

  test("it is killed while it reports diagnostics, and the resolved names are kept", async () => {
    const workspace = await open(files, longer, (root) => killedAt("textDocument/diagnostic", root));
    expect(await affected(workspace)).toEqual(["room.py dark", "room.py dim"]);
    expect(gaps(workspace)[0]).toMatch(killed);
  });
});

test("an abort rejects with the signal's reason", async () => {
  const stop = new AbortController();
  const stopping = () => {
    stop.abort(new Error("enough"));
    return Promise.reject(new EmendError("pyright-failed", "It was stopped."));
  };
  const workspace = await open(files, longer, () => stopping, stop.signal);
  await expect(workspace.analyse()).rejects.toThrow("enough");
});

/** The pyright of our own packages, killed at its first request. */
function killedAt(method: string, root: string): OpenPython {
  const server = findPyright({ root, searchPath: "" })!.args[0]!;
  const script = join(mkdtempSync(join(tmpdir(), "emend-killed-")), "server.cjs");
  onTestFinished(() => removeFolder(dirname(script)));
  writeFileSync(
    script,
    `process.stdin.on("data", (data) => data.includes(${JSON.stringify(method)}) && process.kill(process.pid, "SIGKILL"));
require(${JSON.stringify(server)});
`,
  );
  const program = { command: process.execPath, args: [script, "--stdio"], from: "path" } as const;
  return (question) => PyrightService.open({ root, program }, question);
}
