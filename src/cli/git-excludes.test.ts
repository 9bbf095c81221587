import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { PlantedRepository } from "../workspace/node/fixtures/planted-repository.ts";
import { buildPackage, runCli } from "./fixtures/run-cli.ts";

const money = "export function toCents(price: number): number {\n  return price * 100;\n}\n";
const shop = 'import { toCents } from "./money";\nexport const total = toCents(3);\n';

let repository: PlantedRepository;
beforeAll(buildPackage, 300_000);
beforeEach(() => {
  repository = new PlantedRepository({ "src/money.ts": money, "src/shop.ts": shop });
});
afterEach(() => repository[Symbol.dispose]());

function run(...args: readonly string[]) {
  return runCli(args, { folder: repository.root, environment: repository.environment });
}

describe("row 7: git's core.excludesFile of the user applies", { timeout: 180_000 }, () => {
  const hidden = 'import { toCents } from "./money";\nexport const never = toCents(41);\n';

  test.each([
    ["$XDG_CONFIG_HOME/git/ignore", "config/git/ignore", undefined],
    ["core.excludesFile", "rules", "[core]\nexcludesFile = ~/rules\n"],
    [".git/info/exclude", "work/.git/info/exclude", undefined],
  ])("to emend %s", async (_, path, settings) => {
    mkdirSync(dirname(join(repository.beside, path)), { recursive: true });
    writeFileSync(join(repository.beside, path), "hidden*.ts\n");
    if (settings !== undefined) writeFileSync(join(repository.beside, ".gitconfig"), settings);
    repository.write("src/hidden.ts", hidden);
    repository.write("src/money.ts", money.replace("toCents", "inCents"));
    const model = ["--model", "llamacpp:http://127.0.0.1:9"];
    const complete = await run("complete", "src/hidden.ts:2:23", "--json", ...model);
    expect(JSON.parse(complete.out)).toMatchObject({ kind: "no-suggestion", reason: "ignored-file" });
    expect(JSON.parse((await run("status", "--json")).out)).toMatchObject({ files: 2 });
    for (const command of [
      ["impact", "--all", "--json"],
      ["next", "--json"],
      ["plan", "--dry-run", "--json"],
    ]) {
      const { out } = await run(...command);
      expect(out).toContain("src/shop.ts");
      // It is listed as left out, and no block of it is.
      expect(out.replace('"examples":["src/hidden.ts"]', "")).not.toContain("hidden.ts");
    }
  });
});
