import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { ScriptedServer } from "../model/node/fixtures/scripted-server.ts";
import { modelAnswering, TestClient } from "../server/fixtures/test-client.ts";
import type { ServerStatus } from "../server/index.ts";
import { removeFolder } from "../text/node/fixtures/remove-folder.ts";
import { disk, toPortablePath } from "../workspace/node/index.ts";
import type { CliRun } from "./fixtures/run-cli.ts";
import { runAtTerminal } from "./fixtures/test-terminal.ts";

let top: string;
let work: string;
let server: ScriptedServer;

beforeEach(async () => {
  top = realpathSync(mkdtempSync(join(tmpdir(), "emend-untrusted-")));
  work = join(top, "work");
  mkdirSync(join(work, ".git"), { recursive: true });
  vi.stubEnv("XDG_CONFIG_HOME", join(top, "config"));
  server = await ScriptedServer.start(() => ({ status: 404, chunks: ["{}"] }));
  write("work/src/a.ts", "export const one = 1;\nexport const two = one;\n");
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await server[Symbol.asyncDispose]();
  removeFolder(top);
});

function write(path: string, text: string): void {
  mkdirSync(dirname(join(top, path)), { recursive: true });
  writeFileSync(join(top, path), text);
}

/** Settings that name a model on this machine for everything. */
const named = (name: string) => ({ model: [name, "builtin"], next: { model: name }, edit: { model: name } });

function run(...args: readonly string[]): Promise<CliRun> {
  const environment = { EMEND_STATE_DIR: join(top, "state"), EMEND_CACHE_DIR: join(top, "cache") };
  return runAtTerminal(args, { workingFolder: work, environment });
}

const ownFile = () => toPortablePath(join(top, "config/emend/emend.config.json"));

const commands: readonly (readonly [name: string, args: readonly string[]])[] = [
  ["complete", ["complete", "src/a.ts:1:8"]],
  ["edit", ["edit", "src/a.ts", "-m", "x"]],
  ["fill", ["fill", "src/a.ts", "--at", "1:8"]],
  ["next", ["next", "src/a.ts:1:8", "--history", "none.diff"]],
  ["status", ["status"]],
];

describe("row 2: without trust no command requests a workspace's models, and each reports this once", () => {
  test.each(commands)("%s", async (_, args) => {
    write("work/none.diff", "");
    write("work/emend.config.json", JSON.stringify(named(`llamacpp:${server.url}`)));
    const { out, err } = await run(...args);
    expect(server.connections).toBe(0);
    const notices = `${out}${err}`.match(/are put aside: of the models of a workspace that is not trusted/g);
    expect(notices).toHaveLength(1);
    expect(out + err).toContain("If you trust it, use --trust, or run `emend trust ");
    expect(out + err).toContain(`Or put the same lines into your own file, ${ownFile()}.`);
  });

  test.each(commands.filter(([name]) => name !== "next"))(
    "%s asks them where they stand in the person's own file, or with --trust",
    async (_, args) => {
      write("config/emend/emend.config.json", JSON.stringify(named(`llamacpp:${server.url}`)));
      const { out, err } = await run(...args);
      expect(out + err).not.toContain("put aside");
      const { connections } = server;
      expect(connections).toBeGreaterThan(0);
      rmSync(ownFile());
      write("work/emend.config.json", JSON.stringify(named(`llamacpp:${server.url}`)));
      expect((await run(...args, "--trust")).err).not.toContain("put aside");
      expect(server.connections).toBeGreaterThan(connections);
    },
  );
});

describe("row 2: the language server", () => {
  test("requests no such model, reads no diff of git, and reports this once", async () => {
    write("work/emend.config.json", JSON.stringify(named("ollama:any")));
    const opened: string[] = [];
    const diffs: string[] = [];
    const shown: string[] = [];
    const client = await TestClient.start({
      host: {
        fileSystem: disk,
        readDiff: async (root) => {
          diffs.push(root);
          return "";
        },
        settings: {
          ...{ userFolder: toPortablePath(join(top, "config/emend")), environment: {}, flags: [] },
          openModel: (name) => {
            opened.push(name);
            return { ...modelAnswering("2"), name };
          },
        },
      },
      initialize: { workspaceFolders: [{ uri: pathToFileURL(work).href, name: "w" }] },
      onConnection: (connection) =>
        void connection.onNotification("window/showMessage", ({ message }) => void shown.push(message)),
    });
    onTestFinished(() => client[Symbol.asyncDispose]());
    await client.waitUntilLearnt();
    const uri = pathToFileURL(join(work, "src/a.ts")).href;
    const document = await client.open(uri, "export const one = |\n", "typescript");
    await client.complete(document);
    // Settings are read again with each change.
    for (const eagerness of ["quiet", "eager"]) {
      const settings = { emend: { complete: { eagerness } } };
      await client.connection.sendNotification("workspace/didChangeConfiguration", { settings });
      await client.complete(document);
    }
    const { sessions } = await client.connection.sendRequest<ServerStatus>("emend/status");
    expect(sessions[0]?.models).toEqual(["builtin"]);
    expect(sessions[0]?.issues).toHaveLength(1);
    expect([opened, diffs]).toEqual([[], []]);
    expect(shown).toEqual([expect.stringContaining(`put the same lines into your own file, ${ownFile()}.`)]);
    expect(client.logged.filter((line) => line.includes("put aside"))).toHaveLength(1);
  });
});
