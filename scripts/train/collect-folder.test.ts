import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { initialWeights } from "../../src/model/builtin/mixer.ts";
import { removeFolder } from "../../src/text/node/fixtures/remove-folder.ts";
import { collectFolder } from "./collect-folder.ts";
import { evaluate, fitWeights } from "./fit-weights.ts";
import { emptyRow, Rows } from "./rows.ts";
import { seededRandom } from "./seeded-random.ts";

let home: string;
beforeAll(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), "emend-collect-")));
});
afterAll(() => removeFolder(home));

/** A file of a small program, much like its sisters. */
function fileText(name: string, count: number): string {
  const methods = Array.from(
    { length: count },
    (_, i) => `  read${name}${i}(index: number): string {\n    return this.items[index + ${i}].trim();\n  }\n`,
  );
  return `import { Store } from "./store";\n\nexport class ${name} extends Store {\n${methods.join("\n")}}\n`;
}

function folder(name: string): string {
  const path = join(home, name);
  mkdirSync(path);
  for (const file of ["Apple", "Pear", "Plum", "Cherry"]) writeFileSync(join(path, `${file}.ts`), fileText(file, 12));
  return path;
}

const collect = async (path: string, seed = 1) => {
  const rows = new Rows();
  const kind = await collectFolder(rows, path, { rows: 120, random: seededRandom(seed) });
  return { rows, kind };
};

/** Rows whose right candidate was among those proposed. */
function foundShare(rows: Rows): number {
  const row = emptyRow();
  let found = 0;
  for (let i = 0; i < rows.length; i++) {
    const { count, truth } = rows.read(i, row);
    if (truth < count) found++;
  }
  return found / rows.length;
}

test("rows of a plain folder, from which a mixer learns", async () => {
  const { rows, kind } = await collect(folder("plain"));
  expect(kind).toBe("folder");
  expect(rows.length).toBeGreaterThan(60);
  // Most lines of these files are in the other ones, too.
  expect(foundShare(rows)).toBeGreaterThan(0.8);
  const options = { epochs: 4, batch: 16, learningRate: 0.003, weightDecay: 0.01, warmUp: 5, seed: 1 };
  const weights = fitWeights(rows, options);
  expect(evaluate(rows, weights).bits).toBeLessThan(evaluate(rows, initialWeights(1)).bits);
});

test("the same folder and seed give the same rows", async () => {
  const path = folder("again");
  const lengths = [(await collect(path, 1)).rows.length, (await collect(path, 1)).rows.length];
  expect(lengths[0]).toBe(lengths[1]);
});

test("rows of a repository come from its commits too", async () => {
  const path = folder("repository");
  const git = (...args: string[]) => {
    const who = ["-c", "user.name=Test", "-c", "user.email=test@example.com", "-c", "commit.gpgsign=false"];
    const env = { ...process.env, GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null" };
    execFileSync("git", [...who, ...args], { cwd: path, env, stdio: "pipe" });
  };
  git("init", "--quiet");
  git("add", ".");
  git("commit", "--quiet", "--message=first");
  const { rows: before, kind } = await collect(path);
  expect(kind).toBe("repository");
  for (const count of [13, 14, 15, 16]) {
    writeFileSync(join(path, "Pear.ts"), fileText("Pear", count));
    git("commit", "--quiet", "--all", "--message=change");
  }
  const { rows: after } = await collect(path);
  expect(after.length).toBeGreaterThan(before.length);
});
