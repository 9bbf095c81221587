import {
  chmodSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { type ChatScript, type ScriptedChatServer, serveChat } from "../../model/node/fixtures/scripted-chat-server.ts";
import { removeFolder } from "../../text/node/fixtures/remove-folder.ts";
import { buildPackage, type CliOptions, type CliRun, runCli } from "../fixtures/run-cli.ts";
import { runAtTerminal } from "../fixtures/test-terminal.ts";
import type { EditReport } from "./review-edit.ts";
import type { UndoListReport } from "./undo.ts";

let top: string;
let work: string;

beforeAll(buildPackage, 180_000);
beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), "emend-edit-")));
  work = join(top, "work");
  mkdirSync(join(work, ".git"), { recursive: true });
  write("src/a.ts", source);
  vi.stubEnv("XDG_CONFIG_HOME", join(top, "config"));
});
afterEach(() => vi.unstubAllEnvs());
afterEach(() => removeFolder(top));

const source = `export function add(a: number, b: number): number {
  return a + b;
}

export function sub(a: number, b: number): number {
  return a - b;
}
`;

const variadic = `@@ 1-2 export function add | return a + b
export function add(...values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
@@ end
`;

const variadicDiff = `diff --git a/src/a.ts b/src/a.ts
--- a/src/a.ts
+++ b/src/a.ts
@@ -1,5 +1,5 @@
-export function add(a: number, b: number): number {
-  return a + b;
+export function add(...values: readonly number[]): number {
+  return values.reduce((sum, value) => sum + value, 0);
 }
 
 export function sub(a: number, b: number): number {
`;

/** As \`variadic\`, but the closing bracket that follows the range is written once more. */
const echoing = variadic.replace("@@ end", "}\n@@ end");

/** An edit of a line that is not there, and one that fits. */
const halfRight = `@@ 40 return
  return 0;
@@ 6 return a - b
  return b - a;
@@ end
`;

const broken = `@@ 2 return a + b
  return (a + b;
@@ end
`;

const nothing = "@@ none\n@@ end\n";

function write(path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(join(work, path)), { recursive: true });
  writeFileSync(join(work, path), content);
}

const read = (path: string) => readFileSync(join(work, path), "utf8");

const environment = () => ({
  ...{ EMEND_STATE_DIR: join(top, "state"), EMEND_CACHE_DIR: join(top, "cache") },
  ...{ XDG_CONFIG_HOME: join(top, "config") },
});

/** Runs the built command line as a process of its own. */
function runBuilt(args: readonly string[], options: Partial<CliOptions> = {}): Promise<CliRun> {
  return runCli(args, { folder: work, ...options, environment: environment() });
}

/** Runs a command in this process, without a terminal for questions. */
function run(args: readonly string[], { input }: { readonly input?: string } = {}): Promise<CliRun> {
  return runAtTerminal(args, {
    workingFolder: work,
    environment: environment(),
    ...(input !== undefined && { input }),
  });
}

/** A server that gives these answers, the last one again and again, and the flag that names it. */
async function serve(...answers: readonly (string | ChatScript)[]): Promise<ScriptedChatServer & { flag: string[] }> {
  const scripts = answers.map((answer) =>
    typeof answer === "string" ? { deltas: answer.match(/[\s\S]{1,7}/gu)! } : answer,
  );
  const server = await serveChat("openai", ...scripts);
  onTestFinished(() => server[Symbol.asyncDispose]());
  return { ...server, flag: ["--model", `openai-compatible:${server.url}#scripted`] };
}

/** The last message that the model received. */
function lastPrompt(server: ScriptedChatServer): string {
  const messages = server.calls.at(-1)!.body["messages"] as readonly { readonly content: string }[];
  return messages.at(-1)!.content;
}

const lastLine = (text: string) => text.trimEnd().split("\n").at(-1)!;
const firstLine = (text: string) => text.split("\n", 1)[0]!;

describe("usage errors contain what to do", () => {
  test.each<[args: string, exitCode: number, message: string]>([
    ["edit", 2, 'Give an instruction with -m "…"; -m - reads standard input.'],
    ["edit -m x", 2, "Name the files to change or create, "],
    ["edit src/a.ts", 2, 'Give an instruction with -m "…"; -m - reads standard input.'],
    ["edit src -m x", 3, "src is a folder. Name the files in it one by one."],
    [
      "edit src/*.ts -m x",
      3,
      "src/*.ts is not there. Patterns are not supported: let the shell expand them, or name each file.",
    ],
    ["edit src/a.ts -m x --read src/b.ts", 3, "src/b.ts is not there. Check the path."],
    ["edit src/new/ -m x", 3, "src/new/ is not there. Check the path."],
    ["edit src/a.ts/b.ts -m x", 3, "src/a.ts/b.ts cannot be made, since src/a.ts is no folder. Choose another place."],
    ["edit .env.local -m x", 5, ".env.local is secret by its name"],
    [
      "edit .env -m x",
      5,
      ".env is secret by its name: .env. Secret files are never read and never written; edit it by hand.",
    ],
    ["edit bin.dat -m x", 5, "bin.dat is not text: it holds a NUL. Only text can be edited."],
    [
      "edit src/a.ts ../other.ts -m x",
      2,
      "../other.ts leads out of the workspace. Name the folder that contains all files with --root.",
    ],
    ["edit src/a.ts -m x --format diff", 2, "There is no format diff. Give one of auto, range, numbered, "],
    [
      "edit src/a.ts -m x --max-retries 11",
      2,
      "Option '--max-retries <n>' argument '11' is invalid. Give a number from 0 to 10.",
    ],
    ["edit src/a.ts -m x --model gpt", 2, "`gpt` does not say who serves it: write `ollama:gpt`"],
    [
      "edit src/a.ts -m x --prompt --answer y",
      2,
      "--prompt gives a prompt for a chat, and --answer applies its answer. Give one of them.",
    ],
    ["edit src/a.ts -m - --answer -", 2, "Standard input is either the instruction or the answer."],
    ["edit src/a.ts -m -", 2, "The instruction is empty."],
    ["edit src/a.ts --answer gone.md", 3, "There is no file gone.md. Check the path."],
    ["edit src/a.ts --answer -", 2, "Standard input is empty. Paste the chat's answer into it."],
    [
      "edit src/a.ts -m x",
      1,
      "`builtin` completes code and cannot chat, so it takes no instructions. Run `emend setup`, which finds one, or name a chat model with --model, such as --model ollama:qwen2.5-coder:7b, or permanently as `edit.model` in emend.config.json. Without a model, --prompt prints a prompt for any chat, and --answer FILE applies its answer.",
    ],
    ["undo", 1, "There is nothing to undo in "],
    ["undo --id 7", 1, "There is no edit 7. `emend undo --list` lists the edits."],
    ["undo --steps 2 --id 7", 2, "--steps counts back from the last edit, and --id names one. Give one of them."],
  ])("%s", async (args, exitCode, message) => {
    write(".env", "KEY=1\n");
    write("bin.dat", new Uint8Array([1, 0, 2]));
    writeFileSync(join(top, "other.ts"), "");
    const { err, out, ...rest } = await run(args.split(" "));
    expect([
      firstLine(err)
        .replace(/^emend: /, "")
        .slice(0, message.length),
      out,
      rest.exitCode,
    ]).toEqual([message, "", exitCode]);
    expect(read("src/a.ts")).toBe(source);
  });

  test("with --json a usage error is one object on standard output", async () => {
    const { out, err } = await runBuilt(["edit", "src/*.ts", "-m", "x", "--json"]);
    expect([JSON.parse(out), err]).toEqual([
      expect.objectContaining({ kind: "error", code: "file-missing", exitCode: 3 }),
      "",
    ]);
  });
});

describe("edit by a model", () => {
  test("writes with --yes exactly the diff, and undo restores the files", async () => {
    const { flag, calls } = await serve(variadic);
    const { out, err, exitCode } = await runBuilt(["edit", "src/a.ts", "-m", "可変長引数にする", "--yes", ...flag]);
    expect([out, err, exitCode]).toEqual([
      variadicDiff,
      "Edit src/a.ts (format range, 1 request).\nWritten: src/a.ts. `emend undo` undoes it.\n",
      0,
    ]);
    expect(read("src/a.ts")).toBe(
      source.replace(/^.*\n.*\n/, variadic.split("\n").slice(1, 3).join("\n").concat("\n")),
    );
    expect(JSON.stringify(calls[0]!.body)).toContain("可変長引数にする");
    expect(readdirSync(work).sort()).toEqual([".git", "src"]);
    const undone = await runBuilt(["undo"]);
    expect([undone.out, undone.exitCode]).toEqual([
      "Undone: src/a.ts (可変長引数にする).\n`emend undo --id 2` restores the edit.\n",
      0,
    ]);
    expect(read("src/a.ts")).toBe(source);
  });

  test("creates a missing file, and undo removes it and its folder", async () => {
    const server = await serve("src/new/b.ts\n```ts\nexport const b = 1;\n```\n");
    const args = ["edit", "src/new/b.ts", "-m", "a constant", "--yes", ...server.flag];
    const { out, err, exitCode } = await run(args);
    expect([exitCode, err]).toEqual([
      0,
      "Will be created: src/new/b.ts.\nCreate src/new/b.ts (format whole, 1 request).\nWritten: src/new/b.ts. `emend undo` undoes it.\n",
    ]);
    expect(out).toContain("new file mode");
    expect(lastPrompt(server)).toContain(
      "Files that are not there yet, and that you may make, by these paths:\n\n- src/new/b.ts\n",
    );
    expect(read("src/new/b.ts")).toBe("export const b = 1;\n");
    await run(["undo"]);
    expect(readdirSync(join(work, "src"))).toEqual(["a.ts"]);
  });

  test("creates a new file beside an existing one in an edit format", async () => {
    const server = await serve(
      `${variadic.replace("@@ end\n", "")}@@ create src/b.ts\nexport * from "./a.ts";\n@@ end\n`,
    );
    const { exitCode } = await run(["edit", "src/a.ts", "src/b.ts", "-m", "x", "--yes", ...server.flag]);
    expect([exitCode, read("src/b.ts")]).toEqual([0, 'export * from "./a.ts";\n']);
    expect(lastPrompt(server)).toMatch(/1\texport function add[\s\S]*not there yet[\s\S]*- src\/b\.ts/);
  });

  test("edits a file of 100,000 lines", async () => {
    const lines = Array.from({ length: 100_000 }, (_, i) => `export const value${i + 1} = "some text of this line";`);
    write("src/large.ts", `${lines.join("\n")}\n`);
    const input = "@@ 70000 export const value70000\nexport const value70000 = 1;\n@@ end\n";
    const { out, exitCode } = await run(["edit", "src/large.ts", "--answer", "-", "--yes"], { input });
    expect([exitCode, out.match(/^[+-]export.*$/gm)]).toEqual([
      0,
      [`-${lines[69_999]}`, "+export const value70000 = 1;"],
    ]);
    expect(read("src/large.ts").split("\n")[69_999]).toBe("export const value70000 = 1;");
  });

  test("needs no file name in an empty folder", async () => {
    rmSync(join(work, "src"), { recursive: true });
    const server = await serve("main.ts\n```ts\nexport {};\n```\n");
    const { exitCode } = await run(["edit", "-m", "begin", "--yes", ...server.flag]);
    expect([exitCode, read("main.ts")]).toEqual([0, "export {};\n"]);
    expect(lastPrompt(server)).toContain("There are no files yet: make those that are needed.");
    mkdirSync(join(work, "inner"));
    const inner = { workingFolder: join(work, "inner"), environment: environment() };
    const { err } = await runAtTerminal(["edit", "-m", "begin", "--yes", ...server.flag], inner);
    expect([err, read("inner/main.ts")]).toEqual([expect.stringContaining("`emend undo .` undoes"), "export {};\n"]);
    await runAtTerminal(["undo", "."], inner);
    expect(readdirSync(join(work, "inner"))).toEqual([]);
  });

  test("reports a repair, and the diff contains it", async () => {
    const { flag } = await serve(echoing);
    const { out, err, exitCode } = await run(["edit", "src/a.ts", "-m", "make add variadic", "--dry-run", ...flag]);
    expect([out, exitCode]).toEqual([variadicDiff, 0]);
    expect(err).toMatch(
      /^Edit src\/a\.ts \(format range, 1 request\)\.\n {2}repaired {3}src\/a\.ts:1: .*\nNothing is written: this is a dry run\.\n$/,
    );
    expect(read("src/a.ts")).toBe(source);
  });

  test("writes nothing without a confirmation, with its own exit code", async () => {
    const { flag } = await serve(variadic);
    const unconfirmed = await run(["edit", "src/a.ts", "-m", "x", ...flag]);
    expect([unconfirmed.exitCode, unconfirmed.out]).toEqual([8, variadicDiff]);
    expect(unconfirmed.err).toContain("Nothing is written: there is no terminal to confirm at. Add --yes to write");
    expect(read("src/a.ts")).toBe(source);
    for (const [answer, exitCode] of [
      ["n", 8],
      ["", 8],
      ["yes", 0],
    ] as const) {
      const { err, ...rest } = await atTerminal(["edit", "src/a.ts", "-m", "x", ...flag], [answer]);
      expect(err).toContain(`Write this file? [y/n] ${answer}\n`);
      expect(rest.exitCode).toBe(exitCode);
      expect(read("src/a.ts") === source).toBe(exitCode !== 0);
    }
  });

  test("reports an edit of an existing file that was not named, and leaves it unchanged", async () => {
    write("src/b.ts", "export const b = 1;\n");
    const input = "@@ create src/b.ts\nexport {};\n@@ end\n";
    const { err, exitCode } = await run(["edit", "src/a.ts", "--answer", "-", "--yes"], { input });
    expect([exitCode, read("src/b.ts")]).toEqual([1, "export const b = 1;\n"]);
    expect(err).toContain("src/b.ts is there already and was not given: it has to be named to be changed.");
  });

  test("keeps changes saved in other lines during the question", async () => {
    const saved = `// Mine.\n${source.replace("a - b", "a - b - 0")}`;
    const { err, exitCode } = await atTerminal(["edit", "src/a.ts", "--answer", "-"], ["y"], {
      input: variadic,
      onQuestion: () => write("src/a.ts", saved),
    });
    expect([exitCode, lastLine(err)]).toEqual([
      0,
      "Written: src/a.ts. Changes saved meanwhile in other lines are kept. `emend undo` undoes it.",
    ]);
    expect(read("src/a.ts")).toMatch(/^\/\/ Mine\.\n.*values[\s\S]*reduce[\s\S]*a - b - 0/);
    await run(["undo"]);
    expect(read("src/a.ts")).toBe(saved);
  });

  test("writes nothing when the same lines were saved during the question, and saves the change as a diff", async () => {
    const saved = source.replace("a + b", "b + a");
    const { err, exitCode } = await atTerminal(["edit", "src/a.ts", "--answer", "-"], ["y"], {
      input: variadic,
      onQuestion: () => write("src/a.ts", saved),
    });
    const kept = join(top, "state/not-written.diff");
    expect([exitCode, lastLine(err), read("src/a.ts")]).toEqual([
      1,
      `Nothing is written. src/a.ts changed on the disk meanwhile, in lines of this change. The change is saved in ${kept}: restore those lines and run \`emend apply ${kept}\`, or make it by hand.`,
      saved,
    ]);
    write("src/a.ts", source);
    expect((await run(["apply", kept, "--yes"])).exitCode).toBe(0);
    expect(read("src/a.ts")).toContain("reduce");
  });

  test("shows the change while the answer streams, and why the model is requested again", async () => {
    const { flag } = await serve(halfRight, variadic);
    let now = 0;
    const { err } = await atTerminal(["edit", "src/a.ts", "-m", "x", ...flag], ["n"], {
      isWatched: true,
      columns: 400,
      now: () => (now += 100),
    });
    expect(err).toContain("#scripted is answering\n");
    expect(err).toMatch(/\n\+ {2}return b - a;\n/);
    expect(err).toContain("is repairing its answer, of which a part could not be used (1 of 3)");
    expect(err.slice(0, err.indexOf("Edit src/a.ts")).endsWith("\u001b[J")).toBe(true);
  });

  test("asks for a confirmation with the number of warnings", async () => {
    const half = source.slice(source.indexOf("export function sub"));
    const { flag } = await serve(`src/a.ts\n\`\`\`ts\n${half.replace("a - b;", "a;")}\`\`\`\n`);
    write("src/a.ts", source + source.replace("add", "mul").replace("sub", "div"));
    const args = ["edit", "src/a.ts", "-m", "x", "--format", "whole", ...flag];
    const { err, exitCode } = await atTerminal(args, ["n"], { colour: true });
    expect(exitCode).toBe(8);
    expect(err).toContain("\u001b[33m  warning    src/a.ts shrinks from 12 lines to 3.\u001b[39m\n");
    expect(err).toContain("Write this file, despite the warning? [y/n] n\n");
    const { out } = await run([...args, "--json"]);
    expect(JSON.parse(out)).toMatchObject({ proposal: { warnings: ["src/a.ts shrinks from 12 lines to 3."] } });
  });

  test("prints an answer that contains no edit", async () => {
    const { flag } = await serve("I am sorry, I cannot do that.\n");
    const { err } = await run(["edit", "src/a.ts", "-m", "x", "--max-retries", "0", ...flag]);
    expect(err).toContain("  the answer begins:\n    | I am sorry, I cannot do that.\n");
  });

  test("prints one JSON object, and writes a change only with --yes", async () => {
    const { flag } = await serve(echoing);
    const args = ["edit", "src/a.ts", "-m", "x", "--json", ...flag];
    const looked = await run(args);
    expect([looked.err, looked.exitCode]).toEqual(["", 8]);
    const report = JSON.parse(looked.out) as EditReport;
    expect(report).toMatchObject({ kind: "offered", root: work, isWritten: false, notes: [] });
    expect(report.proposal).toMatchObject({ diff: variadicDiff, format: "range", requests: 1 });
    expect(report.proposal!.repairs).toHaveLength(1);
    const written = await run([...args, "--yes"]);
    expect([JSON.parse(written.out), written.exitCode]).toEqual([
      expect.objectContaining({ isWritten: true, undoId: 1, writtenPaths: ["src/a.ts"] }),
      0,
    ]);
  });

  test.each<[title: string, answers: readonly string[], args: readonly string[], exitCode: number, message: string]>([
    ["nothing to change", [nothing], [], 0, "Nothing changes. The model says that there is nothing to change."],
    [
      "an answer without an edit",
      ["I cannot do that.\n"],
      ["--max-retries", "0"],
      1,
      "Nothing of the answer could be used.",
    ],
    [
      "an answer of which a part fits",
      [halfRight],
      ["--max-retries", "0"],
      1,
      "A part of the answer could not be used",
    ],
    ["code that does not parse", [broken], ["--max-retries", "0"], 1, "The change breaks the syntax"],
  ])("%s", async (_, answers, args, exitCode, message) => {
    const { flag } = await serve(...answers);
    const answer = await run(["edit", "src/a.ts", "-m", "x", "--yes", ...args, ...flag]);
    expect([answer.exitCode, answer.err]).toEqual([exitCode, expect.stringContaining(message)]);
    expect([answer.out, read("src/a.ts")]).toEqual(["", source]);
  });

  test("code that is mended", async () => {
    const whole = source.slice(0, source.indexOf("}\n") + 2).replace("a + b", "(a + b)");
    const { flag } = await serve(broken, `\`\`\`ts\n${whole}\`\`\`\n`);
    const { exitCode, err, out } = await run(["edit", "src/a.ts", "-m", "x", "--yes", ...flag]);
    expect([exitCode, err]).toEqual([0, expect.stringContaining("Edit src/a.ts (format range, 2 requests).")]);
    expect(out).toContain("-  return a + b;\n+  return (a + b);\n");
    expect(read("src/a.ts")).toBe(source.replace("a + b", "(a + b)"));
  });

  test("requests the next model where the first does not answer, and reports that", async () => {
    const away = await serve({ status: 404, body: '{"error":{"message":"no such model"}}' });
    const { flag } = await serve(variadic);
    const { err, exitCode } = await run(["edit", "src/a.ts", "-m", "x", "--yes", ...away.flag, ...flag]);
    expect(exitCode).toBe(0);
    expect(err).toContain("#scripted is used instead.");
    const none = await run(["edit", "src/a.ts", "-m", "x", ...away.flag]);
    expect([none.exitCode, none.out]).toEqual([1, ""]);
  });

  test("shows --read files without changing them, and settings work like flags", async () => {
    write("src/types.ts", "export type Sum = number;\n");
    const server = await serve(variadic);
    const config = { edit: { model: server.flag[1], format: "range", maxRetries: 0 } };
    write("emend.config.json", JSON.stringify(config));
    const { exitCode } = await run(["edit", "src/a.ts", "-m", "x", "--read", "src/types.ts", "--dry-run", "--trust"]);
    expect(exitCode).toBe(0);
    expect(lastPrompt(server)).toContain("export type Sum = number;");
  });

  test("verifies the change in the files, and returns the output to the model", async () => {
    write(
      "check.cjs",
      'const text = require("fs").readFileSync("src/a.ts", "utf8");\nif (!text.includes("reduce")) { console.log("no reduce in it"); process.exit(1); }\n',
    );
    const server = await serve(
      "@@ 2 return a + b\n  return b + a;\n@@ end\n",
      variadic.replace("return a + b", "return b + a"),
    );
    const args = ["edit", "src/a.ts", "-m", "x", "--verify", "node check.cjs", ...server.flag];
    const { out, err, exitCode } = await runBuilt([...args, "--dry-run"]);
    expect(exitCode).toBe(0);
    expect(firstLine(err)).toBe("Each change is verified by `node check.cjs`, which runs with the files changed.");
    expect(out).toContain("reduce");
    expect(lastPrompt(server)).toContain("no reduce in it");
    expect(read("src/a.ts")).toBe(source);
    const { flag } = await serve(variadic);
    const failing = await runBuilt([
      "edit",
      "src/a.ts",
      "-m",
      "x",
      "--verify",
      "exit 3",
      "--max-retries",
      "0",
      "--yes",
      ...flag,
    ]);
    expect([failing.exitCode, read("src/a.ts")]).toEqual([1, source]);
    expect(failing.err).toContain("The check fails");
  });

  test("runs the project's formatter on changed lines in a trusted workspace, and otherwise reports it", async () => {
    write(".prettierrc", "{}");
    write(
      "node_modules/.bin/prettier",
      '#!/usr/bin/env node\nprocess.stdin.on("data", (text) => process.stdout.write(String(text).replaceAll(";", " ;")));\n',
    );
    chmodSync(join(work, "node_modules/.bin/prettier"), 0o755);
    const { flag } = await serve(variadic);
    const args = ["edit", "src/a.ts", "-m", "x", "--dry-run", ...flag];
    const untrusted = await run(args);
    expect(untrusted.out).toBe(variadicDiff);
    expect(untrusted.err).toContain(
      "prettier does not format the change, because this workspace is not trusted. Allow it with --trust, or use --no-formatter.",
    );
    expect((await run([...args, "--no-formatter"])).err).not.toContain("prettier");
    const trusted = await run([...args, "--trust"]);
    expect(trusted.out).toBe(variadicDiff.replace("value, 0);", "value, 0) ;"));
  });

  test("reports a model ignored without trust before the advice to go without one", async () => {
    write("emend.config.json", JSON.stringify({ edit: { model: "openai-compatible:https://example.org/v1#a" } }));
    const { err, exitCode } = await run(["edit", "src/a.ts", "-m", "x"]);
    expect(exitCode).toBe(1);
    expect(err).toMatch(/^`edit\.model` \(emend\.config\.json:1\) is put aside: .*\nemend: `builtin` completes code/);
    const { out } = await run(["edit", "src/a.ts", "-m", "x", "--json"]);
    expect(JSON.parse(out)).toMatchObject({ code: "no-model", message: expect.stringContaining("is put aside") });
  });

  test("runs no verification command of an untrusted workspace", async () => {
    write("emend.config.json", JSON.stringify({ edit: { verify: "touch ran" } }));
    const { flag } = await serve(variadic);
    const args = ["edit", "src/a.ts", "-m", "x", "--dry-run", ...flag];
    const { err, exitCode } = await run(args);
    expect(exitCode).toBe(0);
    expect(err).toContain("`edit.verify` (emend.config.json:1) is put aside: it runs a command on your machine");
    expect(readdirSync(work)).not.toContain("ran");
    expect((await run([...args, "--trust", "--no-verify"])).exitCode).toBe(0);
    expect(readdirSync(work)).not.toContain("ran");
    expect((await run([...args, "--trust"])).exitCode).toBe(0);
    expect(readdirSync(work)).toContain("ran");
  });

  test("writes nothing after Ctrl-C", async () => {
    const { flag } = await serve({ deltas: ["@@ 1-2 export function add"], end: "never" });
    const { exitCode, err } = await runBuilt(["edit", "src/a.ts", "-m", "x", "--yes", ...flag], {
      whenStarted: (interrupt) => void setTimeout(interrupt, 1_500),
    });
    expect([exitCode, err, read("src/a.ts")]).toEqual([130, "emend: Interrupted.\n", source]);
  });

  test.skipIf(process.platform === "win32").each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const)("%s while the check runs takes the change back and ends the command", async (name, code) => {
    write("answer.md", variadic);
    const check = "trap 'echo > ended; exit' TERM; echo > started; sleep 60 & wait";
    const args = ["edit", "src/a.ts", "--answer", "answer.md", "--yes", "--verify", check];
    const whenStarted = async (interrupt: (name: "SIGINT" | "SIGTERM" | "SIGHUP") => void) => {
      await vi.waitFor(() => expect(readdirSync(work)).toContain("started"), { timeout: 20_000 });
      expect(read("src/a.ts")).toContain("reduce");
      // A terminal that is closed may say so twice.
      if (name !== "SIGINT") interrupt(name);
      interrupt(name);
    };
    const { exitCode, err } = await runBuilt(args, { whenStarted: (interrupt) => void whenStarted(interrupt) });
    expect([exitCode, read("src/a.ts")]).toEqual([code, source]);
    expect(err).toContain("emend: Interrupted.\n");
    expect(readdirSync(work)).toContain("ended");
    expect((await run(["undo", "--list"])).out).toContain("Nothing was written");
  });
});

describe("edit by any chat", () => {
  test("--prompt prints the prompt and nothing else", async () => {
    const { out, err, exitCode } = await runBuilt(["edit", "src/a.ts", "-m", "-", "--prompt"], {
      input: "引数を増やす\n",
    });
    expect([err, exitCode]).toEqual(["", 0]);
    expect(out).toContain("1\texport function add(a: number, b: number): number {\n");
    expect(out.endsWith("引数を増やす\n")).toBe(true);
  });

  test("--copy sends the prompt to the terminal, and reports it", async () => {
    const printed = await run(["edit", "src/a.ts", "-m", "x", "--prompt"]);
    const { out, err, exitCode } = await atTerminal(["edit", "src/a.ts", "-m", "x", "--copy"], [], { isWatched: true });
    const [copied, notice] = err.replace("\u001b]52;c;", "").split("\u0007");
    expect([Buffer.from(copied!, "base64").toString(), out, exitCode]).toEqual([printed.out, "", 0]);
    expect(notice).toMatch(/\(OSC 52\): [\d,]+ characters to paste into a chat\.\n$/);
    const withoutTerminal = await run(["edit", "src/a.ts", "-m", "x", "--copy"]);
    expect([withoutTerminal.exitCode, withoutTerminal.err]).toEqual([
      1,
      expect.stringContaining("The prompt cannot be copied."),
    ]);
  });

  test.each([
    ["bare", (text: string) => text, []],
    ["in a fence", (text: string) => `Sure.\n\`\`\`ts\n${text}\`\`\`\n`, []],
    ["bare, and named", (text: string) => text, ["--format", "whole"]],
  ] as const)("--answer takes the text of the only file, %s", async (_, reply, flags) => {
    const long = `${source}\nexport function twice(a: number): number {\n  return 2 * a;\n}\n`;
    write("src/a.ts", long);
    const input = reply(long.replace("2 * a", "a + a"));
    const { err, exitCode } = await run(["edit", "src/a.ts", "--answer", "-", "--yes", ...flags], { input });
    expect([exitCode, read("src/a.ts")]).toEqual([0, long.replace("2 * a", "a + a")]);
    expect(err).toContain("It was taken for the whole text of src/a.ts");
  });

  test("--answer suggests the format whole where the text may be that of the only file", async () => {
    const args = ["edit", "src/a.ts", "--answer", "-", "--yes"];
    const advice = "With --format whole, a fenced block is the whole new text of src/a.ts.";
    const { err, exitCode } = await run(args, { input: `\`\`\`ts\n${"something();\n".repeat(4)}\`\`\`\n` });
    expect([exitCode, read("src/a.ts"), err]).toEqual([1, source, expect.stringContaining(advice)]);
    // It would cut the file.
    expect((await run(args, { input: "```ts\nsomething();\n```\n" })).err).not.toContain("--format whole");
  });

  describe("one function in a fence, as chats write it,", () => {
    const variadicAdd = variadicDiff
      .match(/^\+(?!\+).*$/gm)!
      .map((row) => row.slice(1))
      .join("\n");
    const answer = `Here is the new version:\n\n\`\`\`ts\n${variadicAdd}\n}\n\`\`\`\n\nIt takes any number of values.\n`;
    const named = answer.replace("the new version", "the new version in `src/a.ts`");
    const note =
      "The answer has the marks of no format. Its code was taken for the new text of function `add` in src/a.ts, the only definition of that name.";
    const after = source.replace(/^.*\n.*\n/, `${variadicAdd}\n`);

    test.each([
      [["edit", "src/a.ts", "--answer", "-"], answer],
      [["apply", "-"], named],
      [["apply", "-"], answer.replace("```ts", "```ts:src/a.ts")],
      [["apply", "-"], answer.replace("Here is the new version:", "File: `src/a.ts`")],
      [["apply", "-", "--search"], answer],
    ])("is shown by %j, and written with --yes only", async (args, input) => {
      write("src/b.ts", "export const other = 1;\n");
      const shown = await runBuilt(args, { input });
      expect([shown.out, shown.exitCode, read("src/a.ts")]).toEqual([variadicDiff, 8, source]);
      expect(shown.err).toContain(note);
      const written = await runBuilt([...args, "--yes"], { input });
      expect([written.out, written.exitCode, read("src/a.ts")]).toEqual([variadicDiff, 0, after]);
    });

    test.each(["apply", "edit"])("is refused by %s, with the place, where it does not parse", async (command) => {
      const broken = named.replace("\n}\n```", "\n```");
      const args = command === "apply" ? ["apply", "-"] : ["edit", "src/a.ts", "--answer", "-"];
      const { err, exitCode } = await runBuilt([...args, "--yes"], { input: broken });
      expect([exitCode, err]).toEqual([
        1,
        expect.stringMatching(/The code of the answer does not parse as typescript: .* \(row \d+\)\./),
      ]);
      expect(err).not.toContain("edit.model");
    });

    test("applied twice changes nothing, as a patch does", async () => {
      const changed =
        "*** Begin Patch\n*** Update File: src/a.ts\n@@\n-  return a + b;\n+  return b + a;\n*** End Patch\n";
      expect((await runBuilt(["apply", "-", "--yes"], { input: changed })).exitCode).toBe(0);
      const again = await runBuilt(["apply", "-", "--yes"], { input: changed });
      expect([again.exitCode, again.err]).toEqual([0, "Nothing changes. The change is already in src/a.ts.\n"]);
    });

    test.each(["auto", "whole"])("that is the whole file is read by the format %s", async (format) => {
      const whole = source.replace("a + b", "b + a");
      const input = `Here's the full file \`src/a.ts\`:\n\n\`\`\`ts\n${whole}\`\`\`\n`;
      const { exitCode } = await runBuilt(["apply", "-", "--yes", "--format", format], { input });
      expect([exitCode, read("src/a.ts")]).toEqual([0, whole]);
    });

    const b = "export function add(): void {}\n";
    test.each<[args: readonly string[], input: string, exitCode: number, message: string]>([
      [["apply", "-"], answer, 2, "It names no file: `emend edit FILE --answer ANSWER` names one, and --search looks"],
      [
        ["apply", "-"],
        named.replace("`src/a.ts`", "`src/b.ts` or `src/a.ts`"),
        1,
        "`add` is defined in several places of the given files: src/b.ts:1, src/a.ts:1.",
      ],
      [
        ["apply", "-", "--search"],
        answer,
        1,
        "`add` is defined in several places of the given files: src/a.ts:1, src/b.ts:1.",
      ],
      [["edit", "src/a.ts", "--answer", "-"], answer.replace("add(", "plus("), 1, "`plus` is defined nowhere"],
    ])("is refused by %j with the candidates", async (args, input, exitCode, message) => {
      write("src/b.ts", b);
      const { err, out, ...refused } = await runBuilt([...args, "--yes"], { input });
      expect([refused.exitCode, read("src/a.ts"), read("src/b.ts")]).toEqual([exitCode, source, b]);
      expect([err, out]).toEqual([expect.stringContaining(message), expect.not.stringContaining("diff --git")]);
    });
  });

  const plain = (path: string) => `${path}\n\`\`\`ts\nexport const one = 1;\n\`\`\`\n`;
  test.each([
    ["a heading", plain("### `lib/one.ts`")],
    ["a bare path", plain("lib/one.ts")],
    ["the fence", plain("").replace("```ts", "```ts lib/one.ts")],
  ])("apply takes plain code for the text of a new file that %s names", async (_, input) => {
    const { exitCode, err } = await run(["apply", "-", "--yes"], { input });
    expect([exitCode, read("lib/one.ts")]).toEqual([0, "export const one = 1;\n"]);
    expect(err).toContain("lib/one.ts");
  });

  test.each([
    ["src/a.ts", 2, "It may be whole or elided. `one` is defined nowhere"],
    ["a.ts", 2, "It may be whole or elided. `one` is defined nowhere"],
    ["../one.ts", 2, "../one.ts leads out of the workspace."],
    [".env", 5, ".env is secret by its name"],
  ])("apply refuses plain code for %s", async (path, exitCode, message) => {
    const refused = await run(["apply", "-", "--yes"], { input: plain(path) });
    expect([refused.exitCode, refused.err]).toEqual([exitCode, expect.stringContaining(message)]);
    expect(read("src/a.ts")).toBe(source);
  });

  test("--answer applies a chat's answer like a model's", async () => {
    write("answer.md", `Here you are:\n\n${echoing}`);
    const { out, err, exitCode } = await runBuilt(["edit", "src/a.ts", "--answer", "answer.md", "--yes"]);
    expect([out, exitCode]).toEqual([variadicDiff, 0]);
    expect(err).toContain("repaired");
    expect(read("src/a.ts")).toContain("reduce");
  });

  test.each([
    ["could not be used", halfRight, "There is no line 40."],
    [
      "does not parse",
      broken,
      "Your answer breaks the syntax of the files; lines are those after the change:\n\n- src/a.ts:",
    ],
  ])("prints a retry prompt for an answer that %s", async (_, answer, prompt) => {
    const { out, err, exitCode } = await run(["edit", "src/a.ts", "--answer", "-", "--yes"], { input: answer });
    expect([exitCode, read("src/a.ts")]).toEqual([1, source]);
    expect(out).toContain(prompt);
    expect(out).toContain("Nothing was changed. Answer again, in the same way as before, with all edits.\n");
    expect(err).toContain("Paste this into the chat, and apply its answer in the same way:");
  });
});

test("verifies a chat's answer too, and its output is part of the retry prompt", async () => {
  const args = ["edit", "src/a.ts", "--answer", "-", "--yes", "--verify", "echo no sum; exit 1"];
  const { out, exitCode } = await run(args, { input: variadic });
  expect([exitCode, read("src/a.ts")]).toEqual([1, source]);
  expect(out).toContain(
    "a check of the files with it is not content:\n\n```\n$ echo no sum; exit 1\nno sum\n(exit code 1)\n```\n",
  );
});

describe("apply", () => {
  const blocks = `Sure, here is the change.

src/a.ts
\`\`\`ts
<<<<<<< SEARCH
  return a + b;
=======
  return b + a;
>>>>>>> REPLACE
\`\`\`

src/new/b.ts
\`\`\`ts
<<<<<<< SEARCH
=======
export const b = 1;
>>>>>>> REPLACE
\`\`\`
`;
  const patch = `*** Begin Patch
*** Update File: src/a.ts
@@
-  return a + b;
+  return b + a;
*** Add File: src/new/b.ts
+export const b = 1;
*** End Patch
`;

  test.each([
    ["search-replace", blocks],
    ["v4a", patch],
  ])("applies an answer in %s to the files that it names, and undo restores them", async (format, answer) => {
    write("answer.md", answer);
    const { err, exitCode } = await runBuilt(["apply", "answer.md", "--yes"]);
    expect([err, exitCode]).toEqual([
      `Edit src/a.ts, create src/new/b.ts (format ${format}).\nWritten: src/a.ts and src/new/b.ts. \`emend undo\` undoes it.\n`,
      0,
    ]);
    expect([read("src/a.ts"), read("src/new/b.ts")]).toEqual([
      source.replace("a + b", "b + a"),
      "export const b = 1;\n",
    ]);
    await run(["undo"]);
    expect([read("src/a.ts"), readdirSync(join(work, "src"))]).toEqual([source, ["a.ts"]]);
  });

  test.each([
    ["a changed file", [], `src/a.ts\n\`\`\`\n${source.replace("a + b", "b + a")}\`\`\`\n`],
    [
      "a changed file beside a new one",
      ["--format", "whole"],
      `src/new.ts\n\`\`\`\nlet c;\n\`\`\`\nsrc/a.ts\n\`\`\`\nlet d;\n\`\`\`\n`,
    ],
    [
      "a moved file",
      ["--format", "v4a"],
      "*** Begin Patch\n*** Update File: src/a.ts\n*** Move to: src/new.ts\n@@\n-  return a + b;\n+  return b + a;\n*** End Patch\n",
    ],
  ])("row 31: a file with hard links is refused, and no link is split: %s", async (_, args, input) => {
    linkSync(join(work, "src/a.ts"), join(work, "other.ts"));
    const { err, exitCode } = await runBuilt(["apply", "-", "--yes", ...args], { input });
    expect(err).toContain("src/a.ts has 2 names on the disk (hard links), and only this one would get the new text");
    expect([exitCode, read("src/a.ts"), readdirSync(join(work, "src"))]).toEqual([1, source, ["a.ts"]]);
    expect(statSync(join(work, "src/a.ts")).ino).toBe(statSync(join(work, "other.ts")).ino);
  });

  test("applies an answer in another folder, with JSON output", async () => {
    const { out, exitCode } = await run(["apply", "-", "--root", "src", "--dry-run", "--json"], {
      input: blocks.replaceAll("src/", ""),
    });
    expect(exitCode).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ kind: "offered", root: join(work, "src"), isWritten: false });
  });

  test.each(["%s", "`%s`", "**%s**", "### %s", "File: %s", '"%s"', "1. `%s`", "// %s"])(
    "row 21: a block goes to the file with blanks in its path that the row %s names",
    async (row) => {
      const path = "sp ace/my file.ts";
      const block = blocks.slice(blocks.indexOf("```ts"), blocks.indexOf("src/new"));
      write(path, source);
      const first = `src/a.ts\n${block.replaceAll("  return", "return").replaceAll("return", "  return")}`;
      const { exitCode } = await run(["apply", "-", "--yes"], {
        input: `${first}${row.replace("%s", path)}\n${block}`,
      });
      expect([exitCode, read(path), read("src/a.ts")]).toEqual([
        0,
        source.replace("a + b", "b + a"),
        source.replace("a + b", "b + a"),
      ]);
    },
  );

  test.each(["sp ace/my file.ts", "**sp ace/my file.ts**", "Change lib/b.ts:", "`lib/b.ts`"])(
    "row 21: a block below the missing file %s is applied to no other file",
    async (row) => {
      const [, block = ""] = /(```ts\n[\s\S]*?```)/.exec(blocks)!;
      const other = block.replace("  return a + b;", "export").replace("  return b + a;", "import");
      const { exitCode } = await run(["apply", "-", "--yes"], { input: `src/a.ts\n${block}\n${row}\n${other}` });
      expect([exitCode, read("src/a.ts")]).toEqual([1, source]);
    },
  );

  const inUtil = (path: string) => JSON.stringify({ file_path: path, old_string: "a + b", new_string: "b + a" });
  test.each([
    [["src/util.ts"], "util.ts", "util.ts is taken for src/util.ts."],
    [["src/util.ts", "lib/util.ts"], "util.ts", "Files of that name are lib/util.ts, src/util.ts."],
    [["src/Util.ts"], "src/util.ts", "The nearest is src/Util.ts."],
    [["util.ts"], "lib/util.ts", "There is no file lib/util.ts."],
  ])("looks in %j for the path %s of an answer", async (paths, named, message) => {
    for (const path of paths) write(path, source);
    const { err } = await run(["apply", "-", "--dry-run"], { input: inUtil(named) });
    expect(err).toContain(message);
  });

  test.each([
    ["no divider", "src/a.ts\n<<<<<<< SEARCH\nx\ny\n>>>>>>> REPLACE\n", "has no row"],
    [
      "text behind a mark",
      "src/a.ts\n<<<<<<< SEARCH const x\n=======\ny\n>>>>>>> REPLACE\n",
      "has text behind its mark",
    ],
    ["no end of a JSON string", '{"input": "*** Begin Patch\\n*** Update File: src/a.ts', "does not end, or is broken"],
    ["a mark that is none", "*** Begin Patch\n*** Frobnicate File: src/a.ts\n*** End Patch\n", "is none of"],
  ])("row 37: reports why all edits were refused while reading: %s", async (_, answer, message) => {
    const { err, exitCode } = await run(["apply", "-", "--yes"], { input: answer });
    expect(err).toContain(message);
    expect(err).not.toContain("names no file");
    expect([exitCode, read("src/a.ts")]).toEqual([1, source]);
  });

  test.each<[title: string, answer: string, exitCode: number, message: string]>([
    [
      "in no format",
      "Just do it.\n",
      1,
      "refused    The answer holds no edit in this format.\n  the answer begins:\n    | Just do it.\n",
    ],
    [
      "that names no file",
      variadic,
      2,
      "The answer names no file, read as range. Name the file: `emend edit FILE --answer -`.",
    ],
    ["about a secret", patch.replace("src/a.ts", ".env"), 5, ".env is secret by its name"],
    ["about what is git's", patch.replace("src/a.ts", ".git/config"), 5, ".git/config belongs to .git."],
    ["that leads out", patch.replace("src/a.ts", "../other.ts"), 2, "../other.ts leads out of the workspace."],
    [
      "about a file that is not there",
      patch.replace("src/a.ts", "src/z.ts"),
      1,
      "A part of the answer could not be used",
    ],
    [
      "that does not fit",
      patch.replace("-  return a + b;", "-  return c;"),
      1,
      "A part of the answer could not be used",
    ],
  ])("refuses an answer %s", async (_, answer, exitCode, message) => {
    write(".env", "KEY=1\n");
    const { err, ...rest } = await run(["apply", "-", "--yes"], { input: answer });
    expect([err, rest.exitCode]).toEqual([expect.stringContaining(message), exitCode]);
    expect([read("src/a.ts"), readdirSync(join(work, "src"))]).toEqual([source, ["a.ts"]]);
  });
});

describe("undo", () => {
  test("lists edits, undoes several, and restores one", async () => {
    const { flag } = await serve(variadic);
    await run(["edit", "src/a.ts", "-m", "make add variadic\nand no more", "--yes", ...flag]);
    const after = read("src/a.ts");
    await run(["edit", "src/a.ts", "--answer", "-", "--yes"], {
      input: "@@ 6 return a - b\n  return b - a;\n@@ end\n",
    });
    const { out } = await run(["undo", "--list", "--json"]);
    const { root, edits } = JSON.parse(out) as UndoListReport;
    expect([root, edits.map(({ id, changes }) => [id, changes])]).toEqual([
      work,
      [2, 1].map((id) => [id, [{ path: "src/a.ts", kind: "changed" }]]),
    ]);
    const both = await run(["undo", "--steps", "2"]);
    expect([both.exitCode, read("src/a.ts")]).toEqual([0, source]);
    const list = await run(["undo", "--list"]);
    expect(list.out).toMatch(
      /^ {3}4 {2}\S+ \S+ {2}undo of 1, make add variadic: src\/a\.ts\n[\s\S]*\n {3}1 .* make add variadic: src\/a\.ts \(undone\)\n$/,
    );
    const again = await run(["undo", "--id", "4"]);
    expect(again.out).toBe("Restored: src/a.ts (make add variadic).\n`emend undo --id 5` undoes it.\n");
    expect(read("src/a.ts")).toBe(after);
  });

  test.each([
    [".", "emend undo"],
    ["src", "emend undo"],
    ["..", "emend undo work"],
  ])("suggests from %s the command `%s`", async (folder, command) => {
    const workingFolder = join(work, folder);
    const file = join(work, "src/a.ts");
    const options = { workingFolder, environment: environment(), input: variadic };
    const { err } = await runAtTerminal(["edit", file, "--answer", "-", "--yes"], options);
    expect(err).toContain(`\`${command}\` undoes it.`);
    await runAtTerminal(command.split(" ").slice(1), options);
    expect(read("src/a.ts")).toBe(source);
  });

  test("keeps and names files that have changed since", async () => {
    const { flag } = await serve(variadic);
    await run(["edit", "src/a.ts", "-m", "x", "--yes", ...flag]);
    const mine = read("src/a.ts").replace("reduce((sum", "reduce((total");
    write("src/a.ts", mine);
    const { err, exitCode } = await run(["undo"]);
    expect([exitCode, read("src/a.ts")]).toEqual([1, mine]);
    expect(err).toContain("src/a.ts (line 2) changed since in the same lines");
    rmSync(join(work, "src/a.ts"));
    expect((await run(["undo"])).err).toContain("no file was changed: src/a.ts was deleted since. Put it back");
  });

  test.each([
    ["Windows' line endings", source.replaceAll("\n", "\r\n")],
    ["a byte order mark", `\uFEFF${source}`],
    ["no line ending at the end", source.trimEnd()],
  ])("restores %s", async (_, before) => {
    write("src/a.ts", before);
    symlinkSync("a.ts", join(work, "src/link.ts"));
    await run(["edit", "src/link.ts", "--answer", "-", "--yes"], { input: variadic });
    expect(read("src/a.ts")).toContain("reduce");
    await run(["undo"]);
    expect(read("src/a.ts")).toBe(before);
  });
});

function atTerminal(
  args: readonly string[],
  answers: readonly string[],
  more: Partial<Parameters<typeof runAtTerminal>[1]> = {},
): Promise<CliRun> {
  return runAtTerminal(args, { workingFolder: work, answers, environment: environment(), ...more });
}
