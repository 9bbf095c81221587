import { execFileSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { openSyntax } from "../../src/syntax/node/index.ts";
import { removeFolder } from "../../src/text/node/fixtures/remove-folder.ts";
import { realEdits } from "./real-edits.ts";

const folder = mkdtempSync(join(tmpdir(), "emend-edits-"));
const syntax = openSyntax();
afterAll(() => {
  removeFolder(folder);
  syntax[Symbol.dispose]();
});

function git(...args: readonly string[]): void {
  const who = ["-c", "user.name=Test", "-c", "user.email=test@example.com", "-c", "commit.gpgsign=false"];
  const env = { ...process.env, GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null" };
  execFileSync("git", [...who, ...args], { cwd: folder, env, stdio: "pipe" });
}

function commit(name: string, text: string): void {
  writeFileSync(join(folder, name), text);
  git("add", "--all");
  git("commit", "--quiet", "--message", name);
}

test("edits of one place in source files that parse", async () => {
  git("init", "--quiet");
  const lines = Array.from({ length: 9 }, (_, i) => `const name${i} = ${i};`);
  const text = (...changes: readonly (readonly [line: number, text: string])[]) =>
    [...changes.reduce((all, [line, made]) => all.with(line, made), lines), ""].join("\n");
  commit("a.ts", text());
  commit("notes.md", "one\n");
  commit("notes.md", "two\n");
  commit("a.ts", text([2, "const two = 2;"]));
  // In two places.
  commit("a.ts", text([2, "const two = 3;"], [7, "const seven = 7;"]));
  // Broken, and mended.
  commit("a.ts", text([2, "const two = ;"], [7, "const seven = 7;"]));
  commit("a.ts", text([2, "const two = 4;"], [7, "const seven = 7;"]));
  commit("a.ts", text([2, "const two = 4;"], [7, "const seven = 7;\nconst more = 8;"]));
  const edits = await realEdits(folder, { count: 9, seed: 1, syntax });
  const printed = edits.map(
    ({ path, splice: { start, end, lines: made } }) => `${path} [${start}, ${end}) ${made.join()}`,
  );
  expect(printed.sort()).toEqual(["a.ts [2, 3) const two = 2;", "a.ts [8, 8) const more = 8;"]);
  expect(await realEdits(folder, { count: 1, seed: 1, syntax })).toHaveLength(1);
  await expect(realEdits(join(folder, "none"), { count: 1, seed: 1, syntax })).rejects.toThrow("no git repository");
});
