import { expect, test } from "vitest";
import { AccessRules, MemoryFileSystem } from "../../workspace/index.ts";

const fileSystem = new MemoryFileSystem({
  "/w/.git/HEAD": "",
  "/w/.gitignore": "*.log\nout/\n",
  "/w/.emendignore": "private/\n",
  "/w/src/.copilotignore": "legacy.*\n",
  "/w/src/a.ts": "",
});

async function check(path: string, root = "/w"): Promise<string> {
  const rules = new AccessRules({ fileSystem, root });
  await rules.prepare(path);
  const verdict = rules.verdict(path);
  return verdict.kind === "ignored" ? verdict.by : verdict.kind;
}

test.each([
  ["src/a.ts", "allowed"],
  ["src/new.ts", "allowed"],
  ["new/folder/a.ts", "allowed"],
  [".env", "secret"],
  ["src/.env.local", "secret"],
  ["out/a.ts", ".gitignore:2: out/"],
  ["src/not-saved-yet.log", ".gitignore:1: *.log"],
  ["private/deep/a.ts", ".emendignore:1: private/"],
  ["src/legacy.ts", "src/.copilotignore:1: legacy.*"],
  ["legacy.ts", "allowed"],
])("the access rules for %s: %s", async (path, verdict) => {
  expect(await check(path)).toBe(verdict);
});

test("a new ignore rule applies after the old ones were dropped", async () => {
  const disk = new MemoryFileSystem({ "/w/a.ts": "" });
  const rules = new AccessRules({ fileSystem: disk, root: "/w" });
  await rules.prepare("a.ts");
  expect(rules.verdict("a.ts").kind).toBe("allowed");
  disk.writeFile("/w/.emendignore", "a.ts\n");
  rules.forget();
  await rules.prepare("a.ts");
  expect(rules.verdict("a.ts").kind).toBe("ignored");
});

test("reads dropped ignore rules again, each folder's after those above it", async () => {
  const disk = new MemoryFileSystem({ "/w/.gitignore": "", "/w/d/.gitignore": "b.ts\n", "/w/d/a.ts": "" });
  const rules = new AccessRules({ fileSystem: disk, root: "/w" });
  const before = rules.prepare("d/a.ts");
  disk.writeFile("/w/.gitignore", "a.ts\n");
  rules.forget();
  await Promise.all([before, rules.prepare("d/a.ts")]);
  expect(rules.verdict("d/a.ts").kind).toBe("ignored");
  disk.writeFile("/w/.gitignore", "");
  rules.forget();
  expect(rules.verdict("d/a.ts").kind).toBe("ignored");
  await rules.prepare("d/a.ts");
  expect(rules.verdict("d/a.ts").kind).toBe("allowed");
});

test.each([
  ["/w/out", "/w/.gitignore:2: out/"],
  ["/w/private/deep", "/w/.emendignore:1: private/"],
  ["/w/src", "allowed"],
  ["/home/me/.ssh", "secret"],
  ["/home/me/.aws/sso", "secret"],
  ["/home/me/secrets", "allowed"],
])("access to a file of the folder %s depends on where that folder is: %s", async (root, verdict) => {
  expect(await check("sub/a.ts", root)).toBe(verdict);
});

test("without a folder on the disk only secrets are refused", async () => {
  const rules = new AccessRules({ fileSystem: new MemoryFileSystem({}), root: "/gone" });
  await rules.prepare("a/b.ts");
  expect([rules.verdict("a/b.ts").kind, rules.verdict("a/.env").kind]).toEqual(["allowed", "secret"]);
});
