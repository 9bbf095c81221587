import { type ChildProcess, execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { removeFolder } from "../../text/node/fixtures/remove-folder.ts";
import { AccessRules } from "../../workspace/access-rules.ts";
import { disk } from "../../workspace/node/disk.ts";
import { readRegularFile } from "../../workspace/node/regular-file.ts";
import { printSkipReason } from "../../workspace/skip-reason.ts";
import { walkWorkspace } from "../../workspace/walk.ts";
import { TypeScriptPipe } from "./typescript-pipe.ts";
import { TypeScriptService } from "./typescript-service.ts";

const isUnix = process.platform !== "win32";
const isLinux = process.platform === "linux";
let root: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "emend-special-")));
});
afterEach(() => removeFolder(root));

/** What is at a path: a text, a link (`-> target`), a pipe, or a file of so many bytes. */
type Made = string | { readonly kind: "pipe" } | { readonly kind: "sparse"; readonly bytes: number };

const pipe = { kind: "pipe" } as const;

function put(files: Readonly<Record<string, Made>>): void {
  for (const [path, made] of Object.entries(files)) {
    const absolute = join(root, path);
    mkdirSync(dirname(absolute), { recursive: true });
    if (typeof made === "string" && made.startsWith("-> ")) symlinkSync(made.slice(3), absolute);
    else if (typeof made === "string") writeFileSync(absolute, made);
    else if (made.kind === "pipe") execFileSync("mkfifo", [absolute]);
    else {
      writeFileSync(absolute, "");
      truncateSync(absolute, made.bytes);
    }
  }
}

/** The most memory that a process had in use so far; 0 where the system does not report it. */
function peakKilobytes(pid: number): number {
  if (!isLinux) return 0;
  const [, kilobytes] = /^VmHWM:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))!;
  return Number(kilobytes);
}

describe.runIf(isUnix)("row 8: reading a file never waits and always ends", () => {
  test.each<[name: string, made: Readonly<Record<string, Made>>, code: string]>([
    ["a pipe", { it: pipe }, "ERR_SPECIAL_FILE"],
    ["a link to a pipe", { pipe, it: "-> pipe" }, "ERR_SPECIAL_FILE"],
    ["a device", { it: "-> /dev/zero" }, "ERR_SPECIAL_FILE"],
    ["a terminal", { it: "-> /dev/tty" }, "ERR_SPECIAL_FILE"],
    ["a folder", { "it/a": "" }, "EISDIR"],
    ["more than is wanted", { it: { kind: "sparse", bytes: 1_000_001 } }, "ERR_TOO_LARGE"],
  ])("%s", async (_, made, code) => {
    put(made);
    const error = await readRegularFile(join(root, "it"), { maxBytes: 1_000_000 }).catch((reason) => reason);
    // Without a terminal there is no such device.
    expect(error.code === "ENXIO" ? "ERR_SPECIAL_FILE" : error.code).toBe(code);
  });

  test("a socket is rejected", async () => {
    const server = createServer().listen(join(root, "it"));
    onTestFinished(() => void server.close());
    await new Promise((resolve) => server.once("listening", resolve));
    await expect(disk.readFile(join(root, "it"))).rejects.toMatchObject({ code: "special-file" });
  });

  test.runIf(isLinux)("system files that report a size of 0 are read completely", async () => {
    expect((await readRegularFile("/proc/cpuinfo")).toString()).toBe(readFileSync("/proc/cpuinfo", "utf8"));
    await expect(readRegularFile("/proc/cpuinfo", { maxBytes: 10 })).rejects.toMatchObject({ code: "ERR_TOO_LARGE" });
  });
});

describe.runIf(isUnix)("row 8: special files are skipped with a reason", () => {
  test("a walk skips them, and an ignore file that is one has no rules", async () => {
    put({ "a.ts": "", "pipe.ts": pipe, "zero.ts": "-> /dev/zero", "to-pipe.ts": "-> pipe.ts", ".emendignore": pipe });
    const found: string[] = [];
    for await (const item of walkWorkspace(root, { fileSystem: disk })) {
      found.push(item.kind === "file" ? item.path : `${item.path}: ${printSkipReason(item.reason)}`);
    }
    expect(found).toEqual([
      ".emendignore: neither file nor folder",
      "a.ts",
      "pipe.ts: neither file nor folder",
      "to-pipe.ts: neither file nor folder",
      "zero.ts: link out of the workspace: /dev/zero",
    ]);
    put({ "sub/.gitignore": "-> ../pipe.ts", "sub/.emendignore": "-> /dev/zero", "sub/b.ts": "" });
    const rules = new AccessRules({ fileSystem: disk, root });
    await rules.prepare("sub/b.ts");
    expect(rules.verdict("sub/b.ts").kind).toBe("allowed");
  });
});

describe.runIf(isUnix)("row 8: the TypeScript process reads regular files only", () => {
  const config = { compilerOptions: { strict: true, types: [], lib: ["es2022"] }, files: ["src/a.ts"] };
  const code =
    'import { one } from "./b";\nimport { other } from "./other";\nexport const two: string = one + (other as number);\n';
  const base: Readonly<Record<string, Made>> = {
    "tsconfig.json": JSON.stringify(config),
    "src/a.ts": code,
    "src/b.ts": "export const one = 1;\n",
  };

  const cases: readonly (readonly [name: string, files: Readonly<Record<string, Made>>])[] = [
    ["an imported device", { "src/other.ts": "-> /dev/zero" }],
    ["an imported pipe", { "src/other.ts": pipe }],
    ["an imported link to a pipe", { "src/pipe": pipe, "src/other.ts": "-> pipe" }],
    ["an imported file that is too large", { "src/other.ts": { kind: "sparse", bytes: 3_000_000_000 } }],
    [
      "a pipe in `extends`",
      { "tsconfig.json": JSON.stringify({ ...config, extends: "./base.json" }), "base.json": pipe },
    ],
    [
      "a device in `extends`",
      { "tsconfig.json": JSON.stringify({ ...config, extends: "./base.json" }), "base.json": "-> /dev/zero" },
    ],
    [
      "a pipe among the files that a project includes",
      { "tsconfig.json": '{"compilerOptions":{"types":[]},"include":["src"]}', "src/c.ts": pipe },
    ],
    [
      "a manifest that is a pipe",
      { "node_modules/other/package.json": pipe, "src/other.ts": 'export * from "other";\n', "package.json": pipe },
    ],
  ];
  test.each(cases)(
    "%s",
    async (_, files) => {
      put({ ...base, ...files });
      const started: ChildProcess[] = [];
      const { open } = TypeScriptPipe;
      TypeScriptPipe.open = async (...about) => {
        const opened = await open.apply(TypeScriptPipe, about);
        started.push(opened.process);
        return opened;
      };
      const service = new TypeScriptService({ root, timeoutMs: 20_000 });
      onTestFinished(async () => {
        TypeScriptPipe.open = open;
        await service.close();
      });
      const project = join(root, "tsconfig.json");
      await service.openProjects([project]);
      const found = await service.typeErrors(project, [join(root, "src/a.ts")]);
      // The file itself is checked: the sum is no string.
      expect(found.map((one) => one.code)).toContain("2322");
      expect(peakKilobytes(started[0]!.pid!)).toBeLessThan(600_000);
    },
    30_000,
  );
});
