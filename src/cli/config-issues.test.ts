import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { removeFolder } from "../text/node/fixtures/remove-folder.ts";
import { buildPackage, type CliRun, runCli } from "./fixtures/run-cli.ts";

const top = realpathSync(mkdtempSync(join(tmpdir(), "emend-config-issues-")));
const [work, wrong] = [join(top, "work"), join(top, "wrong")];

beforeAll(async () => {
  await buildPackage();
  for (const folder of [work, wrong]) {
    write(join(folder, "package.json"), "{}\n");
    write(join(folder, "a.ts"), "export const one = 1;\nexport const two = one;\n");
    write(join(folder, "none.diff"), "");
  }
  write(
    join(wrong, "emend.config.json"),
    '{\n  "models": {\n    "ollama:a": {\n      "template": "qwenn"\n    }\n  }\n}\n',
  );
}, 300_000);
afterAll(() => removeFolder(top));

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

function run(folder: string, args: readonly string[], variables: Readonly<Record<string, string>> = {}) {
  const environment = {
    ...{
      XDG_CONFIG_HOME: join(top, "config"),
      EMEND_STATE_DIR: join(top, "state"),
      EMEND_CACHE_DIR: join(top, "cache"),
    },
    ...variables,
  };
  return runCli(args, { folder, environment });
}

/** The commands that use the settings, and end without a server. */
const commands: readonly (readonly [args: string])[] = [
  ["complete a.ts:2:21"],
  ["complete a.ts:2:21 --model builtin"],
  ["next a.ts:1:8 --history none.diff"],
  ["edit a.ts -m x"],
  ["fill a.ts --at 2:20-2:23"],
  ["status"],
  ["config"],
  ["setup --yes --server http://127.0.0.1:1"],
];

/** How often all that a run printed contains a text, with quotes as they were before JSON. */
function count({ out, err }: CliRun, text: string): number {
  return `${out}${err}`.replaceAll('\\"', '"').split(text).length - 1;
}

describe.each(commands)("emend %s", (line) => {
  const args = line.split(" ");

  test.each(["", "--json"])("a model that no one serves is reported once: %s", async (json) => {
    const variables = args.includes("--model") ? { EMEND_NEXT_MODEL: "foo" } : { EMEND_MODEL: "foo" };
    const printed = await run(work, [...args, json].filter(Boolean), variables);
    expect(count(printed, "`foo` does not say who serves it"), `${printed.out}${printed.err}`).toBe(1);
    expect(count(printed, Object.keys(variables)[0]!)).toBeGreaterThan(0);
  });

  test.each(["", "--json"])("an unknown template is reported once, with its place: %s", async (json) => {
    const printed = await run(wrong, [...args, json].filter(Boolean));
    const place = '`models["ollama:a"].template` (emend.config.json:4) is "qwenn"; it may be "qwen", ';
    expect(count(printed, place), `${printed.out}${printed.err}`).toBe(1);
  });
});

test.each([
  ["complete a.ts:2:21"],
  ["next a.ts:1:8 --history none.diff"],
  ["edit a.ts -m x"],
  ["fill a.ts --at 2:20-2:23"],
])("emend %s --model foo is a usage error", async (line) => {
  const printed = await run(work, [...line.split(" "), "--model", "foo", "--json"]);
  expect(JSON.parse(printed.out)).toMatchObject({
    ...{ kind: "error", code: "usage", exitCode: 2 },
    message: expect.stringContaining("`foo` does not say who serves it"),
  });
  expect(printed.exitCode).toBe(2);
});

test.each([["config"], ["status"], ["learn"]])(
  "emend %s in a folder of a workspace is about the workspace",
  async (command) => {
    write(join(wrong, "src/deep/b.ts"), "export const three = 3;\n");
    const { out } = await run(join(wrong, "src/deep"), [command, "--json"]);
    expect(JSON.parse(out)).toMatchObject({ root: wrong });
  },
);
