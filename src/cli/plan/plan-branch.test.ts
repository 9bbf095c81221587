import { describe, expect, test } from "vitest";
import { cart, cartRenamed, price, renamed, Shop, shop, show, showRenamed } from "../fixtures/plan-shop.ts";

const paths = ["src/price.ts", "src/cart.ts", "src/show.ts"];

/** The three files as a branch has them. */
function textsOn(work: Shop, branch: string): readonly string[] {
  return paths.map((path) => work.git("show", `${branch}:${path}`));
}

/** A shop whose commits have an author. */
function shopOf(files: Readonly<Record<string, string>> = shop): Shop {
  const work = new Shop(files);
  work.git("config", "user.name", "Somebody");
  work.git("config", "user.email", "somebody@example.org");
  return work;
}

/** What git reports of the work tree, the index, and HEAD. */
function standing(work: Shop): string {
  return [work.git("status", "--porcelain=v2", "--branch"), work.git("diff"), work.git("diff", "--cached")].join("\n");
}

describe("the result of a plan on a branch", () => {
  test("is one commit with the seed, and nothing else changes", async () => {
    const work = shopOf();
    work.write({ "src/price.ts": renamed });
    const before = standing(work);
    const { exitCode, err } = await work.run([
      "plan",
      "Say cents.",
      "--seed",
      "working-tree",
      "--branch",
      "plan/cents",
    ]);
    expect([exitCode, standing(work)]).toEqual([0, before]);
    expect(err).toMatch(
      /Committed on the new branch plan\/cents: [0-9a-f]{12}, 3 files\. Your files are as they were\.\n/,
    );
    expect(textsOn(work, "plan/cents")).toEqual([renamed, cartRenamed, showRenamed]);
    expect(work.git("log", "--format=%s|%an", "main..plan/cents")).toBe("Say cents.|Somebody\n");
    expect(work.git("log", "-1", "--format=%b", "plan/cents")).toMatch(/^emend plan [\d-]+: 5 steps done\n/);
    expect(work.git("diff", "--name-only", "main", "plan/cents").trim().split("\n")).toEqual([...paths].sort());
    expect(work.texts()).toEqual([renamed, cart, show]);
  });

  test("of a committed change contains what follows from it; a dry run commits nothing, and apply does later", async () => {
    const work = shopOf();
    work.commit({ "src/price.ts": renamed });
    await work.run(["plan", "--seed", "HEAD~1..HEAD", "--dry-run", "--branch", "later"]);
    expect(work.git("branch", "--list", "later")).toBe("");
    const { exitCode, out } = await work.run(["plan", "apply", "--branch", "later", "--json"]);
    const { branch, commit, isWritten } = JSON.parse(out);
    expect([exitCode, branch, commit, isWritten]).toEqual([0, "later", work.git("rev-parse", "later").trim(), false]);
    expect(work.git("diff", "--name-only", "main", "later")).toBe("src/cart.ts\nsrc/show.ts\n");
  });

  test("in a folder of a repository, with other line endings in the work tree", async () => {
    const files = Object.fromEntries(Object.entries(shop).map(([path, text]) => [`app/${path}`, text]));
    const work = shopOf(files);
    for (const path of paths) work.write({ [`app/${path}`]: files[`app/${path}`]!.replaceAll("\n", "\r\n") });
    work.write({ "app/src/price.ts": renamed.replaceAll("\n", "\r\n") });
    const { exitCode } = await work.run(["plan", "--workspace", "app", "--seed", "working-tree", "--branch", "b"]);
    expect(exitCode).toBe(0);
    expect(paths.map((path) => work.git("show", `b:app/${path}`))).toEqual([renamed, cartRenamed, showRenamed]);
  });
});

describe("a refused commit contains what to do", () => {
  test.each([
    ["main", "There is a branch main already. Give another name."],
    ["no..name", '"no..name" cannot be the name of a branch.'],
  ])("%s", async (branch, message) => {
    const work = shopOf();
    work.write({ "src/price.ts": renamed });
    const { exitCode, err } = await work.run(["plan", "--branch", branch]);
    expect([exitCode, err]).toEqual([2, expect.stringContaining(message)]);
    expect(await work.run(["plan", "list"])).toEqual({ exitCode: 0, out: "", err: "There is no plan yet.\n" });
  });

  test("for files with other changes", async () => {
    const work = shopOf();
    work.commit({ "src/price.ts": renamed });
    work.write({ "src/show.ts": `${show}\nexport const dirty = 1;\n` });
    const { exitCode, err } = await work.run(["plan", "--seed", "HEAD~1..HEAD", "--branch", "b"]);
    expect([exitCode, err]).toEqual([
      1,
      expect.stringContaining("Nothing is committed: src/show.ts has changes that are not committed"),
    ]);
    expect(work.git("branch", "--list", "b")).toBe("");
  });

  test("for no repository, and one without a commit", async () => {
    const work = shopOf();
    work.removeGit();
    const args = ["plan", "x", "--at", "src/price.ts:1", "--branch", "b"];
    expect((await work.run(args)).err).toContain("is not in a git repository, so that there are no branches.");
    work.git("init", "--quiet");
    expect((await work.run(args)).err).toContain("There is no commit yet to start a branch from.");
    expect(price).toBe(work.read("src/price.ts"));
  });
});
