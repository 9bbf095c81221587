import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { removeFolder } from "../text/node/fixtures/remove-folder.ts";
import { GitRepository } from "./fixtures/git-repository.ts";
import { buildPackage, runCli } from "./fixtures/run-cli.ts";

let top: string;
let workspace: string;

beforeAll(async () => {
  await buildPackage();
  top = realpathSync(mkdtempSync(join(tmpdir(), "emend-start-")));
  workspace = join(top, "workspace");
  mkdirSync(workspace);
  writeFileSync(join(workspace, "a.ts"), "const total = 1;\nconsole.log(tot);\n");
}, 180_000);
afterAll(() => removeFolder(top));

/** The packages that a command loads, and the layers of this one, such as `src/text`. */
async function packagesOf(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  folder: string = workspace,
) {
  const coverage = mkdtempSync(join(top, "coverage-"));
  const { exitCode, out, err } = await runCli(args, {
    folder,
    environment: {
      ...{ EMEND_CACHE_DIR: join(top, "cache"), XDG_CONFIG_HOME: join(top, "config") },
      ...{ NODE_V8_COVERAGE: coverage, ...environment },
    },
  });
  expect(exitCode, out + err).toBe(0);
  const loaded = readdirSync(coverage).flatMap((name) => {
    const { result } = JSON.parse(readFileSync(join(coverage, name), "utf8")) as { result: { url: string }[] };
    return result.map(
      ({ url }) =>
        /\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1] ??
        /\/dist(\/[^/]+)\//.exec(url)?.[1]?.replace("/", "src/"),
    );
  });
  return new Set(loaded.filter((name) => name !== undefined));
}

/** What takes longer to load than completing takes. */
const heavy = [
  ...["zod", "undici", "jiti", "@ai-sdk/provider", "vscode-languageserver", "bullmq", "ioredis"],
  ...["@vue/compiler-dom", "svelte"],
];
const heavyOf = (loaded: ReadonlySet<string>) => heavy.filter((name) => loaded.has(name));

test("completing with nothing configured loads no schema, no client of servers and no language server", async () => {
  const loaded = await packagesOf(["complete", "a.ts:2:16"]);
  expect(loaded).toContain("commander");
  expect(heavyOf(loaded)).toEqual([]);
});

// An index of a layer re-exports more than a command needs.
test("completing with nothing configured loads no layer that it does not use", async () => {
  const loaded = await packagesOf(["complete", "a.ts:2:16"]);
  expect(loaded).toContain("src/complete");
  const unused = ["src/answers", "src/formats", "src/edit", "src/plan", "chokidar", "enhanced-resolve"];
  expect(unused.filter((name) => loaded.has(name))).toEqual([]);
});

test("a next edit loads no schema, which recordings are read with", async () => {
  const repository = GitRepository.of({ "a.ts": "const total = 1;\nconsole.log(total);\n" });
  try {
    repository.write({ "a.ts": "const sum = 1;\nconsole.log(total);\n" });
    const loaded = await packagesOf(["next", "a.ts:2:16"], {}, repository.folder);
    expect(loaded).toContain("commander");
    expect(heavyOf(loaded)).toEqual([]);
  } finally {
    repository.remove();
  }
});

test("help and a plan in one repository load no module for Redis", async () => {
  for (const args of [["--help"], ["plan", "--help"], ["worker", "--help"], ["plan", "list", "--workspace", "."]])
    expect(heavyOf(await packagesOf(args))).toEqual([]);
});

test("the schema is loaded when something is configured", async () => {
  const loaded = await packagesOf(["complete", "a.ts:2:16"], { EMEND_COMPLETE_MAX_LINES: "3" });
  expect(heavyOf(loaded)).toEqual(["zod"]);
});
