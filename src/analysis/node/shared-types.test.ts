import { mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { removeFolder } from "../../text/node/fixtures/remove-folder.ts";
import { MemoryFileSystem } from "../../workspace/memory-file-system.ts";
import { toPortablePath } from "../../workspace/node/disk.ts";
import { systemClock } from "../../workspace/node/system-clock.ts";
import { WorkspaceTypes } from "./workspace-types.ts";

const files: Readonly<Record<string, string>> = {
  "tsconfig.json": JSON.stringify({ compilerOptions: { strict: true, types: [], lib: ["es2022"] } }),
  "box.ts": "export interface Box { left: number }\n",
  "use.ts": 'import type { Box } from "./box";\nexport const use = (box: Box) => box.left;\n',
  "bad.ts": "a<".repeat(2_000),
};

let root = "";
beforeAll(() => {
  root = toPortablePath(realpathSync(mkdtempSync(join(tmpdir(), "emend-types-"))));
  for (const [path, text] of Object.entries(files)) writeFileSync(join(root, path), text);
});
afterAll(() => removeFolder(root));

/** The types of these files, by TypeScript itself. */
async function opened(paths: readonly string[], maxMemoryMb: number) {
  const problems: string[] = [];
  const types = new WorkspaceTypes({
    ...{ root, fileSystem: new MemoryFileSystem({}), clock: systemClock, whenRead: Promise.resolve() },
    files: { paths: () => paths, textOf: (path) => (paths.includes(path) ? files[path] : undefined) },
    openPaths: () => [],
    maxTypesMemoryMb: () => maxMemoryMb,
    onProblem: (message) => void problems.push(message),
  });
  const known = (await types.want("use.ts", { isUrgent: true }))!;
  return { types, known, problems };
}

const project = ["tsconfig.json", "box.ts", "use.ts"];
const codes = (found: readonly { readonly code: string }[]) => found.map(({ code }) => code);

test("TypeScript answers requests at the same time each for its own texts, and an aborted one leaves none", {
  timeout: 60_000,
}, async () => {
  const { types, known } = await opened(project, 2_048);
  const renamed = new Map([["box.ts", "export interface Box { right: number }\n"]]);
  const asked = `${files["use.ts"]}declare const box: Box;\nbox._;\n`;
  const offset = asked.lastIndexOf("_");
  const membersWith = (overlay: ReadonlyMap<string, string>) =>
    known.membersWith(new Map([...overlay, ["use.ts", asked]]), "use.ts", offset);
  const stop = new AbortController();
  const aborted = known.errorsWith(new Map([["box.ts", ""]]), ["use.ts"], { signal: stop.signal });
  aborted.catch(() => undefined);
  const answers = Promise.all([
    known.errorsWith(renamed, ["use.ts"]).then(codes),
    membersWith(renamed),
    known.errorsOf(["use.ts"]).then(codes),
    membersWith(new Map()),
    known.errorsWith(new Map([["box.ts", undefined]]), ["use.ts"]).then(codes),
  ]);
  stop.abort(new Error("enough"));
  await expect(aborted).rejects.toThrow("enough");
  expect(await answers).toEqual([
    ["2339"],
    { kind: "names", of: "Box", names: ["right"] },
    [],
    { kind: "names", of: "Box", names: ["left"] },
    ["2307"],
  ]);
  expect(await known.errorsOf(["use.ts", "box.ts"])).toEqual([]);
  await types[Symbol.asyncDispose]();
});

test("row 16: TypeScript answers beside a file that exceeds its limit", { timeout: 60_000 }, async () => {
  const { types, known, problems } = await opened([...project, "bad.ts"], 300);
  expect(problems).toEqual([expect.stringContaining("without some files: bad.ts needs too much")]);
  expect(await known.errorsOf(["use.ts"])).toEqual([]);
  await types[Symbol.asyncDispose]();
});
