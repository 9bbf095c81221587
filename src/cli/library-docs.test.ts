import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { removeFolder } from "../text/node/fixtures/remove-folder.ts";
import { buildPackage, repository } from "./fixtures/run-cli.ts";

const execute = promisify(execFile);

/**
 * The programs of a page, each with the heading above it and what the page documents that it
 * prints.
 */
function programsOf(page: string): readonly (readonly [heading: string, program: string, printed: string])[] {
  const text = readFileSync(join(repository, page), "utf8");
  const examples = /^## (.+)\n(?:(?!^## )[\s\S])*?```ts\n([\s\S]*?)```\n\n```text\n([\s\S]*?)```/gm;
  return [...text.matchAll(examples)].map(([, heading, program, printed]) => [heading!, program!, printed!]);
}

let folder: string;

beforeAll(async () => {
  await buildPackage();
  folder = realpathSync(mkdtempSync(join(tmpdir(), "emend-library-")));
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(repository, join(folder, "node_modules", "emend"), "dir");
  writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "module" }\n');
}, 180_000);
afterAll(() => removeFolder(folder));

describe("each program on the page about the library prints what it shows", () => {
  test.each(programsOf("docs/library.md"))("%s", async (heading, program, printed) => {
    const file = join(folder, `${heading.replaceAll(/\W+/g, "-")}.ts`);
    writeFileSync(file, program);
    const tsx = join(repository, "node_modules/tsx/dist/cli.mjs");
    const { stdout } = await execute(process.execPath, [tsx, file], { cwd: folder });
    expect(stdout.trimEnd()).toBe(printed.trimEnd());
  });
});

test("the table of package entries has a row for each entry of the package", () => {
  const { exports } = JSON.parse(readFileSync(join(repository, "package.json"), "utf8")) as {
    readonly exports: Readonly<Record<string, unknown>>;
  };
  const entries = Object.keys(exports).filter((entry) => !/json$/.test(entry));
  const table = readFileSync(join(repository, "docs/library.md"), "utf8").match(/^\| `emend.*$/gm) ?? [];
  const named = table.flatMap((row) => row.match(/`emend\/[^`]+`/g) ?? []).map((one) => one.slice(1, -1));
  expect(named.toSorted()).toEqual(entries.map((entry) => entry.replace(/^\./, "emend")).toSorted());
  expect(table.every((row) => /\| (stable|experimental) +\|$/.test(row))).toBe(true);
});
