import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { serveChat } from "../model/node/fixtures/scripted-chat-server.ts";
import { DocsPage, wordsOf } from "./fixtures/docs-page.ts";
import { Shop } from "./fixtures/plan-shop.ts";
import { buildPackage, type CliRun, repository, runCli } from "./fixtures/run-cli.ts";
import { runAtTerminal } from "./fixtures/test-terminal.ts";
import { Interruption } from "./terminal/interruption.ts";

/** Pages whose commands have tests of their own, which know what they print. */
const testedApart = ["impact.md", "plan.md"];

const pages = readdirSync(join(repository, "docs")).filter(
  (name) => name.endsWith(".md") && !testedApart.includes(name),
);

const commands = ["README.md", ...pages.map((name) => `docs/${name}`)].flatMap((path) =>
  new DocsPage(path).commands.map((line) => [path, line] as const),
);

/**
 * Programs of others, which the pages say how to start; our own scripts, which run everything; and
 * what wants a clipboard.
 */
const elsewhere = /^(ollama|llama-server|lms|export|npm (install|test)|mkdir|ln|code|git clone|vllm)\b|--copy/;

/** Exit codes of commands that work, also of those that have nothing to propose or leave work. */
const workingCodes = [0, 8, 9, 10, 11, 12];

/** What goes on until it is stopped. */
const lasting = /emend (serve|worker|record)|--watch/;

const sum = "export function sum(a: number, b: number): number {\n  return a + b;\n}\n";
const remarks = "// A line that says a little more than nothing.\n";
const long = `${remarks.repeat(11)}${sum}${remarks.repeat(50)}`;

const [here, there] = ["  return a + b;", "  return b + a;"];
const answerOf = (path: string, from = here, to = there) =>
  `${path}\n<<<<<<< SEARCH\n${from}\n=======\n${to}\n>>>>>>> REPLACE\n`;
const answer = answerOf("src/a.ts");
/** The answer of a model that is requested for regions alone. */
const region = "```ts\n// Another line.\n```\n";

/** A session in which a function was renamed. */
const recording = JSON.stringify({
  format: "emend-edits",
  version: 1,
  events: [
    { atMs: 0, kind: "opened", path: "src/b.ts", language: "typescript", text: sum },
    { atMs: 900, kind: "changed", path: "src/b.ts", version: 1, edits: [[16, 19, "add"]] },
  ],
});

/**
 * A repository with all files that the pages speak of, on a branch, with a change that is not
 * committed.
 */
function workspaceOfPages(): Shop {
  const work = new Shop({
    ...{ "src/a.ts": long, "src/b.ts": sum, "src/main.ts": long, "src/price.ts": long, "unsaved.ts": long },
    "examples/shop/sum.ts": sum,
    ...{
      "answer.md": answer,
      "back.md": answerOf("src/a.ts", there, here),
      "my.grammar": 'grammar mine\n\nStart = "a"* "b"\n',
    },
  });
  work.git("checkout", "--quiet", "-b", "feature");
  work.write({ "src/b.ts": sum.replaceAll("sum", "add"), "repos.txt": `${work.folder}\n` });
  return work;
}

/** What a person has done before such a command makes sense. */
function prepare(line: string, work: Shop): readonly (readonly string[])[] {
  const replayed = /emend replay (\S+)/.exec(line)?.[1];
  if (replayed !== undefined) work.write({ [replayed]: recording });
  if (/emend plan continue/.test(line)) return [["plan", "--dry-run"]];
  const count = /emend undo/.test(line) ? Number(/--(?:steps|id) (\d+)/.exec(line)?.[1] ?? 1) : 0;
  return Array.from({ length: count }, (_, index) => ["apply", index % 2 === 0 ? "answer.md" : "back.md", "--yes"]);
}

/**
 * Runs a line of a page as a shell would. Who is named as a model is a scripted server, or the
 * built-in one where ghost text is requested.
 */
async function run(line: string, work: Shop): Promise<CliRun> {
  const server = await serveChat("openai", {
    deltas: [line.includes("--at") ? region : answerOf(/src\/\w+\.ts/.exec(line)?.[0] ?? "src/a.ts")],
  });
  onTestFinished(() => server[Symbol.asyncDispose]());
  const scripted = `openai-compatible:${server.url}#scripted`;
  const model = /emend (complete|lsp|serve|fill)/.test(line) ? "builtin" : scripted;
  const [command, file] = line.replace(/ > \S+$/, "").split(" < ");
  const step = command!.split(" | ").at(-1)!.replace(/^npx /, "").replace("FILE:LINE:COL", "src/a.ts:12:8");
  const [, ...args] = wordsOf(step).map((word) =>
    word
      .replace(/^(ollama|llamacpp|lmstudio|openai-compatible|mistral|anthropic):.*$/, model)
      // What these programs find is theirs.
      .replace(/^npx tsc .*$/, "exit:true"),
  );
  const environment = { ...work.environment, EMEND_EDIT_MODEL: scripted };
  // No browser is opened while tests run.
  if (args[0] === "serve") args.push("--no-open");
  if (args[0] === "lsp") return runCli(args, { folder: work.folder, environment, input: "" });
  const stopping = new AbortController();
  return runAtTerminal(args, {
    ...{ workingFolder: work.folder, environment, signal: stopping.signal },
    input: file === undefined ? answer : work.read(file),
    ...(lasting.test(line) && { onPrint: () => stopping.abort(new Interruption("SIGINT")) }),
  });
}

beforeAll(buildPackage, 180_000);

describe("each command of the documentation runs", () => {
  const runnable = commands.filter(([, line]) => !elsewhere.test(line) && !line.startsWith("npm run "));
  test.each(runnable)("%s: %s", async (_, line) => {
    const work = workspaceOfPages();
    for (const args of prepare(line, work)) await work.run(args);
    const { exitCode, err } = await run(line, work);
    // A language server exits with 1 where its editor ends without `shutdown`.
    const codes = lasting.test(line) ? [0, 130] : line.includes("emend lsp") ? [1] : workingCodes;
    expect(codes, err).toContain(exitCode);
  });
});

describe("each script of the documentation exists", () => {
  const { scripts } = JSON.parse(readFileSync(join(repository, "package.json"), "utf8"));
  test.each(commands.filter(([, line]) => line.includes("npm run ")))("%s: %s", (_, line) => {
    expect(Object.keys(scripts)).toContain(/npm run ([\w:-]+)/.exec(line)![1]);
  });
});
