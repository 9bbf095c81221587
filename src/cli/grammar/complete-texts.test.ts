import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { removeFolder } from "../../text/node/fixtures/remove-folder.ts";
import { buildPackage, type CliRun, runCli } from "../fixtures/run-cli.ts";
import { exitCodes } from "../terminal/exit-codes.ts";
import type { CheckReport } from "./check.ts";
import type { FillReport } from "./fill.ts";

const top = realpathSync(mkdtempSync(join(tmpdir(), "emend-complete-")));
const folder = join(top, "work");
mkdirSync(join(folder, ".git"), { recursive: true });
beforeAll(buildPackage, 300_000);
afterAll(() => removeFolder(top));

function run(...args: readonly string[]): Promise<CliRun> {
  const environment = { EMEND_STATE_DIR: join(top, "state"), XDG_CONFIG_HOME: join(top, "config") };
  return runCli(args, { folder, environment });
}

/** Runs `emend check`, again where a busy machine had no time to parse the file. */
async function check(...args: readonly string[]): Promise<CliRun> {
  for (let tries = 1; ; tries++) {
    const answer = await run("check", ...args);
    if (answer.exitCode !== exitCodes.notSource || tries === 4) return answer;
  }
}

/** Whether `emend check` accepts a text. */
async function isAccepted(path: string, text: string): Promise<boolean> {
  writeFileSync(join(folder, path), text);
  return (await check(path)).exitCode === exitCodes.done;
}

/** A file with the hole between `⟦` and `⟧`, and the option that names it. */
function holeIn(path: string, marked: string) {
  const [start, end] = [marked.indexOf("⟦"), marked.indexOf("⟧") - 1];
  const text = marked.replace("⟦", "").replace("⟧", "");
  writeFileSync(join(folder, path), text);
  const placeOf = (offset: number) => {
    const lines = text.slice(0, offset).split("\n");
    return `${lines.length}:${lines.at(-1)!.length + 1}`;
  };
  const at = start === end ? placeOf(start) : `${placeOf(start)}-${placeOf(end)}`;
  return {
    text,
    at,
    middle: text.slice(start, end),
    with: (filling: string) => text.slice(0, start) + filling + text.slice(end),
  };
}

/** Places whose fillings may merge with the text behind them. */
const places: readonly (readonly [path: string, marked: string])[] = [
  ["a.js", "x⟦⟧e/.y\n"],
  ["a.js", "x⟦\n/⟧e/.y\n"],
  ["a.js", "a++⟦⟧b/.c\n"],
  ["a.ts", "const a = b ⟦⟧> c;\n"],
  ["a.tsx", "const a = <b>⟦⟧/b>;\n"],
  ["a.py", "def f(a):\n    return a⟦⟧1\n"],
  ["a.json", '{"a": -⟦⟧e3}\n'],
  ["a.go", "package p\n\nvar a = b ⟦⟧& c\n"],
  ["a.rs", "fn f() {\n    let a = 1⟦⟧.0;\n}\n"],
  ["a.c", "int a = b⟦⟧- 1;\n"],
];

test.each(places)("row 39: what `check --at` calls complete, `check` accepts: %s, %j", async (path, marked) => {
  const hole = holeIn(path, marked);
  const { out, err, exitCode } = await check(path, "--at", hole.at, "--json");
  expect(err).toBe("");
  const { kind, ending } = JSON.parse(out) as CheckReport;
  const isWhole = await isAccepted(path, hole.text);
  expect([kind === "complete", exitCode === 0]).toEqual([isWhole, isWhole]);
  // An ending makes the text whole.
  expect(ending === undefined || (await isAccepted(path, hole.with(hole.middle + ending)))).toBe(true);
});

test.each(places.slice(1, 8))("row 39: what `fill` fills in, `check` accepts: %s, %j", async (path, marked) => {
  const hole = holeIn(path, marked);
  const { out, exitCode } = await run("fill", path, "--at", hole.at, "--json", "--no-cache", "--read-timeout", "60");
  // Where the model's texts are refused there is no filling, and the file stays.
  const report = JSON.parse(out) as Partial<FillReport>;
  expect(exitCode).toBe(report.kind === "filled" ? 0 : 10);
  expect(report.text === undefined || (await isAccepted(path, report.text))).toBe(true);
});
