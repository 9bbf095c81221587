import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { ScriptedServer } from "../../model/node/fixtures/scripted-server.ts";
import { removeFolder } from "../../text/node/fixtures/remove-folder.ts";
import { hasPseudoTerminal, PseudoTerminal } from "../fixtures/pseudo-terminal.ts";
import { buildPackage, type CliRun, runCli } from "../fixtures/run-cli.ts";
import { runAtTerminal } from "../fixtures/test-terminal.ts";
import type { FillReport } from "./fill.ts";

const top = realpathSync(mkdtempSync(join(tmpdir(), "emend-fill-")));
const folder = join(top, "work");
afterAll(() => removeFolder(top));

const body = "export function width(box: Box): number {\n  return box.right - box.left;\n}\n";

beforeEach(() => {
  mkdirSync(join(folder, ".git"), { recursive: true });
  write("a.ts", body.repeat(3));
  write("b.ts", "export function width(box: Box): number {\n  return ;\n}\n");
});

function write(name: string, content: string): void {
  writeFileSync(join(folder, name), content);
}

interface TerminalOptions {
  readonly colour?: boolean;
  readonly isShown?: boolean;
  readonly isWatched?: boolean;
  readonly now?: () => number;
}

function run(args: readonly string[], options: TerminalOptions = {}): Promise<CliRun> {
  const environment = { EMEND_STATE_DIR: join(top, "state"), XDG_CONFIG_HOME: join(top, "config") };
  return runAtTerminal([...args, ...(args[0] === "fill" ? ["--no-cache"] : [])], {
    ...{ workingFolder: folder, environment },
    ...options,
  });
}

test("emend fill prints the file with its filling marked, and does not write it", async () => {
  const { exitCode, out, err } = await run(["fill", "b.ts", "--at", "2:10"]);
  expect(exitCode).toBe(0);
  expect(out).toBe("export function width(box: Box): number {\n  return «box.right - box.left»;\n}\n");
  expect(err).toMatch(/^builtin: 2:10 as the model wrote it; 1 request, (nothing was|\d+) refused\.\n$/);
  expect(readFileSync(join(folder, "b.ts"), "utf8")).toContain("return ;");
});

test("emend fill shows on a terminal how many texts were tried", async () => {
  // Each look at the clock is half a second later than the one before.
  let now = 0;
  const later = () => {
    now += 500;
    return now;
  };
  const { err } = await run(["fill", "a.ts", "--at", "2:10-2:30"], { isWatched: true, now: later });
  const lines = err.split("\r").map((line) => line.replaceAll("\u001b[K", ""));
  expect(lines).toContainEqual(expect.stringMatching(/^Filling a\.ts with builtin: \d+ texts? tried$/));
  expect(lines.at(-1)).toMatch(/^builtin: 2:10 /);
  const piped = await run(["fill", "a.ts", "--at", "2:10-2:30"], { now: later });
  expect(piped.err).not.toContain("tried");
});

describe("row 14: a text that takes too long to parse with its grammar", () => {
  test.each([
    ["functions of TypeScript", "c.ts", body.repeat(80), "1:1"],
    ["ternaries of JavaScript", "c.js", `x = ${"a?b:".repeat(1_500)}c;\n`, "1:5"],
    ["a line of JSON", "c.json", `[${"[1, 2], ".repeat(8_000)}3]\n`, "1:2"],
  ])(
    "row 14: %s ends with a reason and an exit code, and is filled within more time",
    { timeout: 60_000 },
    async (_, name, text, at) => {
      write(name, text);
      const args = ["fill", name, "--at", at, "--max-tokens", "8"];
      const short = await run([...args, "--read-timeout", "0.001"]);
      expect(short).toMatchObject({ exitCode: 5, out: "" });
      expect(short.err).toContain(`${name} is too long to be parsed with its grammar in time`);
      expect(short.err).toContain("--read-timeout 30");
      const json = await run([...args, "--json", "--read-timeout", "0.001"]);
      expect(JSON.parse(json.out)).toMatchObject({ kind: "error", code: "too-slow", exitCode: 5 });
      expect(await run([...args, "--read-timeout", "60"])).toMatchObject({ exitCode: 0 });
    },
  );

  test.each(["0", "-1", "x", "4000"])("row 14: %s is no time limit", async (time) => {
    const { exitCode, err } = await run(["fill", "b.ts", "--at", "2:10", "--read-timeout", time]);
    expect(exitCode).toBe(2);
    expect(err).toContain("Give a number of seconds above 0");
  });
});

test("emend fill prints a diff to a terminal, and the whole file with --out -", async () => {
  write("a.ts", `${body.repeat(20)}export function width(box: Box): number {\n  return ;\n}\n`);
  const args = ["fill", "a.ts", "--at", "62:10"];
  const shown = await run(args, { isShown: true });
  expect(shown.out).toBe(
    [
      ...["diff --git a/a.ts b/a.ts", "--- a/a.ts", "+++ b/a.ts", "@@ -59,5 +59,5 @@"],
      ...["   return box.right - box.left;", " }", " export function width(box: Box): number {"],
      ...["-  return ;", "+  return box.right - box.left;", " }", ""],
    ].join("\n"),
  );
  const whole = await run([...args, "--out", "-"], { isShown: true });
  expect(whole.out).toBe((await run(args)).out);
  expect(whole.out.split("\n")).toHaveLength(64);
  expect(await run([...args, "--out", "b.ts"])).toMatchObject({ exitCode: 2, out: "" });
});

describe.skipIf(!hasPseudoTerminal)("the built emend fill", () => {
  beforeAll(buildPackage, 180_000);
  const args = ["fill", "a.ts", "--at", "62:10", "--no-cache"];
  const text = (filling: string) =>
    `${body.repeat(20)}export function width(box: Box): number {\n  return ${filling};\n}\n`;
  const environment = { EMEND_STATE_DIR: join(top, "state"), XDG_CONFIG_HOME: join(top, "config"), NO_COLOR: "1" };

  /** The output on a terminal. */
  async function atTerminal(...more: readonly string[]): Promise<string> {
    const terminal = new PseudoTerminal([...args, ...more], { folder, rows: 24, columns: 100, environment });
    onTestFinished(() => terminal[Symbol.dispose]());
    expect(await terminal.ended).toBe(0);
    return terminal.printed.replaceAll("\r\n", "\n");
  }

  beforeEach(() => write("a.ts", text("")));

  test("prints a diff with context to a terminal", async () => {
    const printed = await atTerminal();
    expect(printed).toContain(
      " export function width(box: Box): number {\n-  return ;\n+  return box.right - box.left;\n }\n",
    );
    expect(printed.split("\n").length).toBeLessThan(14);
  });

  test("prints the text to a pipe, and to a terminal with --out -", async () => {
    expect(await atTerminal("--out", "-")).toContain(text("«box.right - box.left»"));
    expect(await runCli(args, { folder, environment })).toMatchObject({
      exitCode: 0,
      out: text("«box.right - box.left»"),
    });
  });
});

test("emend fill prints colours without marks", async () => {
  const { out } = await run(["fill", "b.ts", "--at", "2:10"], { colour: true });
  expect(out).toContain("return \u001b[32mbox.right - box.left\u001b[39m;");
});

test("emend fill replaces a range, and undo restores the written file", async () => {
  const broken = "export function width(box: Box): number {\n  return box.right -;\n}\n";
  write("b.ts", broken);
  const { exitCode, err } = await run(["fill", "b.ts", "--at", "2:10-2:21", "--write"]);
  expect(err).toContain("Written: b.ts. `emend undo` undoes it.\n");
  expect(exitCode).toBe(0);
  expect(readFileSync(join(folder, "b.ts"), "utf8")).toContain("return box.right - box.left;");
  await run(["undo"]);
  expect(readFileSync(join(folder, "b.ts"), "utf8")).toBe(broken);
});

test("emend fill fills several holes, and prints refused text as JSON", async () => {
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

  test("writes no unknown member, and reports the known ones", async () => {
    const free = await run(["fill", "use.ts", "--at", "3:14"]);
    expect(free.out).toContain("return box.«middle»;");
    const { out, err, exitCode } = await run(["fill", "use.ts", "--at", "3:14", "--members", "--explain"]);
    expect(out).toMatch(/return box\.«(right|left)»;/);
    expect(err).toContain("«middle»: Box has no such member; it has left, right");
    expect(exitCode).toBe(0);
  });

  test("leaves names of unknown types unchanged", async () => {
    write("use.ts", use.replace("box: Box", "box: any"));
    const { out } = await run(["fill", "use.ts", "--at", "3:14", "--members"]);
    expect(out).toContain("return box.«middle»;");
  });

  test("refuses a file without types", async () => {
    write("use.json", "[]");
    onTestFinished(() => rmSync(join(folder, "use.json")));
    const { err, exitCode } = await run(["fill", "use.json", "--at", "1:2", "--members"]);
    expect(err).toContain("--members is for TypeScript and JavaScript, and use.json is neither.");
    expect(exitCode).toBe(2);
  });
});

describe("a model on a server", () => {
  /**
   * A server with llama.cpp's protocol that answers these texts one after the other, until the
   * test ends.
   */
  async function serve(...answers: readonly string[]): Promise<ScriptedServer> {
    const left = [...answers];
    const frame = (content: string, stop: boolean) =>
      `data: ${JSON.stringify({ content, stop, stop_type: "eos" })}\n\n`;
    const server = await ScriptedServer.start(({ route }) =>
      route === "/infill"
        ? {
            headers: { "content-type": "text/event-stream" },
            chunks: [frame(left.shift() ?? "", false), frame("", true)],
          }
        : { headers: { "content-type": "application/json" }, chunks: ["{}"] },
    );
    onTestFinished(() => server[Symbol.asyncDispose]());
    return server;
  }

  test("is requested again after an unknown member", async () => {
    write("tsconfig.json", "{}");
    onTestFinished(() => rmSync(join(folder, "tsconfig.json")));
    write("b.ts", "export function width(box: { right: number; left: number }): number {\n  return ;\n}\n");
    const server = await serve("box.right - box.middle", "left");
    const model = `llamacpp:${server.url}`;
    const { out, err } = await run(["fill", "b.ts", "--at", "2:10", "--members", "--explain", "--model", model]);
    expect(out).toContain("return «box.right - box.left»;");
    expect(err).toContain("after «box.right - box.»: «middle»: { right: number; left: number; } has no such member");
  });

  test("is requested to continue from the accepted beginning", async () => {
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
      /2:10 as the model wrote it; 3 requests, 1 refused\.\n {2}request 1 after «box\.right - »: «\)\(»: /,
    );
    expect(exitCode).toBe(0);
    const requests = server.seen.filter(({ route }) => route === "/infill").map(({ body }) => body);
    expect(requests.map(({ prompt, input_prefix: prefix }) => `${prefix}${prompt}`.endsWith("box.right - "))).toEqual([
      false,
      true,
      true,
    ]);
  });

  test("gets no private key", async () => {
    const server = await serve("1");
    write(
      "b.ts",
      `const key = \`-----BEGIN RSA PRIVATE KEY-----\n${"MIIEpAIBAAKCAQEAx3b0cK1v".repeat(3)}\n\`;\nf();\n`,
    );
    const answer = await run(["fill", "b.ts", "--at", "4:3", "--model", `llamacpp:${server.url}`]);
    expect(answer).toMatchObject({ exitCode: 5, err: expect.stringContaining("may hold secrets") });
    expect(server.seen.filter(({ route }) => route === "/infill")).toEqual([]);
  });

  test("that is unreachable is reported", async () => {
    const server = await ScriptedServer.start(() => "break");
    await server[Symbol.asyncDispose]();
    const answer = await run(["fill", "b.ts", "--at", "2:10", "--model", `llamacpp:${server.url}`]);
    expect(answer).toMatchObject({ exitCode: 1, out: "" });
  });
});

describe("row 29: a filling is the model's own text, or there is none", () => {
  /** Files beside the one with the hole, and nothing else. */
  const files = (texts: Readonly<Record<string, string>>) => {
    for (const name of readdirSync(folder)) if (!name.startsWith(".")) rmSync(join(folder, name), { recursive: true });
    for (const [name, text] of Object.entries(texts)) write(name, text);
    onTestFinished(() => {
      for (const name of Object.keys(texts)) rmSync(join(folder, name));
    });
  };

  test.each<[string, Readonly<Record<string, string>>, readonly string[]]>([
    ["an object of JSON in a script", { "a.json": '{"file_path":"u.ts"}\n', "b.ts": "a();\n" }, ["b.ts", "1:1"]],
    ["an object of JSON in Python", { "a.json": '{"name":: "x"}\n', "b.py": "a()\n" }, ["b.py", "1:1"]],
    ["a list of JSON in a script", { "a.json": '["one" "two"]\n', "b.js": "a();\n" }, ["b.js", "1:1"]],
  ])("%s is refused with the reason", async (_, texts, [file, at]) => {
    files(texts);
    const answer = await run(["fill", file!, "--at", at!]);
    expect(answer).toMatchObject({ exitCode: 10, out: "" });
    expect(answer.err).toMatch(
      /The grammar refuses the model.s text at .* at every attempt: (after «.+»|at its start) it continues with «/,
    );
  });

  test.each([
    ["the likeliest text ends before it repeats itself", { "d.py": "x = \n" }, ["d.py", "1:5"], "x = «x»\n"],
    [
      "what fits is filled in as before",
      { "a.ts": "f(one);\n", "b.ts": "f();\n\nf(one);\n" },
      ["b.ts", "1:3"],
      "f(«one»);\n\nf(one);\n",
    ],
  ])("%s", async (_, texts, [file, at], out) => {
    files(texts);
    expect(await run(["fill", file!, "--at", at!])).toMatchObject({ exitCode: 0, out });
  });
});

describe("row 29: the likeliest filling that the grammar allows, by a server that lists its tokens", () => {
  /** What the model lists behind each beginning of the filling, by its tokens; `$` is the end. */
  type Listed = Readonly<Record<string, Readonly<Record<string, number>>>>;

  /** A server of llama.cpp whose model first writes `own`, and lists the given tokens. */
  async function serve(before: string, own: string, listed: Listed): Promise<ScriptedServer> {
    const server = await ScriptedServer.start(({ route, body }) => {
      if (route === "/props")
        return { chunks: [JSON.stringify({ default_generation_settings: { n_ctx: 16_384 }, build_info: "b5000" })] };
      const soFar = `${body.input_prefix}${body.prompt}`.split(before).at(-1)!;
      if (body.stream === true) return { chunks: [frame(soFar === "" ? own : "", false), frame("", true)] };
      const top = Object.entries(listed[soFar] ?? {}).map(([token, probability]) =>
        token === "$"
          ? { token: "", bytes: [], logprob: Math.log(probability) }
          : { token, bytes: [...Buffer.from(token)], logprob: Math.log(probability) },
      );
      return {
        chunks: [JSON.stringify({ content: "", stop: true, completion_probabilities: [{ top_logprobs: top }] })],
      };
    });
    onTestFinished(() => server[Symbol.asyncDispose]());
    return server;
  }
  const frame = (content: string, stop: boolean) => `data: ${JSON.stringify({ content, stop, stop_type: "eos" })}\n\n`;

  test.each<[name: string, own: string, listed: Listed, expected: string]>([
    [
      "by the mean of its tokens",
      "1 2",
      {
        "": { "1": 0.6, "7": 0.3, "x(": 0.1 },
        "1": { " 2": 0.9, $: 0.05 },
        "1 ": { "2": 0.9 },
        "7": { " +": 0.5, $: 0.3 },
        "7 +": { " 8": 0.9 },
        "7 + 8": { $: 0.9 },
      },
      "f(«7 + 8»);",
    ],
    [
      "of a first token that is not among eight",
      "]",
      { "": { ...many("]", 15), ab: 0.01 }, ab: { $: 0.9 } },
      "f(«ab»);",
    ],
    [
      "with no comment in place of a name",
      "]",
      { "": { "/* a */": 0.9, b: 0.05 }, "/* a */": { $: 1 }, b: { $: 1 } },
      "f(«b»);",
    ],
    ["empty where the end is the likeliest", "]", { "": { $: 0.9, a: 0.1 }, a: { $: 0.9 } }, "f(«»);"],
    ["not empty where it is not", "]", { "": { "]": 0.5, $: 0.3, a: 0.2 }, a: { $: 0.9 } }, "f(«a»);"],
  ])("%s", async (_, own, listed, expected) => {
    write("b.ts", "f();\n");
    const server = await serve("f(", own, listed);
    const { exitCode, out, err } = await run(["fill", "b.ts", "--at", "1:3", "--model", `llamacpp:${server.url}`]);
    expect(out).toBe(`${expected}\n`);
    expect(err).toMatch(
      expected.includes("«»") ? /the model wrote nothing/ : /the likeliest text of the model that fits/,
    );
    expect(exitCode).toBe(0);
  });

  test.each<[name: string, listed: Listed]>([
    ["each is continued by a refused token", { "": { "{": 0.9 }, "{": { "]": 0.9, "}": 0.1 } }],
    ["none is allowed", { "": { "]": 0.9, "}": 0.1 } }],
  ])("none, where %s", async (_, listed) => {
    write("b.ts", "f();\n");
    const server = await serve("f(", "]", listed);
    const { exitCode, err } = await run(["fill", "b.ts", "--at", "1:3", "--model", `llamacpp:${server.url}`]);
    expect(exitCode).toBe(10);
    expect(err).toMatch(/The grammar refuses the model's text at .* at every attempt/);
  });

  test("does not search where the model's own text fits", async () => {
    write("b.ts", "f();\n");
    const server = await serve("f(", "own", { "": { other: 0.9 }, other: { $: 1 } });
    const { out, err } = await run(["fill", "b.ts", "--at", "1:3", "--model", `llamacpp:${server.url}`]);
    expect(out).toBe("f(«own»);\n");
    expect(err).toContain("as the model wrote it; 1 request, nothing was refused");
  });

  /** As many tokens that begin with `text`, likelier than what follows them. */
  function many(text: string, count: number): Readonly<Record<string, number>> {
    return Object.fromEntries(Array.from({ length: count }, (_, index) => [text.repeat(index + 1), 0.05]));
  }
});

test("emend fill fills a file of a custom grammar", async () => {
  write("sums.grammar", 'grammar sums\ntoken Number = /[0-9]+/\ntrivia Space = /[ \\n]+/\nSum = Number % "+"\n');
  write("a.sum", "1 + \n");
  const { exitCode, out } = await run(["fill", "a.sum", "--at", "1:5", "--grammar", "sums.grammar"]);
  expect(exitCode).toBe(0);
  expect(out).toMatch(/^1 \+ «[\d+ \n]+»\n$/);
});

describe("failures of fill", () => {
  test.each([
    ["f(1 2, ‸);", [], 10, "dead-prefix"],
    ["f(‸);\n'abc", [], 10, "dead-suffix"],
    ["f(‸);", ["--max-tokens", "0"], 2, "usage"],
    ["f(‸);", ["--holes", "1:3"], 2, "bad-place"],
    ["f(‸);", ["--holes", "7:1"], 4, "outside-text"],
    ["f(‸);", ["--model", "unknown:x"], 2, "usage"],
    ["f(‸);", ["--grammar", "json.bin"], 3, "file-missing"],
  ])("%s %j", async (marked, more, exitCode, code) => {
    write("d.ts", `${marked.replace("‸", "")}\n`);
    const answer = await run(["fill", "d.ts", "--at", `1:${marked.indexOf("‸") + 1}`, "--json", ...more]);
    expect({ ...answer, out: JSON.parse(answer.out) }).toMatchObject({ exitCode, out: { kind: "error", code } });
  });

  test("emend fill requires a place", async () => {
    expect(await run(["fill", "b.ts"])).toMatchObject({ exitCode: 2, err: expect.stringContaining("--at") });
  });
});
