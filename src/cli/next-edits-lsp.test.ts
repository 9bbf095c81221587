import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { createProtocolConnection, StreamMessageReader, StreamMessageWriter } from "vscode-languageserver/node";
import type { NextEditResult } from "../server/index.ts";
import { canRun, canTest, debianPackage } from "../text/node/fixtures/promised-tools.ts";
import { buildPackage } from "./fixtures/run-cli.ts";
import { ServerWorkspace } from "./fixtures/server-workspace.ts";

const price = `export function priceOf(count: number): number {
  return count * 3;
}

export function twice(count: number): number {
  return priceOf(count) + priceOf(count);
}

export const one = priceOf(1);
`;
const shop = 'import { priceOf } from "./price.ts";\n\nexport const bill = priceOf(7);\n';

let work: ServerWorkspace;
beforeAll(buildPackage);
beforeEach(() => {
  work = new ServerWorkspace();
  work.write("src/price.ts", price);
  work.write("src/shop.ts", shop);
});
afterEach(() => work[Symbol.dispose]());

test("the built server offers next edits over standard input and output, checked by TypeScript", async () => {
  const [node, ...args] = work.command;
  const child = spawn(node, args, { env: work.environment, cwd: work.root, stdio: "pipe" });
  const closed = once(child, "close");
  const connection = createProtocolConnection(
    new StreamMessageReader(child.stdout),
    new StreamMessageWriter(child.stdin),
  );
  connection.listen();
  try {
    await connection.sendRequest("initialize", {
      ...{ processId: process.pid, rootUri: null, capabilities: {} },
      workspaceFolders: [{ uri: work.rootUri, name: "work" }],
    });
    await connection.sendNotification("initialized", {});
    const uri = pathToFileURL(join(work.root, "src/price.ts")).href;
    await connection.sendNotification("textDocument/didOpen", {
      textDocument: { uri, languageId: "typescript", version: 1, text: price },
    });
    await connection.sendNotification("textDocument/didChange", {
      textDocument: { uri, version: 2 },
      contentChanges: [
        { range: { start: { line: 0, character: 16 }, end: { line: 0, character: 23 } }, text: "costOf" },
      ],
    });
    const params = { textDocument: { uri, version: 2 }, position: { line: 0, character: 22 } };
    const answer = await connection.sendRequest<NextEditResult>("emend/nextEdit", params);
    expect(answer).toMatchObject({
      ...{ kind: "offered" },
      suggestion: { origin: "name", range: { start: { line: 5, character: 9 } } },
    });
    const places = answer.kind === "offered" ? answer.suggestion.others : [];
    expect(places.map(({ textDocument }) => textDocument.uri)).toContain(
      pathToFileURL(join(work.root, "src/shop.ts")).href,
    );
    await connection.sendRequest("shutdown");
    await connection.sendNotification("exit");
    expect((await closed)[0]).toBe(0);
  } finally {
    child.kill("SIGKILL");
  }
}, 60_000);

const hasNeovim = canTest({
  name: "Neovim",
  isInstalled: canRun("nvim", "--version"),
  install: debianPackage("neovim"),
});

test.runIf(hasNeovim)(
  "a client of Copilot's protocol in Neovim accepts one next edit after the other",
  async () => {
    const script = fileURLToPath(new URL("./fixtures/next-edits-in-neovim.lua", import.meta.url));
    const given = {
      command: work.command,
      root: work.root,
      file: join(work.root, "src/price.ts"),
      from: "priceOf",
      to: "costOf",
    };
    const child = spawn("nvim", ["--headless", "-u", "NONE", "-c", `luafile ${script}`], {
      env: { ...work.environment, EMEND_TEST: JSON.stringify(given) },
      cwd: work.root,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let printed = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text) => {
        printed += text;
      });
    }
    await once(child, "close");
    const answer = /^ANSWER (.*)$/m.exec(printed)?.[1];
    expect(answer === undefined ? printed : JSON.parse(answer)).toEqual({
      taken: 2,
      text: price.replaceAll("priceOf", "costOf").trimEnd(),
    });
  },
  60_000,
);
