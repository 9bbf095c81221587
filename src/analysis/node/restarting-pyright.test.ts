import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { removeFolder } from "../../text/node/fixtures/remove-folder.ts";
import { findPyright, type PyrightProgram } from "./pyright-program.ts";
import { PyrightService } from "./pyright-service.ts";
import { RestartingPyright } from "./restarting-pyright.ts";
import type { CheckerLimits } from "./watch-checker.ts";

/**
 * A scripted language server. A text that contains `EXIT` ends it with code 3 when the file is
 * checked, `DEFINITION` when definitions are looked up, `STALL` lets it work without an end,
 * `MEMORY` allocates until it is ended, and `OPEN` ends it as soon as the text is set; a text
 * imports another file by its name. Each line with `WRONG` is an error, and a definition is at the
 * first line of its own file.
 */
const scriptedPyright = `
const texts = new Map();
let buffer = Buffer.alloc(0);
const send = (message) => {
  const body = JSON.stringify({ jsonrpc: "2.0", ...message });
  process.stdout.write("Content-Length: " + Buffer.byteLength(body) + "\\r\\n\\r\\n" + body);
};
const read = (uri, seen = new Set()) => {
  const text = texts.get(uri) ?? "";
  if (seen.has(uri)) return;
  seen.add(uri);
  for (const [, name] of text.matchAll(/^import (\\w+)$/gm)) read(uri.replace(/\\w+\\.py$/, name + ".py"), seen);
  if (text.includes("EXIT")) process.exit(3);
  if (text.includes("STALL")) for (;;);
  if (text.includes("MEMORY")) for (const kept = []; ; ) kept.push(Buffer.alloc(2 ** 24, 1));
};
const take = ({ id, method, params }) => {
  const uri = params?.textDocument?.uri;
  if (method === "textDocument/didOpen" || method === "textDocument/didChange") {
    const text = params.textDocument.text ?? params.contentChanges[0].text;
    texts.set(uri, text);
    if (text.includes("OPEN")) process.exit(4);
  }
  if (method === "initialized") send({ method: "window/logMessage", params: { type: 3, message: "Found 3 source files" } });
  if (id === undefined || method === undefined) return;
  if (method === "initialize") return send({ id, result: { capabilities: {} } });
  if (ALWAYS) process.exit(5);
  read(uri);
  const at = (line) => ({ start: { line, character: 0 }, end: { line, character: 5 } });
  if (method === "textDocument/definition" && texts.get(uri).includes("DEFINITION")) process.exit(6);
  if (method === "textDocument/definition") return send({ id, result: [{ uri, range: at(0) }] });
  const lines = texts.get(uri).split("\\n");
  const items = lines.flatMap((line, index) => (line.includes("WRONG") ? [{ range: at(index), severity: 1, message: line }] : []));
  send({ id, result: { kind: "full", items } });
};
process.stdin.on("data", (piece) => {
  buffer = Buffer.concat([buffer, piece]);
  for (;;) {
    const end = buffer.indexOf("\\r\\n\\r\\n");
    if (end < 0) return;
    const length = Number(/Content-Length: (\\d+)/.exec(buffer.subarray(0, end).toString())[1]);
    if (buffer.length < end + 4 + length) return;
    const message = JSON.parse(buffer.subarray(end + 4, end + 4 + length).toString());
    buffer = buffer.subarray(end + 4 + length);
    take(message);
  }
});
`;

interface Opened {
  readonly root: string;
  readonly pyright: RestartingPyright;
  readonly opened: () => number;
}

async function open(
  program: (root: string) => PyrightProgram,
  limits: Partial<CheckerLimits> = { maxMemoryMb: 300, stallMs: 1_500 },
): Promise<Opened> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "emend-restarting-pyright-")));
  onTestFinished(() => removeFolder(root));
  let opened = 0;
  const pyright = await RestartingPyright.open({
    root,
    open: (request) => {
      opened += 1;
      return PyrightService.open({ root, program: program(root), limits }, request);
    },
  });
  onTestFinished(() => pyright.close());
  return { root, pyright, opened: () => opened };
}

function openScripted(isAlwaysBroken = false): Promise<Opened> {
  return open((root) => {
    const path = join(root, "scripted/server.cjs");
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, scriptedPyright.replace("ALWAYS", String(isAlwaysBroken)));
    return { command: process.execPath, args: [path], from: "path" };
  });
}

function textsIn(root: string, files: Readonly<Record<string, string>>): Map<string, string> {
  return new Map(Object.entries(files).map(([path, text]) => [join(root, path), text]));
}

function leftOutOf({ root, pyright }: Opened): readonly string[] {
  return Array.from(pyright.leftOut, ([path, excess]) => `${path.slice(root.length + 1)} ${excess}`);
}

const rest = { "one.py": "a = 1\n", "wrong.py": "WRONG\n" };

describe("row 16: RestartingPyright with a scripted language server", () => {
  const cases: readonly (readonly [
    what: string,
    files: Readonly<Record<string, string>>,
    leftOut: readonly string[],
    opened: number,
  ])[] = [
    ["leaves out a file on which the process ends", { "bad.py": "EXIT" }, ["bad.py ended"], 3],
    ["leaves out a file that takes too long", { "bad.py": "STALL" }, ["bad.py time"], 3],
    ["leaves out a file that needs too much memory", { "bad.py": "MEMORY" }, ["bad.py memory"], 3],
    ["leaves out a text that ends the process when it is set", { "bad.py": "OPEN" }, ["bad.py ended"], 3],
    [
      "leaves out an imported file, and not the file that imports it",
      { "user.py": "import bad\nWRONG", "bad.py": "EXIT" },
      ["bad.py ended"],
      3,
    ],
    ["leaves out two files", { "bad.py": "EXIT", "worse.py": "STALL" }, ["worse.py time", "bad.py ended"], 4],
  ];
  test.each(cases)("%s, and checks the rest", { timeout: 60_000 }, async (_, files, leftOut, opened) => {
    const one = await openScripted();
    const texts = textsIn(one.root, { ...rest, ...files });
    await one.pyright.setTexts(texts);
    const errors = await one.pyright.errors([...texts.keys()]);
    const wrong = [...texts].filter(([, text]) => text.includes("WRONG")).map(([path]) => path);
    expect(errors.map(({ path }) => path)).toEqual(wrong);
    expect(leftOutOf(one)).toEqual(leftOut);
    expect(one.opened()).toBe(opened);
  });

  test("finds no definitions in a file that is left out", async () => {
    const one = await openScripted();
    const [bad, good] = [join(one.root, "bad.py"), join(one.root, "one.py")];
    await one.pyright.setTexts(textsIn(one.root, { ...rest, "bad.py": "EXIT" }));
    expect(await one.pyright.definitions(bad, [0, 1])).toEqual([[], []]);
    expect(await one.pyright.definitions(good, [0])).toEqual([[{ path: good, position: { line: 0, column: 0 } }]]);
    expect(leftOutOf(one)).toEqual(["bad.py ended"]);
  });

  test("leaves out a file on which only a search for definitions ends the process", async () => {
    const one = await openScripted();
    const [bad, good] = [join(one.root, "bad.py"), join(one.root, "one.py")];
    await one.pyright.setTexts(textsIn(one.root, { ...rest, "bad.py": "DEFINITION\nWRONG" }));
    expect(await one.pyright.definitions(bad, [0])).toEqual([[]]);
    expect(await one.pyright.definitions(good, [0])).toHaveLength(1);
    expect(leftOutOf(one)).toEqual(["bad.py ended"]);
    expect(await one.pyright.errors([bad])).toEqual([]);
  });

  test("reads a file that is left out again once another text is set", async () => {
    const one = await openScripted();
    const bad = join(one.root, "bad.py");
    await one.pyright.setTexts(new Map([[bad, "EXIT"]]));
    expect(await one.pyright.errors([bad])).toEqual([]);
    await one.pyright.setTexts(new Map([[bad, "EXIT"]]));
    expect(leftOutOf(one)).toEqual(["bad.py ended"]);
    await one.pyright.setTexts(new Map([[bad, "a = 1\nWRONG\n"]]));
    expect(leftOutOf(one)).toEqual([]);
    expect((await one.pyright.errors([bad])).map(({ message }) => message)).toEqual(["WRONG"]);
    // It was the only text, so that it was not tried a second time.
    expect(one.opened()).toBe(2);
  });

  test("blames no file when the process ends on any text", async () => {
    const one = await openScripted(true);
    const texts = textsIn(one.root, rest);
    await one.pyright.setTexts(texts);
    await expect(one.pyright.errors([...texts.keys()])).rejects.toThrow("Pyright ended by itself");
    await expect(one.pyright.errors([...texts.keys()])).rejects.toThrow("Pyright ended by itself");
    expect(leftOutOf(one)).toEqual([]);
    expect(one.opened()).toBe(2);
  });

  test("stops after six restarts", { timeout: 60_000 }, async () => {
    const one = await openScripted();
    const names = Array.from({ length: 8 }, (_, index) => [`bad${index}.py`, "EXIT"] as const);
    const texts = textsIn(one.root, Object.fromEntries(names));
    await one.pyright.setTexts(texts);
    await expect(one.pyright.errors([...texts.keys()])).rejects.toThrow("Pyright ended by itself");
    expect(one.opened()).toBe(7);
  });

  test("answers requests that run at the same time", { timeout: 60_000 }, async () => {
    const one = await openScripted();
    const texts = textsIn(one.root, { ...rest, "bad.py": "EXIT" });
    await one.pyright.setTexts(texts);
    const all = await Promise.all([...texts.keys()].map((path) => one.pyright.errors([path])));
    expect(all.flat().map(({ message }) => message)).toEqual(["WRONG"]);
    expect(leftOutOf(one)).toEqual(["bad.py ended"]);
  });

  test("rejects with the signal's reason", async () => {
    const one = await openScripted();
    const bad = join(one.root, "bad.py");
    await one.pyright.setTexts(new Map([[bad, "STALL"]]));
    const stop = new AbortController();
    const pending = one.pyright.errors([bad], { signal: stop.signal });
    stop.abort(new Error("enough"));
    await expect(pending).rejects.toThrow("enough");
  });
});

test("row 16: pyright reports no error in a file that imports names from one that is left out", {
  timeout: 180_000,
}, async () => {
  const one = await open((root) => {
    const server = findPyright({ root, searchPath: "" })!.args[0]!;
    const path = join(root, "scripted.cjs");
    writeFileSync(
      path,
      `let last = "";
process.stdin.on("data", (data) => {
  // A message may arrive in pieces.
  last = last.slice(-20) + data;
  if (last.includes("end-here")) process.exit(3);
});
require(${JSON.stringify(server)});
`,
    );
    return { command: process.execPath, args: [path, "--stdio"], from: "path" };
  }, {});
  const user = join(one.root, "user.py");
  const importing =
    "from bad import Some, some\nimport bad\n\nclass Other(Some): ...\n\nnumber: int = some(bad.third)\n";
  writeFileSync(join(one.root, "bad.py"), "a = 1\n");
  await one.pyright.setTexts(textsIn(one.root, { "user.py": importing, "bad.py": "# end-here\n" }));
  expect(await one.pyright.errors([user])).toEqual([]);
  expect(leftOutOf(one)).toEqual(["bad.py ended"]);
});
