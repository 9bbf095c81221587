import { execFile } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { removeFolder } from "../text/node/fixtures/remove-folder.ts";
import type { CompleteReport } from "./complete/complete.ts";
import { buildPackage, repository } from "./fixtures/run-cli.ts";

const execute = promisify(execFile);

let top: string;
let folder: string;

beforeAll(async () => {
  await buildPackage();
  top = realpathSync(mkdtempSync(join(tmpdir(), "emend-pack-")));
  folder = join(top, "empty");
  mkdirSync(folder);
  // The build has just been made; packing must not make another one meanwhile.
  await run("npm", ["pack", "--ignore-scripts", "--silent", "--pack-destination", top], repository);
  const [tarball] = readdirSync(top).filter((name) => name.endsWith(".tgz"));
  writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
  await run("npm", ["install", "--silent", "--no-audit", "--no-fund", "--prefer-offline", join(top, tarball!)], folder);
}, 180_000);
afterAll(() => removeFolder(top));

async function run(
  program: string,
  args: readonly string[],
  cwd: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<string> {
  const shell = process.platform === "win32";
  const own = { EMEND_CACHE_DIR: join(top, "cache"), npm_config_update_notifier: "false" };
  const env = { ...process.env, ...own, ...environment };
  return (await execute(program, args, { cwd, shell, env })).stdout;
}

const emend = (...args: string[]) => run("npx", ["--no-install", "emend", ...args], folder);

test("the packed package prints its help", async () => {
  expect(await emend("--help")).toContain("complete [options] <FILE:LINE:COL>");
});

test("the packed package completes, with its own grammars", async () => {
  const body = "def first_item(items, missing):\n    if not items:\n        return missing\n    return items[0]\n\n\n";
  writeFileSync(join(folder, "shop.py"), `${body.repeat(6)}def first_item(items, mis\n`);
  const report = JSON.parse(
    await emend("complete", "shop.py:37:26", "--json", "--min-probability", "0"),
  ) as CompleteReport;
  expect(report).toMatchObject({ kind: "offered", file: "shop.py", language: "python" });
  expect(report.text).toMatch(/^sing/);
});

test("the packed package completes a line of its examples at the end of setup in an empty folder", async () => {
  const empty = join(top, "nothing");
  mkdirSync(empty);
  // Port 1 has no server, so that nothing is set up, and the exit code is 1.
  const [command, settings] = [join(folder, "node_modules/.bin/emend"), { XDG_CONFIG_HOME: join(top, "config") }];
  const printed = await run(
    command,
    ["setup", "--server", "http://127.0.0.1:1", "--yes", "--json"],
    empty,
    settings,
  ).catch(({ stdout }) => stdout as string);
  expect(JSON.parse(printed)).toMatchObject({ completion: { isExample: true, model: "builtin" } });
});

test("the packed package fills a hole, with its own grammar", async () => {
  writeFileSync(join(folder, "a.json"), '{"sizes": [1, ]}');
  expect(await emend("fill", "a.json", "--at", "1:15", "--no-cache")).toMatch(/^\{"sizes": \[1, «.+»\]\}\n$/);
  expect(await emend("grammar", "export", "python", "--to", "ebnf")).toContain("::=");
});

test("an outside project compiles against the package's types, also without skipLibCheck", async () => {
  const entries = Object.keys(
    (JSON.parse(readFileSync(join(repository, "package.json"), "utf8")) as { exports: Record<string, string> }).exports,
  );
  const rows = entries.map((entry, i) => `export * as room${i} from "emend${entry.slice(1)}";\n`);
  writeFileSync(join(folder, "use.mts"), rows.join(""));
  // web-tree-sitter's declarations need two names of others: `@types/emscripten` and the library of
  // browsers have them.
  const names = "interface EmscriptenModule {}\ndeclare namespace WebAssembly {\n  interface Module {}\n}\n";
  writeFileSync(join(folder, "names.d.ts"), names);
  const compilerOptions = {
    ...{ noEmit: true, strict: true, skipLibCheck: false, module: "NodeNext", target: "ES2023", lib: ["ES2023"] },
    ...{ types: ["node"], typeRoots: [join(repository, "node_modules/@types")] },
  };
  const config = { compilerOptions, files: ["use.mts", "names.d.ts"] };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
  const compiler = join(repository, "node_modules/typescript/bin/tsc");
  const errors = run(process.execPath, [compiler, "-p", folder], folder).catch(({ stdout }) => stdout as string);
  expect(await errors).toBe("");
});

test("the packed package has no tests and no sources but the example in it, and the tags of the help", async () => {
  const names = readdirSync(join(folder, "node_modules/emend"), { recursive: true, encoding: "utf8" });
  const others = names.filter((name) => !name.startsWith(join("examples", "shop")));
  expect(others.filter((name) => /\.test\.|(^|[^d])\.ts$|fixtures/.test(name) && !name.endsWith(".d.ts"))).toEqual([]);
  expect(names).toEqual(expect.arrayContaining(["package.json", "LICENSE", join("dist", "cli", "main.js")]));
  expect(names).toContain(join("editors", "neovim", "doc", "tags"));
});

test("npm install -g . in a clone that is not built fails with the command to run first", async () => {
  const clone = join(top, "clone");
  // A user has no settings of an outer npm.
  const settings = { npm_config_ignore_scripts: "false" };
  const install = () => run("npm", ["install", "-g", ".", "--prefix", join(top, "global")], clone, settings);
  for (const path of [".npmrc", "package.json", "scripts/check-built.mjs"]) {
    mkdirSync(dirname(join(clone, path)), { recursive: true });
    copyFileSync(join(repository, path), join(clone, path));
  }
  await expect(install()).rejects.toMatchObject({ stderr: expect.stringContaining("`npm install && npm run build`") });
  mkdirSync(join(clone, "dist/cli"), { recursive: true });
  writeFileSync(join(clone, "dist/cli/main.js"), "#!/usr/bin/env node\nconsole.log('started');\n");
  await install();
  expect(await run(join(top, "global/bin/emend"), [], folder)).toBe("started\n");
});

test("without bullmq and ioredis, which are optional, REDIS_URL gives the command that installs the tested versions", async () => {
  const { devDependencies } = JSON.parse(readFileSync(join(repository, "package.json"), "utf8")) as {
    readonly devDependencies: Readonly<Record<string, string>>;
  };
  const command = `npm install ${["bullmq", "ioredis"].map((name) => `${name}@${devDependencies[name]}`).join(" ")}`;
  const args = ["--no-install", "emend", "worker"];
  const worker = run("npx", args, folder, { REDIS_URL: "redis://127.0.0.1:1" });
  await expect(worker).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^emend: REDIS_URL: .*; ioredis is not installed\. Run `/),
  });
  await expect(worker).rejects.toMatchObject({ stderr: expect.stringContaining(command) });
});

test.each([
  "text",
  "syntax",
  "syntax/node",
  "answers",
  "model",
  "model/node",
  "grammar",
  "grammar/node",
  "workspace",
  "workspace/node",
  "names",
  "names/node",
  "analysis",
  "analysis/node",
  "plan",
  "plan/node",
  "config",
  "config/schema",
])("emend/%s can be imported", async (entry) => {
  const script = `import("emend/${entry}").then((room) => console.log(Object.keys(room).length > 0))`;
  expect(await run(process.execPath, ["--input-type=module", "-e", script], folder)).toBe("true\n");
});
