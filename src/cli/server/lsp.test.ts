import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import {
  type ApplyWorkspaceEditParams,
  createProtocolConnection,
  type InitializeResult,
  IPCMessageReader,
  IPCMessageWriter,
  type MessageReader,
  type MessageWriter,
  type ProtocolConnection,
  SocketMessageReader,
  SocketMessageWriter,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageserver/node";
import { serveChat } from "../../model/node/fixtures/scripted-chat-server.ts";
import { requestGhostText } from "../../server/fixtures/request-ghost-text.ts";
import type { ServerStatus } from "../../server/index.ts";
import { buildPackage } from "../fixtures/run-cli.ts";
import { ServerWorkspace } from "../fixtures/server-workspace.ts";

let work: ServerWorkspace;
const children: ChildProcess[] = [];

beforeAll(buildPackage);
beforeEach(() => {
  work = new ServerWorkspace();
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  work[Symbol.dispose]();
});

function run(...args: readonly string[]) {
  const [node, main, lsp] = work.command;
  const child = spawn(node, [main!, lsp!, ...args], { env: work.environment, cwd: work.root, stdio: "pipe" });
  children.push(child);
  return child;
}

/** How a process ends, and what it has written to standard error by then. */
async function ending(child: ChildProcess): Promise<{ readonly exitCode: number | null; readonly err: string }> {
  let err = "";
  child.stderr?.setEncoding("utf8").on("data", (text) => {
    err += text;
  });
  const [exitCode] = await once(child, "close");
  return { exitCode, err };
}

function connect(reader: MessageReader, writer: MessageWriter): ProtocolConnection {
  const connection = createProtocolConnection(reader, writer);
  connection.listen();
  return connection;
}

/**
 * Shakes hands, waits until the workspace is learnt, types into the file, asks there, and takes
 * what is offered.
 */
async function completeThrough(connection: ProtocolConnection, more: object = {}): Promise<string> {
  await connection.sendRequest<InitializeResult>("initialize", {
    ...{ processId: process.pid, rootUri: null, capabilities: {} },
    workspaceFolders: [{ uri: work.rootUri, name: "work" }],
    ...more,
  });
  await connection.sendNotification("initialized", {});
  await expect
    .poll(async () => (await connection.sendRequest<ServerStatus>("emend/status")).sessions[0]?.learning.kind, {
      timeout: 30_000,
    })
    .toBe("learnt");
  const { text, typed } = work;
  const uri = work.fileUri;
  const document = { uri, languageId: "typescript", version: 1, text };
  await connection.sendNotification("textDocument/didOpen", { textDocument: document });
  const lines = text.split("\n");
  const line = lines.length - 3;
  let { length: character } = lines[line]!;
  for (const [i, key] of [...typed].entries()) {
    const at = { line, character };
    await connection.sendNotification("textDocument/didChange", {
      textDocument: { uri, version: i + 2 },
      contentChanges: [{ range: { start: at, end: at }, text: key }],
    });
    character += key.length;
  }
  const params = { textDocument: { uri }, position: { line, character }, context: { triggerKind: 2 } };
  const items = await requestGhostText(connection, params);
  await connection.sendRequest("workspace/executeCommand", items[0]!.command);
  lines[line] += typed + items[0]!.insertText;
  return lines.join("\n");
}

async function shutDown(connection: ProtocolConnection): Promise<void> {
  await connection.sendRequest("shutdown");
  await connection.sendNotification("exit");
}

describe("a client of VS Code's own pieces", () => {
  test("over standard input and output", async () => {
    const child = run("--stdio");
    const ended = ending(child);
    const connection = connect(new StreamMessageReader(child.stdout), new StreamMessageWriter(child.stdin));
    expect(await completeThrough(connection)).toBe(work.completed);
    await shutDown(connection);
    expect(await ended).toEqual({ exitCode: 0, err: "" });
  });

  test.each<readonly [client: string, initializationOptions: object, advice: () => string]>([
    ["any", {}, () => `run \`emend trust "${work.root}"\` in a terminal.`],
    ["with advice", { trustAdvice: "If you trust it, press F1." }, () => "press F1."],
  ])("names what trusts a workspace to a client: %s", async (_, initializationOptions, advice) => {
    work.write("emend.config.json", JSON.stringify({ next: { recordTo: "session.jsonl" } }));
    const child = run("--stdio");
    const connection = connect(new StreamMessageReader(child.stdout), new StreamMessageWriter(child.stdin));
    const shown: string[] = [];
    connection.onNotification("window/showMessage", ({ message }) => void shown.push(message));
    await completeThrough(connection, { initializationOptions });
    expect(shown).toEqual([expect.stringMatching(/^`next\.recordTo` \(emend\.config\.json:1\) is put aside: /)]);
    expect(shown[0]).toContain(` is not trusted. If you trust it, ${advice()}`);
    await shutDown(connection);
  });

  test("completes a cell with the code of the cells above", async () => {
    const child = run("--stdio");
    const connection = connect(new StreamMessageReader(child.stdout), new StreamMessageWriter(child.stdin));
    await connection.sendRequest<InitializeResult>("initialize", {
      ...{ processId: process.pid, rootUri: null },
      capabilities: { notebookDocument: { synchronization: {} } },
      workspaceFolders: [{ uri: work.rootUri, name: "work" }],
    });
    await connection.sendNotification("initialized", {});
    const notebook = `${work.rootUri}/orders.ipynb`;
    const cell = (name: string) => notebook.replace("file:", "vscode-notebook-cell:").concat(`#${name}`);
    const load = "def load_orders(path):\n    return read_table(path, header=True)\n";
    const cells = [
      { uri: cell("W1s"), text: load.repeat(6) },
      { uri: cell("W0s"), text: "def load_orders(path):\n    return read" },
    ].map((one) => ({ ...one, languageId: "python", version: 1 }));
    await connection.sendNotification("notebookDocument/didOpen", {
      notebookDocument: {
        ...{ uri: notebook, notebookType: "jupyter-notebook", version: 1 },
        cells: cells.map(({ uri }) => ({ kind: 2, document: uri })),
      },
      cellTextDocuments: cells,
    });
    const position = { line: 1, character: 15 };
    const params = { textDocument: { uri: cell("W0s") }, position, context: { triggerKind: 1 } };
    const [item] = await requestGhostText(connection, params);
    expect(item).toMatchObject({ insertText: "_table(path, header=True)", range: { start: position, end: position } });
    await shutDown(connection);
  });

  test("changes a document by an instruction", async () => {
    const answer = "@@ 2 return items\n  return items[0] ?? missing(items);\n@@ end\n";
    const server = await serveChat("openai", { deltas: [answer] });
    onTestFinished(() => server[Symbol.asyncDispose]());
    const child = run("--stdio", "--model", `openai-compatible:${server.url}#scripted`);
    const connection = connect(new StreamMessageReader(child.stdout), new StreamMessageWriter(child.stdin));
    const received: ApplyWorkspaceEditParams[] = [];
    connection.onRequest("workspace/applyEdit", (params: ApplyWorkspaceEditParams) => {
      received.push(params);
      return { applied: true };
    });
    await connection.sendRequest<InitializeResult>("initialize", {
      ...{ processId: process.pid, rootUri: null },
      capabilities: { workspace: { applyEdit: true, workspaceEdit: { documentChanges: true } } },
      workspaceFolders: [{ uri: work.rootUri, name: "work" }],
    });
    await connection.sendNotification("initialized", {});
    const textDocument = { uri: work.fileUri, languageId: "typescript", version: 7, text: work.text };
    await connection.sendNotification("textDocument/didOpen", { textDocument });
    const params = { command: "emend.edit", arguments: [{ instruction: "read it by index" }] };
    expect(await connection.sendRequest("workspace/executeCommand", params)).toMatchObject({
      ...{ kind: "offered", isApplied: true, root: work.root },
    });
    expect(received.map(({ edit }) => edit.documentChanges)).toMatchObject([
      [{ textDocument: { uri: work.fileUri, version: 7 } }],
    ]);
    await shutDown(connection);
  });

  test("over the channel of a forked process", async () => {
    const [, main, lsp] = work.command;
    const child = fork(main!, [lsp!, "--node-ipc", `--clientProcessId=${process.pid}`], {
      ...{ env: work.environment, cwd: work.root, silent: true },
    });
    children.push(child);
    const ended = ending(child);
    const connection = connect(new IPCMessageReader(child), new IPCMessageWriter(child));
    expect(await completeThrough(connection)).toBe(work.completed);
    await shutDown(connection);
    expect(await ended).toEqual({ exitCode: 0, err: "" });
  });

  test("over a socket", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as { readonly port: number };
    const ended = ending(run(`--socket=${port}`));
    const [socket] = (await once(server, "connection")) as [Socket];
    const connection = connect(new SocketMessageReader(socket), new SocketMessageWriter(socket));
    expect(await completeThrough(connection)).toBe(work.completed);
    await shutDown(connection);
    expect((await ended).exitCode).toBe(0);
    server.close();
  });
});

describe("the end of emend lsp", () => {
  test("follows a client's disconnect", async () => {
    const child = run("--stdio");
    const ended = ending(child);
    child.stdin.end();
    expect(await ended).toEqual({ exitCode: 1, err: expect.stringContaining("Editors start this command") });
  });

  test.skipIf(process.platform === "win32").each([
    ["SIGTERM", 143],
    ["SIGINT", 130],
  ] as const)("%s, which ends it with the exit code of the signal", async (name, code) => {
    const child = run("--stdio");
    const connection = connect(new StreamMessageReader(child.stdout), new StreamMessageWriter(child.stdin));
    await completeThrough(connection);
    child.kill(name);
    expect(await ending(child)).toEqual({ exitCode: code, err: "" });
  });

  test("after a shutdown and a signal has the usual exit code", async () => {
    const child = run("--stdio");
    const connection = connect(new StreamMessageReader(child.stdout), new StreamMessageWriter(child.stdin));
    await connection.sendRequest("initialize", { processId: null, rootUri: null, capabilities: {} });
    await connection.sendRequest("shutdown");
    child.kill("SIGTERM");
    expect((await ending(child)).exitCode).toBe(process.platform === "win32" ? null : 0);
  });

  test("follows the end of the client's process", async () => {
    const gone = spawn(process.execPath, ["-e", ""]);
    await once(gone, "close");
    const child = run("--stdio");
    const ended = ending(child);
    const connection = connect(new StreamMessageReader(child.stdout), new StreamMessageWriter(child.stdin));
    await connection.sendRequest("initialize", { processId: gone.pid, rootUri: null, capabilities: {} });
    expect((await ended).exitCode).toBe(1);
  });

  test("does not follow an invalid message", async () => {
    const child = run("--stdio");
    const ended = ending(child);
    const broken = '{"jsonrpc": "2.0", oh';
    child.stdin.write(`Content-Length: ${broken.length}\r\n\r\n${broken}`);
    const connection = connect(new StreamMessageReader(child.stdout), new StreamMessageWriter(child.stdin));
    expect(await completeThrough(connection)).toBe(work.completed);
    await shutDown(connection);
    expect((await ended).exitCode).toBe(0);
  });
});

describe("the command line of emend lsp", () => {
  test.each([
    [["--stdio", "--socket=1234"], "A server has a single channel to its editor."],
    [["--node-ipc"], "--node-ipc is for a process that Node has forked."],
    [["--socket=nonsense"], "Give a number from 1 to 65535."],
  ])("%j is refused", async (args, message) => {
    const { exitCode, err } = await ending(run(...args));
    expect(exitCode).toBe(2);
    expect(err).toContain(message);
  });

  test("--model has precedence over the configuration", async () => {
    work.write("emend.config.json", '{ "model": "ollama:one" }');
    const child = run("--stdio", "--model", "builtin");
    const connection = connect(new StreamMessageReader(child.stdout), new StreamMessageWriter(child.stdin));
    expect(await completeThrough(connection)).toBe(work.completed);
    const { sessions } = await connection.sendRequest<ServerStatus>("emend/status");
    expect(sessions[0]?.models).toEqual(["builtin"]);
  });

  test("--model twice: a missing model file is reported, and the next model completes", async () => {
    const child = run("--stdio", "--model", "gguf:/nowhere/tiny.gguf", "--model", "builtin");
    const connection = connect(new StreamMessageReader(child.stdout), new StreamMessageWriter(child.stdin));
    expect(await completeThrough(connection)).toBe(work.completed);
    const { sessions } = await connection.sendRequest<ServerStatus>("emend/status");
    expect(sessions[0]).toMatchObject({
      models: ["builtin"],
      issues: ["There is no model file /nowhere/tiny.gguf. Check the path behind `gguf:`."],
    });
  });
});
