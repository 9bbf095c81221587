import { mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { serveChat } from "../../model/node/fixtures/scripted-chat-server.ts";
import { removeFolder } from "../../text/node/fixtures/remove-folder.ts";
import type { CliRun } from "../fixtures/run-cli.ts";
import { runAtTerminal } from "../fixtures/test-terminal.ts";
import type { EditReport } from "./review-edit.ts";

let top: string;
let work: string;

beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), "emend-regions-")));
  work = join(top, "work");
  mkdirSync(join(work, ".git"), { recursive: true });
  write("a.ts", source);
  write("a.css", "a {\n  color: red;\n}\n");
});
afterEach(() => removeFolder(top));

const source = "export function sum(a: number[]): number {\n  return 0;\n}\n\nexport const one = 1;\n";
const code = "  return a.reduce((b, c) => b + c, 0);";
const summed = source.replace("  return 0;", code);
const broken = "  return a.reduce((b, c => b + c, 0);";

const fenced = (text: string) => `\`\`\`ts\n${text}\n\`\`\`\n`;

function write(path: string, content: string): void {
  mkdirSync(dirname(join(work, path)), { recursive: true });
  writeFileSync(join(work, path), content);
}

const read = (path: string) => readFileSync(join(work, path), "utf8");

/** Runs a command; its arguments are parted by blanks. */
function run(args: string, more: readonly string[] = [], input?: string): Promise<CliRun> {
  const folders = { EMEND_STATE_DIR: join(top, "state"), EMEND_CACHE_DIR: join(top, "cache"), XDG_CONFIG_HOME: top };
  return runAtTerminal([...args.split(" "), ...more], {
    ...{ workingFolder: work, environment: folders },
    ...(input !== undefined && { input }),
  });
}

/** A server that gives these answers, the last one again and again, and the flag that names it. */
async function serve(...answers: readonly string[]) {
  const server = await serveChat("openai", ...answers.map((answer) => ({ deltas: answer.match(/[\s\S]{1,7}/gu)! })));
  onTestFinished(() => server[Symbol.asyncDispose]());
  return { calls: server.calls, flag: ["--model", `openai-compatible:${server.url}#scripted`] };
}

describe("usage errors contain what to do", () => {
  test.each<[args: string, exitCode: number, message: string]>([
    ["a.ts -m x --at 0", 2, "Lines count from 1."],
    [
      "a.ts -m x --at here",
      2,
      '"here" is not a region. Write 10-14 for lines, 12:5-14:1 for a range, or 12:5 for an insertion point.',
    ],
    ["a.ts -m x --at 9", 4, "Line 9 is outside of a.ts, which has 6 lines. Give a line from 1 to 6."],
    ["a.ts -m x --at 1-9", 4, "Line 9 is outside of a.ts, which has 6 lines."],
    ["a.ts -m x --at 2:40-3:1", 4, "Column 40 is outside of line 2 of a.ts"],
    ["a.ts -m x --at 3-2", 2, "The region 3-2 ends before it starts."],
    ["a.ts -m x --at 3 --at 1-2", 2, "The regions 1-2 and 3 overlap or touch. Give them as one."],
    ["a.ts a.css -m x --at 1", 2, "--at names regions of a single existing file."],
    ["new.ts -m x --at 1", 2, "--at names regions of a single existing file."],
    ["a.ts -m x --at 1 --format udiff", 2, "--at replaces regions, without an edit format."],
    [
      "a.ts -m x --at 1 --at 5 --prompt",
      2,
      "With --prompt, --copy and --answer only one region can be rewritten. Give --at once.",
    ],
    ["a.ts --at 1 --answer b", 2, "Give an instruction for the regions with -m"],
    ["a.ts -m x --explain", 2, "--guide and --explain are only for --at."],
    ["a.ts -m x --at 1 --guide maybe", 2, "Allowed choices are auto, off, always."],
  ])("%s", async (args, exitCode, message) => {
    const failed = await run(`edit ${args}`);
    expect(failed.err).toContain(message);
    expect(failed.exitCode).toBe(exitCode);
  });
});

test("emend edit FILE:LINES rewrites lines, writes them, and undoes the edit", async () => {
  const { calls, flag } = await serve(fenced(code));
  const done = await run("edit a.ts --at 2 -m sum --yes", flag);
  expect(done.err).toContain("line 2: constrained by the grammar; 1 request.");
  expect(done.err).toContain("Edit a.ts (regions only, 1 request).");
  expect(done.exitCode).toBe(0);
  expect(done.out).toContain("-  return 0;\n+  return a.reduce");
  expect(read("a.ts")).toBe(summed);
  expect(JSON.stringify(calls[0]!.body)).toContain("<REGION>\\n  return 0;\\n</REGION>");
  expect((await run("undo")).exitCode).toBe(0);
  expect(read("a.ts")).toBe(source);
});

test("several regions are rewritten in one edit", async () => {
  const { flag } = await serve(fenced(code), fenced("2"));
  await run("edit a.ts --at 5:20-5:21 --at 2 -m sum --yes", flag);
  expect(read("a.ts")).toBe(summed.replace("one = 1", "one = 2"));
});

test("a rewritten region keeps line endings and the byte order mark", async () => {
  write("a.ts", `\ufeff${source.replaceAll("\n", "\r\n")}`);
  const { flag } = await serve(fenced(code));
  await run("edit a.ts --at 2 -m sum --yes", flag);
  expect(read("a.ts")).toBe(`\ufeff${summed.replaceAll("\n", "\r\n")}`);
});

test("refuses and reports text that breaks the syntax", async () => {
  const { flag } = await serve(fenced(broken), fenced(code));
  const result = await run("edit a.ts --at 2 -m sum --dry-run --explain", flag);
  expect(result.err).toContain("line 2: constrained by the grammar; 2 requests, 1 refused.");
  expect(result.err).toMatch(
    /request 1 behind «return a\.reduce\(\(b, c => b \+ c, 0\)»: «;»: nothing whole goes on so; it could be /,
  );
  const json = await run("edit a.ts --at 2 -m sum --dry-run --json", flag);
  const report: EditReport = JSON.parse(json.out);
  expect(report).toMatchObject({ kind: "offered", proposal: { format: "regions" } });
  expect(report.regions).toMatchObject([
    { kind: "whole", constraint: { kind: "grammar" }, range: { start: 43, end: 55 } },
  ]);
});

test("an answer without code changes no region", async () => {
  const { flag } = await serve("I would not do that.");
  const failed = await run("edit a.ts --at 2 -m sum --yes --max-retries 1", flag);
  expect(failed.err).toContain(
    "There is no new text for line 2 of a.ts. The answer holds no new text. (2 requests, 0 refused.)",
  );
  expect(failed.exitCode).toBe(1);
  expect(read("a.ts")).toBe(source);
});

test("reports that a language without a grammar is not constrained", async () => {
  const { flag } = await serve(fenced("  color: blue;"));
  const done = await run("edit a.css --at 2 -m blue --yes", flag);
  expect(done.err).toContain("line 2: not constrained by a grammar, since there is no grammar for css; 1 request.");
  expect(read("a.css")).toBe("a {\n  color: blue;\n}\n");
  const refused = await run("edit a.css --at 2 -m red --yes --guide always", flag);
  expect(refused.exitCode).toBe(10);
  expect(refused.err).toContain(
    "cannot be constrained by a grammar, because there is no grammar for css. Use --guide auto to rewrite it without a grammar.",
  );
});

test("a region is rewritten by a pasted answer without a model", async () => {
  const { out } = await run("edit a.ts --at 2 -m sum --prompt");
  expect(out).toContain("The instruction:\n\nsum\n");
  const done = await run("edit a.ts --at 2 -m sum --yes --answer -", [], `Here you are:\n\n${fenced(code)}`);
  expect(done.err).toContain("Edit a.ts (regions only, 1 request).");
  expect(read("a.ts")).toBe(summed);
});
