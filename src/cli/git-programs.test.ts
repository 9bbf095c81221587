import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { createProtocolConnection, StreamMessageReader, StreamMessageWriter } from "vscode-languageserver/node";
import { inGitConfig, PlantedRepository } from "../workspace/node/fixtures/planted-repository.ts";
import { buildPackage, main, runCli } from "./fixtures/run-cli.ts";

const money = "export function toCents(price: number): number {\n  return price * 100;\n}\n";
const shop = 'import { toCents } from "./money";\nexport const total = toCents(3);\n';
const changed = "export function inCents(price: number): number {\n  return price * 100;\n}\n";

let repository: PlantedRepository;
beforeAll(buildPackage, 300_000);
beforeEach(() => {
  repository = new PlantedRepository({ "src/money.ts": money, "src/shop.ts": shop });
});
afterEach(() => repository[Symbol.dispose]());

function run(...args: readonly string[]) {
  return runCli(args, { folder: repository.root, environment: repository.environment });
}

/** Everything at once that a repository may name. */
function plantAll(): void {
  const of = (name: string) => inGitConfig(repository.command(name));
  for (const name of ["x", "x=y", "a.b", "ü"]) {
    repository.configure(
      `[filter "${name}"]\nclean = ${of("clean")}\nsmudge = ${of("smudge")}\nprocess = ${of("process")}\nrequired`,
    );
  }
  repository.configure(
    `[diff]\nexternal = ${of("external")}\n[diff "x"]\ntextconv = ${of("textconv")}\ncommand = ${of("command")}`,
  );
  repository.configure(
    `[merge "x"]\ndriver = ${of("merge")}\n[gpg]\nprogram = ${inGitConfig(repository.program("gpg"))}`,
  );
  repository.configure(
    `[core]\nfsmonitor = ${inGitConfig(repository.command("fsmonitor"))}\npager = ${of("pager")}\nhooksPath = hooks`,
  );
  repository.configure(
    `sshCommand = ${of("ssh")}\neditor = ${of("editor")}\naskPass = ${inGitConfig(repository.program("ask"))}`,
  );
  repository.configure(
    `[commit]\ngpgSign = true\n[credential]\nhelper = ${inGitConfig(`!${repository.command("credential")}`)}`,
  );
  repository.configure(
    `[alias]\ndiff = ${inGitConfig(`!${repository.command("alias")}`)}\n[protocol "ext"]\nallow = always`,
  );
  for (const hook of ["post-checkout", "post-index-change", "reference-transaction"]) {
    repository.write(`hooks/${hook}`, `#!/bin/sh\n${repository.command("hook")}\n`);
  }
  repository.git("-c", "core.fileMode=false", "config", "core.fileMode", "false");
}

/** A language server of the built package; calls `work` as soon as it is initialized. */
async function withServer(
  work: (send: (method: string, params: object) => Promise<void>) => Promise<void>,
  ...args: readonly string[]
) {
  const child = spawn(process.execPath, [main, "lsp", "--stdio", ...args], {
    ...{ cwd: repository.root, env: { ...repository.environment }, stdio: ["pipe", "pipe", "ignore"] },
  });
  const connection = createProtocolConnection(
    new StreamMessageReader(child.stdout!),
    new StreamMessageWriter(child.stdin!),
  );
  const ended = new Promise((resolve) => child.on("close", resolve));
  connection.listen();
  try {
    const uri = pathToFileURL(repository.root).href;
    await connection.sendRequest("initialize", {
      ...{ processId: process.pid, rootUri: uri, capabilities: {}, workspaceFolders: [{ uri, name: "work" }] },
    });
    await connection.sendNotification("initialized", {});
    await work((method, params) => connection.sendNotification(method, params));
    await connection.sendRequest("shutdown");
    await connection.sendNotification("exit");
    await ended;
  } finally {
    connection.dispose();
    child.kill("SIGKILL");
  }
}

describe("row 1: no program that a repository configures runs", { timeout: 180_000 }, () => {
  const attributes: Readonly<Record<string, () => void>> = {
    "drivers x and x=y in .gitattributes": () =>
      repository.write(".gitattributes", "* filter=x diff=x merge=x\n*.ts filter=x=y\n"),
    "the driver a.b in .git/info/attributes": () => repository.write(".git/info/attributes", "* filter=a.b diff=x\n"),
    "the driver ü in core.attributesFile"() {
      repository.write("rules", "* filter=ü diff=x\n");
      repository.configure("[core]\nattributesFile = rules");
    },
  };
  for (const [name, attribute] of Object.entries(attributes)) {
    test(`by impact, next, plan and the language server: ${name}`, async () => {
      plantAll();
      attribute();
      repository.write("src/money.ts", changed);
      repository.forget();
      const impact = await run("impact", "--json");
      expect(impact.exitCode).toBe(0);
      expect(impact.out).toContain("git-filter");
      expect((await run("next", "--json")).out).toContain("git-filter");
      expect((await run("plan", "--dry-run")).err).toContain("git-filter");
      expect(repository.ran).toEqual([]);
      await withServer(async (send) => {
        const textDocument = {
          uri: pathToFileURL(join(repository.root, "src/shop.ts")).href,
          languageId: "typescript",
          version: 1,
          text: shop,
        };
        await send("textDocument/didOpen", { textDocument });
        await wait(2_500);
      });
      expect(repository.ran).toEqual([]);
      repository.tryGit("diff", "--stat", "HEAD");
      expect(repository.ran).not.toEqual([]);
    });
  }

  test("in a bare repository in a sub-folder", async () => {
    repository.git("clone", "--quiet", "--bare", ".", "sub");
    repository.write("sub/.gitattributes", "* filter=x=y\n");
    repository.write("sub/src/money.ts", changed);
    const config = `[core]\nrepositoryFormatVersion = 0\nbare = false\nworktree = .\nfsmonitor = ${inGitConfig(repository.command("fsmonitor"))}\n[filter "x=y"]\nclean = ${inGitConfig(repository.command("clean"))}\n`;
    writeFileSync(join(repository.root, "sub/config"), config);
    for (const command of [["impact"], ["next"], ["plan", "--dry-run"]]) await run(...command, "--workspace", "sub");
    await withServer(async () => wait(1_500));
    expect(repository.ran).toEqual([]);
    repository.tryGit("-C", "sub", "status");
    expect(repository.ran).not.toEqual([]);
  });

  test("row 1: only filters of a trusted workspace run", async () => {
    plantAll();
    repository.configure(`[filter "z"]\nclean = ${inGitConfig(repository.command("clean"))}`);
    repository.write(".gitattributes", "src/*.ts filter=z diff=x\n");
    repository.write("src/money.ts", changed);
    for (const command of [
      ["impact", "--json"],
      ["plan", "--dry-run", "--json"],
    ]) {
      repository.forget();
      const { out } = await run(...command, "--trust");
      expect(out).toContain("inCents");
      expect(repository.ran).toEqual(["clean"]);
    }
    mkdirSync(join(repository.beside, "config/emend"), { recursive: true });
    writeFileSync(
      join(repository.beside, "config/emend/emend.config.json"),
      JSON.stringify({ trust: [repository.root] }),
    );
    repository.forget();
    expect((await run("impact", "--json")).out).toContain("inCents");
    expect(repository.ran).toEqual(["clean"]);
  });
});
