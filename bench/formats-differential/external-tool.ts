import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import type { FileTexts } from "../../src/text/index.ts";
import type { WrittenEdit } from "./written-edits.ts";

/** What a tool made of the files; `undefined` where it refused the edit. */
export type ToolResult = FileTexts | undefined;

/** A tool that applies edits in one format. */
export interface ExternalTool {
  readonly name: string;
  /** The command that installs it; `undefined` where it is installed. */
  readonly missing: string | undefined;
  /** The tool's version, in its own words. */
  readonly version: string;
  apply(edits: readonly WrittenEdit[]): readonly ToolResult[];
}

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Codex's command line as `apply_patch`. */
export function codexTool(): ExternalTool {
  const program = join(root, ".cache/codex/bin/codex");
  return {
    name: "Codex",
    missing: existsSync(program) ? undefined : "bash scripts/install-codex",
    version: versionOf(program),
    apply: (edits) =>
      edits.map((edit) => inFolder(edit, (cwd) => run(program, ["--codex-run-as-apply-patch", edit.answer], { cwd }))),
  };
}

/** `git apply`, which takes nothing where one hunk does not fit. */
export function gitApplyTool(): ExternalTool {
  return {
    name: "git apply",
    missing: versionOf("git") === "" ? "your system's package git" : undefined,
    version: versionOf("git"),
    apply: (edits) =>
      edits.map((edit) =>
        inFolder(edit, (cwd) => {
          // No repository around the folder, and no settings, decide how the patch is read.
          const env = {
            GIT_CEILING_DIRECTORIES: dirname(cwd),
            GIT_CONFIG_NOSYSTEM: "1",
            GIT_CONFIG_GLOBAL: "/dev/null",
          };
          return run("git", ["apply", "--unidiff-zero", "-"], { cwd, input: edit.answer, env });
        }),
      ),
  };
}

/** GNU `patch`. */
export function patchTool(): ExternalTool {
  return {
    name: "patch",
    missing: versionOf("patch") === "" ? "your system's package patch" : undefined,
    version: versionOf("patch"),
    apply: (edits) =>
      edits.map((edit) =>
        inFolder(edit, (cwd) =>
          run("patch", ["-p1", "--batch", "--forward", "--no-backup-if-mismatch", "--reject-file=-"], {
            cwd,
            input: edit.answer,
          }),
        ),
      ),
  };
}

/** aider's parser of the format of the edits; one process reads them all. */
export function aiderTool(): ExternalTool {
  const python = join(root, ".cache/aider/bin/python");
  const script = fileURLToPath(new URL("aider-edits.py", import.meta.url));
  const isMissing = !existsSync(python);
  return {
    name: "aider",
    missing: isMissing ? "bash scripts/install-aider" : undefined,
    version: isMissing ? "" : `aider ${spawnSync(python, [script, "--version"], { encoding: "utf8" }).stdout.trim()}`,
    apply: (edits) => {
      const rows = edits.map(({ edit, format, answer }) =>
        JSON.stringify({ format, answer, files: Object.fromEntries(edit.before) }),
      );
      const { status, stdout, stderr } = spawnSync(python, [script], {
        input: `${rows.join("\n")}\n`,
        encoding: "utf8",
        maxBuffer: 1 << 30,
      });
      if (status !== 0) throw new Error(`aider's parser ended with code ${status}: ${stderr.trim().slice(-2_000)}`);
      return stdout
        .trimEnd()
        .split("\n")
        .map((line) => {
          const { files } = JSON.parse(line) as { files?: Record<string, string> };
          return files === undefined ? undefined : new Map(Object.entries(files));
        });
    },
  };
}

interface RunOptions {
  readonly cwd: string;
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Whether a program ended without an error. */
function run(program: string, args: readonly string[], { cwd, input = "", env = {} }: RunOptions): boolean {
  const { status, error } = spawnSync(program, args, { cwd, input, env: { ...process.env, ...env }, stdio: "pipe" });
  // A tool may end before it has read all of its input.
  if (error !== undefined && (error as NodeJS.ErrnoException).code !== "EPIPE") throw error;
  return status === 0;
}

/** The first row that a program prints about its version; empty where it cannot be started. */
function versionOf(program: string): string {
  const { stdout } = spawnSync(program, ["--version"], { encoding: "utf8" });
  return (stdout ?? "").split("\n")[0]!.trim();
}

/** Puts the files into a folder, lets a tool change them, and reads them again. */
function inFolder({ edit }: WrittenEdit, apply: (folder: string) => boolean): ToolResult {
  const folder = mkdtempSync(join(tmpdir(), "emend-differential-"));
  try {
    for (const [path, text] of edit.before) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    return apply(folder) ? readFolder(folder) : undefined;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function readFolder(folder: string): FileTexts {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return new Map(files.map((file) => [relative(folder, file).replaceAll(sep, "/"), readFileSync(file, "utf8")]));
}
