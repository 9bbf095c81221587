import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { ScriptedServer } from "../model/node/fixtures/scripted-server.ts";
import type { FillReport } from "./fill.ts";
import type { CliRun } from "./fixtures/run-cli.ts";
import { runAtTerminal } from "./fixtures/test-terminal.ts";

const top = realpathSync(mkdtempSync(join(tmpdir(), "emend-fill-")));
const folder = join(top, "work");
afterAll(() => rmSync(top, { recursive: true, force: true }));

const body = "export function width(box: Box): number {\n  return box.right - box.left;\n}\n";

beforeEach(() => {
  mkdirSync(join(folder, ".git"), { recursive: true });
  write("a.ts", body.repeat(3));
  write("b.ts", "export function width(box: Box): number {\n  return ;\n}\n");
});

function write(name: string, content: string): void {
  writeFileSync(join(folder, name), content);
}

function run(args: readonly string[], options: { readonly colour?: boolean } = {}): Promise<CliRun> {
  const environment = { EMEND_STATE_DIR: join(top, "state"), XDG_CONFIG_HOME: join(top, "config") };
  return runAtTerminal([...args, ...(args[0] === "fill" ? ["--no-cache"] : [])], {
    ...{ workingFolder: folder, environment },
    ...options,
  });
}

test("the file is printed with its filling marked, and left as it is", async () => {
  const { exitCode, out, err } = await run(["fill", "b.ts", "--at", "2:10"]);
  expect(exitCode).toBe(0);
  expect(out).toBe("export function width(box: Box): number {\n  return «box.right - box.left»;\n}\n");
  expect(err).toMatch(/^builtin: 2:10 as the model wrote it; 1 request, (nothing was|\d+) refused\.\n$/);
  expect(readFileSync(join(folder, "b.ts"), "utf8")).toContain("return ;");
});

test("in colours there are no marks", async () => {
  const { out } = await run(["fill", "b.ts", "--at", "2:10"], { colour: true });
  expect(out).toContain("return \u001b[32mbox.right - box.left\u001b[39m;");
});

test("a range is replaced, and what is written can be taken back", async () => {
  const broken = "export function width(box: Box): number {\n  return box.right -;\n}\n";
  write("b.ts", broken);
  const { exitCode, err } = await run(["fill", "b.ts", "--at", "2:10-2:21", "--write"]);
  expect(err).toContain("Written: b.ts. `emend undo` takes it back.\n");
  expect(exitCode).toBe(0);
  expect(readFileSync(join(folder, "b.ts"), "utf8")).toContain("return box.right - box.left;");
  await run(["undo"]);
  expect(readFileSync(join(folder, "b.ts"), "utf8")).toBe(broken);
});

test("several holes, and one object with all that was refused", async () => {
  write("c.ts", `${body}f(, );\n`);
  const args = ["fill", "c.ts", "--at", "4:5", "--holes", "4:3", "--json", "--explain", "--max-tokens", "12"];
  const report = JSON.parse((await run(args)).out) as FillReport;
  expect(report).toMatchObject({ kind: "filled", file: "c.ts", grammar: "typescript", parserErrors: 0 });
  expect(report.holes.map(({ range }) => range.start)).toEqual([body.length + 2, body.length + 4]);
  expect(report.holes.every(({ refused, refusals }) => refusals!.length === refused)).toBe(true);
  expect(await run(["check", "c.ts"])).toMatchObject({ exitCode: 10 });
  write("c.ts", report.text);
  expect(await run(["check", "c.ts"])).toMatchObject({ exitCode: 0 });
});

describe("--members", () => {
  const shape = "export interface Box { right: number; left: number }\n";
  // All that the built-in model knows of boxes.
  const other = "export function width(box: Crate): number {\n  return box.middle;\n}\n";
  const use = "import type { Box } from './shape';\nexport function width(box: Box): number {\n  return box.;\n}\n";

  beforeEach(() => {
    for (const name of readdirSync(folder)) if (name.endsWith(".ts")) rmSync(join(folder, name));
    write("tsconfig.json", JSON.stringify({ compilerOptions: { strict: true, types: [], lib: ["es2022"] } }));
    write("shape.ts", shape);
    write("a.ts", other.repeat(4));
    write("use.ts", use);
    onTestFinished(() => {
      for (const name of ["tsconfig.json", "shape.ts", "use.ts"]) rmSync(join(folder, name));
    });
  });

  test("a member that the type does not have is not written, and it is told which it has", async () => {
    const free = await run(["fill", "use.ts", "--at", "3:14"]);
    expect(free.out).toContain("return box.«middle»;");
    const { out, err, exitCode } = await run(["fill", "use.ts", "--at", "3:14", "--members", "--explain"]);
    expect(out).toMatch(/return box\.«(right|left)»;/);
    expect(err).toContain("«middle»: Box has no such member; it has left, right");
    expect(exitCode).toBe(0);
  });

  test("what types do not know is left as it is", async () => {
    write("use.ts", use.replace("box: Box", "box: any"));
    const { out } = await run(["fill", "use.ts", "--at", "3:14", "--members"]);
    expect(out).toContain("return box.«middle»;");
  });

  test("a file without types is refused", async () => {
    write("use.json", "[]");
    onTestFinished(() => rmSync(join(folder, "use.json")));
    const { err, exitCode } = await run(["fill", "use.json", "--at", "1:2", "--members"]);
    expect(err).toContain("--members is for TypeScript and JavaScript, and use.json is neither.");
    expect(exitCode).toBe(2);
  });
});

describe("a model on a server", () => {
  /** A server that speaks as llama.cpp does, and says these texts one after the other, until the test ends. */
  async function serve(...answers: readonly string[]): Promise<ScriptedServer> {
    const left = [...answers];
    const frame = (content: string, stop: boolean) =>
      `data: ${JSON.stringify({ content, stop, stop_type: "eos" })}\n\n`;
    const server = await ScriptedServer.start(({ route }) =>
      route === "/props"
        ? { headers: { "content-type": "application/json" }, chunks: ["{}"] }
        : {
            headers: { "content-type": "text/event-stream" },
            chunks: [frame(left.shift() ?? "", false), frame("", true)],
          },
    );
    onTestFinished(() => server[Symbol.asyncDispose]());
    return server;
  }

  test("is asked for another member than one that the type does not have", async () => {
    write("tsconfig.json", "{}");
    onTestFinished(() => rmSync(join(folder, "tsconfig.json")));
    write("b.ts", "export function width(box: { right: number; left: number }): number {\n  return ;\n}\n");
    const server = await serve("box.right - box.middle", "left");
    const model = `llamacpp:${server.url}`;
    const { out, err } = await run(["fill", "b.ts", "--at", "2:10", "--members", "--explain", "--model", model]);
    expect(out).toContain("return «box.right - box.left»;");
    expect(err).toContain("behind «box.right - box.»: «middle»: { right: number; left: number; } has no such member");
  });

  test("is asked to go on from what could stand", async () => {
    const server = await serve("box.right - )(", "{}", "box.left");
    const { exitCode, out, err } = await run([
      "fill",
      "b.ts",
      "--at",
      "2:10",
      "--explain",
      "--model",
      `llamacpp:${server.url}`,
    ]);
    expect(out).toContain("return «box.right - box.left»;");
    expect(err).toMatch(
      /2:10 as the model wrote it; 3 requests, 1 refused\.\n {2}request 1 behind «box\.right - »: «\)\(»: /,
    );
    expect(exitCode).toBe(0);
    const asked = server.seen.filter(({ route }) => route === "/infill").map(({ body }) => body);
    expect(asked.map(({ prompt, input_prefix: prefix }) => `${prefix}${prompt}`.endsWith("box.right - "))).toEqual([
      false,
      true,
      true,
    ]);
  });

  test("is shown no private key", async () => {
    const server = await serve("1");
    write(
      "b.ts",
      `const key = \`-----BEGIN RSA PRIVATE KEY-----\n${"MIIEpAIBAAKCAQEAx3b0cK1v".repeat(3)}\n\`;\nf();\n`,
    );
    const answer = await run(["fill", "b.ts", "--at", "4:3", "--model", `llamacpp:${server.url}`]);
    expect(answer).toMatchObject({ exitCode: 5, err: expect.stringContaining("may hold secrets") });
    expect(server.seen.filter(({ route }) => route === "/infill")).toEqual([]);
  });

  test("that is away is told of", async () => {
    const server = await ScriptedServer.start(() => "break");
    await server[Symbol.asyncDispose]();
    const answer = await run(["fill", "b.ts", "--at", "2:10", "--model", `llamacpp:${server.url}`]);
    expect(answer).toMatchObject({ exitCode: 1, out: "" });
  });
});

test("a file of a language of one's own", async () => {
  write("sums.grammar", 'grammar sums\ntoken Number = /[0-9]+/\ntrivia Space = /[ \\n]+/\nSum = Number % "+"\n');
  write("a.sum", "1 + \n");
  const { exitCode, out } = await run(["fill", "a.sum", "--at", "1:5", "--grammar", "sums.grammar"]);
  expect(exitCode).toBe(0);
  expect(out).toMatch(/^1 \+ «[\d+ \n]+»\n$/);
});

describe("what cannot be filled", () => {
  test.each([
    ["f(1 2, ‸);", [], 10, "dead-prefix"],
    ["f(‸);\n'abc", [], 10, "dead-suffix"],
    ["f(‸);", ["--max-tokens", "0"], 2, "usage"],
    ["f(‸);", ["--holes", "1:3"], 2, "bad-place"],
    ["f(‸);", ["--holes", "7:1"], 4, "outside-text"],
    ["f(‸);", ["--model", "nobody:x"], 2, "usage"],
    ["f(‸);", ["--grammar", "json.bin"], 3, "file-missing"],
  ])("%s %j", async (marked, more, exitCode, code) => {
    write("d.ts", `${marked.replace("‸", "")}\n`);
    const answer = await run(["fill", "d.ts", "--at", `1:${marked.indexOf("‸") + 1}`, "--json", ...more]);
    expect({ ...answer, out: JSON.parse(answer.out) }).toMatchObject({ exitCode, out: { kind: "error", code } });
  });

  test("without a place", async () => {
    expect(await run(["fill", "b.ts"])).toMatchObject({ exitCode: 2, err: expect.stringContaining("--at") });
  });
});
