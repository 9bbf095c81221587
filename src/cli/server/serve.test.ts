import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { InitializeResult, ProtocolConnection } from "vscode-languageserver/node";
import { requestGhostText } from "../../server/fixtures/request-ghost-text.ts";
import type { ExplainedOutcome, ServerStatus } from "../../server/index.ts";
import type { PageFileText } from "../../server/protocol/page-files.ts";
import { connectToPage, type ServedPage, startServe } from "../fixtures/page-client.ts";
import { buildPackage, type CliRun, runCli } from "../fixtures/run-cli.ts";
import { ServerWorkspace } from "../fixtures/server-workspace.ts";

let work: ServerWorkspace;
let page: string;
const started: ServedPage[] = [];

beforeAll(buildPackage, 300_000);
beforeEach(() => {
  work = new ServerWorkspace();
  page = join(work.root, "../page");
  mkdirSync(page);
  writeFileSync(join(page, "index.html"), "<!doctype html><title>Emend</title>\n");
});
afterEach(() => {
  for (const { child } of started.splice(0)) child.kill("SIGKILL");
  work[Symbol.dispose]();
});

async function start(
  args: readonly string[] = [],
  environment: Readonly<Record<string, string>> = {},
): Promise<ServedPage> {
  const options = { folder: work.root, environment: { ...work.environment, ...environment } };
  const served = await startServe(["--page", page, ...args], options);
  started.push(served);
  return served;
}

function run(...args: readonly string[]): Promise<CliRun> {
  return runCli(["serve", "--no-open", "--page", page, ...args], { folder: work.root, environment: work.environment });
}

/**
 * Shakes hands with the server of the page, which knows what it is about, and waits until the
 * workspace is learnt.
 */
async function openWorkspace(connection: ProtocolConnection): Promise<void> {
  await connection.sendRequest<InitializeResult>("initialize", {
    ...{ processId: null, rootUri: null, capabilities: {} },
    workspaceFolders: [{ uri: "file:///etc", name: "etc" }],
  });
  await connection.sendNotification("initialized", {});
  const sessions = async () => {
    const status = await connection.sendRequest<ServerStatus>("emend/status");
    return status.sessions.map(({ root, learning }) => `${learning.kind} ${root}`);
  };
  await expect.poll(sessions, { timeout: 30_000 }).toEqual([`learnt ${work.root}`]);
}

/** Opens a document, types into its last line but one, and answers what is offered there. */
async function typeInto(connection: ProtocolConnection, uri: string, text: string): Promise<readonly string[]> {
  await connection.sendNotification("textDocument/didOpen", {
    textDocument: { uri, languageId: "typescript", version: 1, text },
  });
  const lines = text.split("\n");
  const line = lines.length - 3;
  let { length: character } = lines[line]!;
  for (const [i, key] of [...work.typed].entries()) {
    const at = { line, character };
    await connection.sendNotification("textDocument/didChange", {
      textDocument: { uri, version: i + 2 },
      contentChanges: [{ range: { start: at, end: at }, text: key }],
    });
    character += key.length;
  }
  const items = await requestGhostText(connection, {
    textDocument: { uri },
    position: { line, character },
    context: { triggerKind: 2 },
  });
  return items.map(({ insertText }) => String(insertText));
}

describe("a served page", () => {
  test("prints its address, shows its workspace, and ends with Ctrl-C", async () => {
    const { url, child, out, err, ended } = await start(["--no-open"]);
    expect(out()).toBe(`${url}\n`);
    expect(await (await fetch(url)).text()).toContain("<title>Emend</title>");
    const workspace = await (await fetch(`${url}api/workspace`)).json();
    expect(workspace).toMatchObject({ root: work.root, rootUri: work.rootUri, name: "work space" });
    child.kill("SIGINT");
    expect(await ended).toBe(0);
    expect(err()).toBe(`Serving ${work.root} to this machine only. Stop with Ctrl-C.\n`);
    await expect(fetch(url)).rejects.toThrow();
  });

  test("serves the named folder, or the current workspace", async () => {
    mkdirSync(join(work.root, "src/deep"));
    for (const [folder, args, root] of [
      ["src/deep", [], work.root],
      [".", ["src"], join(work.root, "src")],
    ] as const) {
      const environment = work.environment;
      const served = await startServe(["--json", "--no-open", "--page", page, ...args], {
        ...{ folder: join(work.root, folder), environment },
      });
      started.push(served);
      expect(JSON.parse(served.out())).toEqual({ kind: "served", url: served.url, root });
      expect(served.out()).toMatch(/^.*\n$/);
    }
  });

  test.skipIf(process.platform === "win32").each([
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const)("%s ends it, with everything that it has open", async (name, exitCode) => {
    const { url, child, ended } = await start(["--no-open"]);
    const connection = await connectToPage(url);
    const closed = new Promise<void>((resolve) => connection.onClose(resolve));
    await openWorkspace(connection);
    const events = await fetch(`${url}api/changes`);
    child.kill(name);
    expect(await ended).toBe(exitCode);
    await closed;
    await expect(events.text()).rejects.toThrow();
  });

  test("gets ghost text over its socket, in two pages at once, and after a reload", async () => {
    const { url, child, err, ended } = await start(["--no-open"]);
    const rest = work.completed.slice(work.text.lastIndexOf("\n}\n") + work.typed.length).split("\n")[0]!;
    const [one, other] = [await connectToPage(url), await connectToPage(url)];
    for (const connection of [one, other]) {
      await openWorkspace(connection);
      expect(await typeInto(connection, work.fileUri, work.text)).toEqual([rest]);
    }
    one.dispose();
    const again = await connectToPage(url);
    await openWorkspace(again);
    expect(await typeInto(again, work.fileUri, work.text)).toEqual([rest]);
    child.kill("SIGINT");
    expect(await ended).toBe(0);
    expect(err()).toBe(`Serving ${work.root} to this machine only. Stop with Ctrl-C.\n`);
  });

  test("opens a file with secrets without completions", async () => {
    work.write(".env", `KEY=1\n${work.text}`);
    const { url } = await start(["--no-open"]);
    const { text } = (await (await fetch(`${url}api/file?path=.env`)).json()) as PageFileText;
    expect(text).toBe(`KEY=1\n${work.text}`);
    const connection = await connectToPage(url);
    await openWorkspace(connection);
    expect(await typeInto(connection, `${work.rootUri}/.env`, text)).toEqual([]);
    const { reason } = await connection.sendRequest<ExplainedOutcome & { reason?: { kind: string } }>("emend/explain");
    expect(reason?.kind).toBe("secret-file");
  });

  test("--model has precedence over the configuration", async () => {
    work.write("emend.config.json", '{ "model": "ollama:one" }');
    const { url } = await start(["--no-open", "--model", "builtin"]);
    const connection = await connectToPage(url);
    await openWorkspace(connection);
    expect(await typeInto(connection, work.fileUri, work.text)).toHaveLength(1);
    const { sessions } = await connection.sendRequest<ServerStatus>("emend/status");
    expect(sessions[0]?.models).toEqual(["builtin"]);
  });
});

describe.skipIf(process.platform !== "linux")("the browser", () => {
  /**
   * The environment of a person without a desktop whose browser is a program that does what a shell
   * script says.
   */
  function browser(script: string) {
    const path = join(work.root, "../browser");
    writeFileSync(path, `#!/bin/sh\n${script}\n`);
    chmodSync(path, 0o755);
    return { ...noDesktop, BROWSER: path };
  }
  const noDesktop = { DISPLAY: "", WAYLAND_DISPLAY: "", XDG_CURRENT_DESKTOP: "", DESKTOP_SESSION: "" };

  test("opens the page by a one-time address", async () => {
    const argumentsFile = join(work.root, "../arguments");
    const { url } = await start(
      [],
      browser(`printf '%s|' "$@" > "${argumentsFile}.part" && mv "${argumentsFile}.part" "${argumentsFile}"`),
    );
    await expect.poll(() => existsSync(argumentsFile), { timeout: 30_000 }).toBe(true);
    const [given, ...others] = readFileSync(argumentsFile, "utf8").split("|");
    expect(others).toEqual([""]);
    expect(given).not.toContain(new URL(url).pathname.slice(1, -1));
    expect((await fetch(given!)).url).toBe(url);
    expect((await fetch(given!)).status).toBe(404);
  });

  test.each([
    ["ends with an error", "exit 1", "xdg-open ended with 3"],
    ["ends the program that opens it", "kill -9 $PPID", "xdg-open ended with a signal"],
  ])("that %s is reported in one line", async (_, script, why) => {
    const { url, err } = await start([], browser(script));
    await expect
      .poll(err, { timeout: 30_000 })
      .toContain(`The browser was not opened (${why}). Open the URL above yourself.\n`);
    expect((await fetch(url)).status).toBe(200);
  });

  test("that is missing is reported in one line", async () => {
    const missing = join(work.root, "none");
    const { url, err } = await start([], { ...noDesktop, BROWSER: missing, PATH: missing });
    await expect
      .poll(err, { timeout: 30_000 })
      .toMatch(/The browser was not opened \(xdg-open ended with \d+\)\. Open the URL above yourself\.\n/);
    expect((await fetch(url)).status).toBe(200);
  });
});

describe("an error of emend serve is one line", () => {
  test.each([
    [["none"], 3, "emend: There is no folder none. Check the path.\n"],
    [["src/a.ts"], 3, "emend: The workspace src/a.ts is not a folder. Give the folder that contains the sources.\n"],
    [["--port", "0"], 2, "Give a number from 1 to 65535."],
    [["--port", "many"], 2, "Give a number from 1 to 65535."],
    [["--page", "src"], 1, "Build the page with `npm run build`; packages from the registry contain it.\n"],
  ] as const)("%j", async (args, exitCode, message) => {
    const { exitCode: code, out, err } = await run(...args);
    expect(err).toContain(message);
    expect(err.trimEnd().split("\n")).toHaveLength(1);
    expect({ code, out }).toEqual({ code: exitCode, out: "" });
  });

  test("for a port in use", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = other.address() as { readonly port: number };
    const text = await run("--port", `${port}`);
    expect(text).toEqual({
      ...{ exitCode: 1, out: "" },
      err: `emend: Another program has port ${port} of 127.0.0.1. Give another with --port, or leave it out for a free one.\n`,
    });
    const json = await run("--json", "--port", `${port}`);
    expect(JSON.parse(json.out)).toMatchObject({ kind: "error", code: "port-taken", exitCode: 1 });
    other.close();
    await once(other, "close");
    const { url } = await start(["--no-open", "--port", `${port}`]);
    expect(new URL(url).port).toBe(`${port}`);
  });
});
