import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { serveChat } from "../model/node/fixtures/scripted-chat-server.ts";
import { canRun, canTest, debianPackage } from "../text/node/fixtures/promised-tools.ts";
import { buildPackage } from "./fixtures/run-cli.ts";
import { ServerWorkspace } from "./fixtures/server-workspace.ts";

const fixture = (name: string) => fileURLToPath(new URL(`./fixtures/${name}`, import.meta.url));

/** Whether the tests of an editor can run, which a Debian package installs. */
function has(name: string, debian: string, ...command: readonly [string, ...string[]]): boolean {
  return canTest({ name, isInstalled: canRun(...command), install: debianPackage(debian) });
}

const hasNeovim = has("Neovim", "neovim", "nvim", "--version");
const hasEmacs = has("Emacs", "emacs-nox", "emacs", "--version");
const withPackages = ["-q", "--batch", "--eval", "(progn (require 'package) (package-initialize))"];
const hasEglot = hasEmacs && has("eglot", "elpa-eglot", "emacs", ...withPackages, "--eval", "(require 'eglot)");

let work: ServerWorkspace;
beforeAll(buildPackage);
beforeEach(() => {
  work = new ServerWorkspace();
});
afterEach(() => work[Symbol.dispose]());

/** Runs an editor that prints its answer behind a mark, and gives the answer. */
async function answerOf(command: readonly [string, ...string[]], given: object = {}): Promise<unknown> {
  const [program, ...args] = command;
  const { command: server, root, file, typed } = work;
  const env = { ...work.environment, EMEND_TEST: JSON.stringify({ command: server, root, file, typed, ...given }) };
  const child = spawn(program, args, { env, cwd: work.root, stdio: ["ignore", "pipe", "pipe"] });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text) => {
      printed += text;
    });
  }
  await new Promise((resolve) => child.on("close", resolve));
  const answer = /^ANSWER (.*)$/m.exec(printed)?.[1];
  return answer === undefined ? printed : JSON.parse(answer);
}

const taken = () => ({
  items: 1,
  text: expect.stringMatching(new RegExp(`^${escaped(work.completed.trimEnd())}\\n?$`)),
});

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}

describe("requests and accepts a completion", () => {
  test.runIf(hasNeovim)("in Neovim", async () => {
    const command = ["nvim", "--headless", "-u", "NONE", "-c", `luafile ${fixture("complete-in-neovim.lua")}`] as const;
    expect(await answerOf([...command])).toMatchObject(taken());
  });

  test.runIf(hasEmacs)("in Emacs, through jsonrpc", async () => {
    const command = ["emacs", "-Q", "--batch", "-l", fixture("complete-in-emacs.el")] as const;
    expect(await answerOf([...command], { through: "jsonrpc" })).toEqual(taken());
  });

  test.runIf(hasEglot)("in Emacs, through eglot", async () => {
    const command = ["emacs", "-q", "--batch", "-l", fixture("complete-in-emacs.el")] as const;
    expect(await answerOf([...command], { through: "eglot" })).toEqual(taken());
  });
});

test.runIf(hasNeovim)("an unsaved buffer is edited by an instruction in Neovim", async () => {
  const answer = "@@ 3 return items\n  return items[0] ?? missing(items);\n@@ end\n";
  const server = await serveChat("openai", { deltas: answer.match(/.{1,9}\n?/g)! });
  onTestFinished(() => server[Symbol.asyncDispose]());
  const config = JSON.stringify({ edit: { model: `openai-compatible:${server.url}#scripted` } });
  work.writeUserConfig(config);
  const command = ["nvim", "--headless", "-u", "NONE", "-c", `luafile ${fixture("edit-in-neovim.lua")}`] as const;
  expect(await answerOf([...command], { instruction: "インデックスで読む" })).toEqual({
    ...{ kind: "offered", isApplied: true },
    text: `// not saved\n${work.text.replace("items.at(0)", "items[0]")}`.trimEnd(),
  });
  expect(JSON.stringify(server.calls[0]!.body)).toContain("インデックスで読む");
});
