import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { removeFolder } from "../../text/node/fixtures/remove-folder.ts";
import type { CliRun } from "../fixtures/run-cli.ts";
import { runAtTerminal } from "../fixtures/test-terminal.ts";
import type { CheckReport } from "./check.ts";

let folder: string;

beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "emend-check-")));
  mkdirSync(join(folder, ".git"));
});
afterAll(() => removeFolder(folder));

function write(name: string, content: string | Uint8Array): void {
  writeFileSync(join(folder, name), content);
}

/** Runs a command line; the text in `[…]` is one argument. */
function run(line: string, input?: string): Promise<CliRun> {
  return runAtTerminal(line.split(" "), { workingFolder: folder, ...(input !== undefined && { input }) });
}

const sum = "const sum = (a, b) => a + ;\n";

describe("checking a whole file", () => {
  test.each([
    ["a.js", "const a = 1;\n", 0, "a.js: whole (javascript): The file is complete.\n"],
    ["a.py", "def f():\n    return 1\n", 0, "a.py: whole (python): The file is complete.\n"],
    ["a.json", '\uFEFF{"a": 1}', 0, "a.json: whole (json): The file is complete.\n"],
    [
      "b.json",
      '{"a": [1,',
      9,
      'b.json:1:10: unfinished (json): The file ends too early.\n  1 | {"a": [1,\n    |          ^\nShortest ending: «0]}»\n',
    ],
    [
      "c.json",
      '{\n  "ü": 1 2\n}',
      10,
      'c.json:2:10: refused (json): No text of the language begins like this.\n  2 |   "ü": 1 2\n    |          ^\nExpected here: ",", "}"\n',
    ],
  ])("%s %j", async (name, text, exitCode, out) => {
    write(name, text);
    expect(await run(`check ${name}`)).toEqual({ exitCode, out, err: "" });
  });

  test("prints one object as JSON", async () => {
    write("c.json", '{\n  "ü": 1 2\n}');
    const { out } = await run("check c.json --json");
    expect(JSON.parse(out) as CheckReport).toEqual({
      ...{ kind: "refused", file: "c.json", language: "json", grammar: "json", expected: ['","', '"}"'] },
      place: { in: "file", line: 2, column: 10 },
    });
  });
});

describe("row 14: deeply nested brackets", () => {
  test.each([
    ["open.js", `x = ${"[".repeat(3_000)}`, 9],
    ["open.tsx", `x = ${"([".repeat(1_000)}`, 9],
    ["open.json", "[".repeat(20_000), 9],
  ])("%s has an answer, and a reason where no ending was found", async (name, text, exitCode) => {
    write(name, text);
    const answer = await run(`check ${name} --json`);
    expect(answer.exitCode).toBe(exitCode);
    const report = JSON.parse(answer.out) as CheckReport;
    expect(report.kind).toBe("unfinished");
    expect(report.ending === undefined).toBe(report.noEnding === "too-slow");
    expect(report.noEnding).toBe("too-slow");
  });
});

describe("checking a middle", () => {
  test.each([
    ["b", 0, "a.js: complete"],
    ["(b", 9, "a.js: completable"],
    ["b; }", 10, "middle:1:4: dead"],
    ["b\n  + 1\n  ) c", 10, "middle:3:3: dead"],
  ])("from standard input: %j", async (middle, exitCode, start) => {
    write("a.js", sum);
    const answer = await run("check a.js - --at 1:27", middle);
    expect(answer).toMatchObject({ exitCode, err: "" });
    expect(answer.out).toMatch(new RegExp(`^${start} \\(javascript\\)`));
  });

  test("in the file is checked at its range", async () => {
    write("a.js", "f(a, b);\n");
    expect(await run("check a.js --at 1:3-1:7")).toMatchObject({ exitCode: 0 });
    write("a.js", "f(a, );\n= 1;\n");
    expect((await run("check a.js --at 1:3-2:1")).out).toMatch(/^a\.js: completable.*\n.*«.+»\n$/);
    write("a.js", "f(a b);\n");
    expect((await run("check a.js --at 1:3-1:6")).out).toMatch(/^a\.js:1:5: dead/);
  });

  test.each([
    ["[1 2, ‸]", "a.json:1:4: dead-prefix"],
    ["[1, ‸, 2 3]", "a.json:1:9: dead-suffix"],
    ['{"a": ‸]', "a.json:1:7: no-filling"],
  ])("in broken text is reported: %s", async (marked, start) => {
    write("a.json", marked.replace("‸", ""));
    const { exitCode, out } = await run(`check a.json --at 1:${marked.indexOf("‸") + 1}`);
    expect(exitCode).toBe(10);
    expect(out.slice(0, start.length)).toBe(start);
  });
});

describe("failures of check", () => {
  test.each([
    ["check a.js -", 2, "usage"],
    ["check a.js x --at 1:1", 2, "usage"],
    ["check a.js --at 1", 2, "bad-place"],
    ["check a.js --at 0:1", 2, "bad-place"],
    ["check a.js --at 1:3-1:2", 2, "bad-place"],
    ["check a.js --at 9:1", 4, "outside-text"],
    ["check missing.js", 3, "file-missing"],
    ["check a.txt", 2, "no-grammar"],
    ["check a.txt --grammar missing.grammar", 3, "file-missing"],
    ["check a.txt --grammar a.txt", 2, "grammar-notation"],
    ["check latin.js", 5, "not-utf-8"],
  ])("%s", async (line, exitCode, code) => {
    write("a.js", sum);
    write("a.txt", "a");
    write("latin.js", Uint8Array.of(0x61, 0xe9, 0x0a));
    const { out, ...answer } = await run(`${line} --json`);
    expect(answer).toEqual({ exitCode, err: "" });
    expect(JSON.parse(out)).toMatchObject({ kind: "error", code, exitCode });
  });

  test("emend check refuses a middle that is not UTF-8", async () => {
    write("a.js", sum);
    const input = Uint8Array.of(0xff);
    const answer = await runAtTerminal(["check", "a.js", "-", "--at", "1:27"], { workingFolder: folder, input });
    expect(answer.exitCode).toBe(5);
  });
});
