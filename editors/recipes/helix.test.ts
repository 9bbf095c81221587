import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { afterEach, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { hasPseudoTerminal } from "../../src/cli/fixtures/pseudo-terminal.ts";
import { buildPackage, repository } from "../../src/cli/fixtures/run-cli.ts";
import { ServerWorkspace } from "../../src/cli/fixtures/server-workspace.ts";
import { canTest } from "../../src/text/node/fixtures/promised-tools.ts";
import { recipeOf } from "./fixtures/recipe.ts";

const helix = join(repository, ".cache/helix/bin/hx");

let work: ServerWorkspace;
beforeAll(buildPackage);
beforeEach(() => {
  work = new ServerWorkspace();
});
afterEach(() => work[Symbol.dispose]());

const hasHelix =
  canTest({ name: "Helix", isInstalled: existsSync(helix), install: "scripts/install-helix" }) && hasPseudoTerminal;

test.runIf(hasHelix)("the settings of the page make Helix start the server, and end it with itself", async () => {
  const config = work.environment["XDG_CONFIG_HOME"]!;
  const bin = join(config, "bin");
  const [program, main] = work.command;
  work.writeUserConfig("{}");
  for (const folder of [bin, join(config, "helix")]) mkdirSync(folder);
  writeFileSync(join(config, "helix/languages.toml"), recipeOf("helix", "toml"));
  writeFileSync(join(bin, "emend"), `#!/bin/sh\nexec '${program}' '${main}' "$@"\n`, { mode: 0o755 });
  // Its log has all messages.
  const log = join(config, "log");
  const command = `stty rows 24 cols 80; exec '${helix}' -vv --log '${log}' '${work.file}'`;
  const path = `${bin}${delimiter}${process.env["PATH"]}`;
  const environment = { ...work.environment, PATH: path, TERM: "xterm-256color" };
  const editor = spawn("script", ["-qec", command, "/dev/null"], { cwd: work.root, env: environment });
  onTestFinished(() => void editor.kill());
  const ended = once(editor, "close");
  editor.stdout.resume();
  const messages = () =>
    existsSync(log)
      ? Array.from(
          readFileSync(log, "utf8").matchAll(
            /\[INFO\] emend (->|<-) \{"jsonrpc":"2\.0",.*?"(method|serverInfo)":(?:"(.+?)"|\{"name":"(.+?)")/g,
          ),
          ([, way, , method, name]) => `${way} ${method ?? name}`,
        )
      : [];
  await expect.poll(messages, { timeout: 30_000 }).toContain("-> textDocument/didOpen");
  expect(messages()).toEqual(
    expect.arrayContaining(["-> initialize", "<- emend", "-> initialized", "-> textDocument/didOpen"]),
  );
  editor.stdin.write(":quit!\r");
  const [code] = await ended;
  expect(code).toBe(0);
  expect(messages()).toContain("-> shutdown");
});
