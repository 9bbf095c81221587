import { mkdtempSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { removeFolder } from "../text/node/fixtures/remove-folder.ts";
import { type FilesToWrite, GitRepository } from "./fixtures/git-repository.ts";
import { openNextShop } from "./fixtures/next-shop.ts";
import { price, shop, withRate } from "./fixtures/plan-shop.ts";
import { hasPseudoTerminal, runAtPseudoTerminal } from "./fixtures/pseudo-terminal.ts";
import { buildPackage } from "./fixtures/run-cli.ts";

/** A repository, and folders of a person who uses Emend for the first time. */
class FirstUse {
  readonly repository: GitRepository;
  readonly #own = realpathSync(mkdtempSync(join(tmpdir(), "emend-first-")));

  constructor(repository: GitRepository) {
    this.repository = repository;
    onTestFinished(() => {
      repository.remove();
      removeFolder(this.#own);
    });
  }

  static of(files: FilesToWrite): FirstUse {
    return new FirstUse(GitRepository.of(files));
  }

  run(args: readonly string[], ...typed: readonly (readonly [row: string, text: string])[]) {
    const { folder } = this.repository;
    const environment = {
      ...{ EMEND_STATE_DIR: join(this.#own, "state"), EMEND_CACHE_DIR: join(this.#own, "cache") },
      XDG_CONFIG_HOME: join(this.#own, "config"),
    };
    return runAtPseudoTerminal(args, { folder, environment, typed });
  }

  text(path: string): string {
    return readFileSync(join(this.repository.folder, path), "utf8");
  }
}

describe.skipIf(!hasPseudoTerminal)("the built program at a terminal", () => {
  beforeAll(buildPackage, 180_000);

  test("the impact of a change on 151 blocks is printed by file, each once, and the rest is counted", async () => {
    const calls = (file: number) =>
      Array.from({ length: 5 }, (_, i) => `export const f${file}x${i} = (): number => price(${i});\n`).join("");
    const files = Array.from({ length: 30 }, (_, i) => [
      `src/f${i}.ts`,
      `import { price } from "./price";\n\n${calls(i)}`,
    ]);
    const use = FirstUse.of({ ...shop, ...Object.fromEntries(files) });
    use.repository.write({ "src/price.ts": withRate });
    const { exitCode, printed } = await use.run(["impact"]);
    expect(exitCode).toBe(0);
    expect(printed).toMatch(/^To do: 152 blocks in 32 files likely to be affected, and not changed$/m);
    expect(printed).toMatch(
      /^ {2}… 112 more blocks in \d+ files, 112 of them refused by the type checker; --all lists them$/m,
    );
    const rows = printed.split("\n").filter((row) => /^ {2}(\S+\.ts$| {2}○)/.test(row));
    expect(new Set(rows).size).toBe(rows.length);
  });

  test("next edits with a new type error come first, with the whole message and no percentage", async () => {
    const use = new FirstUse(openNextShop());
    const type = `{ ${Array.from({ length: 8 }, (_, at) => `property${at}: number`).join("; ")} }`;
    use.repository.write({ "src/log.ts": use.text("src/log.ts").replace("message: string", `message: ${type}`) });
    const { exitCode, printed } = await use.run(["next", "--all"]);
    expect(exitCode).toBe(0);
    const places = printed.split("\n").filter((row) => row.includes(" has an error now: "));
    expect(places.map((row) => row.trim().split(" ")[0])).toEqual([
      ...["src/cart.ts:5:7", "src/price.ts:4:7", "src/price.ts:9:7", "src/price.ts:14:7"],
    ]);
    for (const row of places) expect(row).toMatch(/property7: number; \}'(?!.*%)/);
  });

  test("a chain of next edits is written in all of 33 files", async () => {
    const paths = Array.from({ length: 33 }, (_, i) => `src/job${i + 1}.ts`);
    const job = (path: string) =>
      `import { log } from "./${path.slice(4, -3)}-log";\n\nexport function run(user: string) {\n  log.debug("start", user);\n}\n`;
    const edited = (path: string) => job(path).replace('log.debug("start", user)', 'log.info({ user }, "start")');
    const use = FirstUse.of(Object.fromEntries(paths.map((path) => [path, job(path)])));
    use.repository.write(Object.fromEntries(paths.slice(0, 2).map((path) => [path, edited(path)])));
    const { exitCode, printed } = await use.run(["next", "--chain", "--apply"]);
    expect(exitCode).toBe(0);
    expect(printed).toContain("`emend undo` undoes it.");
    expect(paths.filter((path) => use.text(path) !== edited(path))).toEqual([]);
  });

  test("one function in a fence is shown as a diff, and written after a confirmation", async () => {
    const use = FirstUse.of({ "src/price.ts": `${price}\nexport const other = 1;\n` });
    const answer = join(use.repository.folder, "answer.md");
    writeFileSync(answer, `Here it is:\n\n\`\`\`ts\n${price.replace("* 100", "* 200")}\`\`\`\n`);
    const args = ["edit", "src/price.ts", "--answer", answer];
    const declined = await use.run(args, ["Write", "n\n"]);
    expect(declined.printed).toContain("Its code was taken for the new text of function `price` in src/price.ts");
    expect(declined.printed).toContain("-  return euros * 100;\n+  return euros * 200;\n");
    expect([declined.exitCode, use.text("src/price.ts")]).toEqual([8, `${price}\nexport const other = 1;\n`]);
    const { exitCode } = await use.run(args, ["Write", "y\n"]);
    expect([exitCode, use.text("src/price.ts")]).toEqual([
      0,
      `${price.replace("* 100", "* 200")}\nexport const other = 1;\n`,
    ]);
  });

  test("steps that a plan leaves to the person are printed once, grouped by their reason", async () => {
    const use = FirstUse.of(shop);
    use.repository.write({ "src/price.ts": withRate });
    const { exitCode, printed } = await use.run(["plan", "--dry-run"]);
    expect(printed.match(/No rule can tell what to write here, and no model is configured\./g)).toHaveLength(1);
    expect(printed).toMatch(/^Left to you, 2 steps:$/m);
    expect(exitCode).toBe(12);
  });
});
