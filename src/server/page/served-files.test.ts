import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type EditDisk, systemDisk } from "../../edit/node/index.ts";
import { outsideText, ServedWorld } from "./fixtures/served-world.ts";
import { hashOf, maxServedBytes, readServedFile } from "./read-served.ts";
import { writeServedFile } from "./write-served.ts";

let world: ServedWorld;
beforeAll(async () => {
  world = new ServedWorld();
  await world.open();
});
afterAll(() => world[Symbol.asyncDispose]());

const isNew = { "if-none-match": "*" };
const noHash = { "if-match": `"${"0".repeat(64)}"` };

/** What became of a question about a file: its status, and the code where it is refused. */
async function outcome(method: string, path: string, headers?: Record<string, string>, body?: string | Uint8Array) {
  const { status, text } = await world.file(method, path, { ...(headers && { headers }), ...(body && { body }) });
  return status < 300 ? String(status) : `${status} ${JSON.parse(text).code}`;
}

/** Saves a text over the one that is there. */
async function save(path: string, body: string | Uint8Array) {
  return outcome("PUT", path, { "if-match": `"${await world.hashOf(path)}"` }, body);
}

test("the paths of a page are those of files that are neither ignored nor secret, at each request", async () => {
  const pathsNow = async () => {
    const { text } = await world.send({ target: "api/paths" });
    const { paths } = JSON.parse(text) as { readonly paths: readonly string[] };
    return paths.filter((path) => /ts$|^\.|dist|out/.test(path));
  };
  const before = [".gitignore", "a.ts", "src/b.ts"];
  expect(await pathsNow()).toEqual(before);
  world.write("src/c.ts", "let c = 3;\n");
  expect(await pathsNow()).toEqual([...before, "src/c.ts"]);
  rmSync(join(world.root, "src/c.ts"));
  expect(await pathsNow()).toEqual(before);
});

describe("reading a file of the page", () => {
  test.each([
    ["a.ts", "200"],
    ["src/b.ts", "200"],
    ["in/b.ts", "200"],
    ["in.ts", "200"],
    // The person's own page opens the person's own files.
    [".env", "200"],
    ["dist/out.js", "200"],
    ["none.ts", "404 missing"],
    ["a.ts/b", "404 missing"],
    ["src", "403 folder"],
    ["", "403 folder"],
    ["in", "403 folder"],
    ["dead", "403 broken-link"],
    ["loop", "403 broken-link"],
    ["pipe", "403 special"],
    ["picture.png", "415 binary"],
    ["latin", "415 not-utf-8"],
    ["closed.ts", "403 no-permission"],
    [".git/config", "403 version-control"],
    [".GIT/config", "403 version-control"],
    ["src/.git", "403 version-control"],
    ["git/config", "403 version-control"],
  ])("%s -> %s", async (path, expected) => {
    world.write("picture.png", Uint8Array.of(0x89, 0x50, 0, 0));
    world.write("latin", Uint8Array.of(0x61, 0xe9, 0x0a));
    if (!existsSync(join(world.root, "pipe"))) execFileSync("mkfifo", [join(world.root, "pipe")]);
    if (!existsSync(join(world.root, "git"))) symlinkSync(".git", join(world.root, "git"));
    world.write("closed.ts", "");
    chmodSync(join(world.root, "closed.ts"), 0);
    // The system's owner may read what no other user may.
    const isOwner = process.getuid?.() === 0 && path === "closed.ts";
    expect(await outcome("GET", path)).toBe(isOwner ? "200" : expected);
    rmSync(join(world.root, "closed.ts"));
  });

  test("returns the text without its byte order mark, with its line endings", async () => {
    world.write("marked.ts", "\uFEFFlet a;\r\nlet b;\n");
    const { text } = await world.file("GET", "marked.ts");
    const bytes = Buffer.from("\uFEFFlet a;\r\nlet b;\n");
    expect(JSON.parse(text)).toEqual({ text: "let a;\r\nlet b;\n", hash: hashOf(bytes) });
  });

  test("returns fifty thousand lines, and no file above the size limit", async () => {
    const lines = "  const total = items.reduce((sum, item) => sum + item.price, 0);\n".repeat(50_000);
    world.write("long.ts", lines);
    expect(JSON.parse((await world.file("GET", "long.ts")).text).text).toBe(lines);
    expect(await save("long.ts", `${lines}end\n`)).toBe("200");
    world.write("long.ts", "x".repeat(maxServedBytes));
    expect(await outcome("GET", "long.ts")).toBe("200");
    world.write("long.ts", "x".repeat(maxServedBytes + 1));
    expect(await outcome("GET", "long.ts")).toBe("413 oversized");
  });

  test("refuses a missing and a repeated parameter", async () => {
    for (const target of ["api/file", "api/file?path=a.ts&path=src/b.ts", "api/files"]) {
      expect((await world.send({ target })).status).toBe(400);
    }
  });
});

describe("writing a file of the page", () => {
  test("replaces the text that was read", async () => {
    world.write("a.ts", "let a = 1;\n");
    const before = await world.hashOf("a.ts");
    const answer = await world.file("PUT", "a.ts", { headers: { "if-match": `"${before}"` }, body: "let a = 2;\n" });
    expect(answer.status).toBe(200);
    expect(world.read("a.ts")).toBe("let a = 2;\n");
    expect(JSON.parse(answer.text)).toEqual({ hash: await world.hashOf("a.ts") });
  });

  test("does not replace a text that has changed meanwhile", async () => {
    world.write("a.ts", "let a = 1;\n");
    const hash = await world.hashOf("a.ts");
    world.write("a.ts", "let a = 'theirs';\n");
    expect(await outcome("PUT", "a.ts", { "if-match": hash }, "let a = 'ours';\n")).toBe("412 changed");
    expect(await outcome("DELETE", "a.ts", { "if-match": hash })).toBe("412 changed");
    expect(world.read("a.ts")).toBe("let a = 'theirs';\n");
  });

  test("accepts only the first of two writes of the same base", async () => {
    world.write("a.ts", "let a = 1;\n");
    const headers = { "if-match": `"${await world.hashOf("a.ts")}"` };
    const bodies = ["let a = 2;\n", "let a = 3;\n", "let a = 4;\n"];
    const outcomes = await Promise.all(bodies.map((body) => outcome("PUT", "a.ts", headers, body)));
    expect([...outcomes].sort()).toEqual(["200", "412 changed", "412 changed"]);
    expect(world.read("a.ts")).toBe(bodies[outcomes.indexOf("200")]);
  });

  test("refuses to write a deleted file again", async () => {
    world.write("gone.ts", "let a = 1;\n");
    const hash = await world.hashOf("gone.ts");
    rmSync(join(world.root, "gone.ts"));
    expect(await outcome("PUT", "gone.ts", { "if-match": hash }, "let a = 2;\n")).toBe("412 changed");
    expect(existsSync(join(world.root, "gone.ts"))).toBe(false);
  });

  test.each([
    ["a new file", "new.ts"],
    ["one in new folders", "new/er/a.ts"],
    ["one behind a link", "in/new.ts"],
  ])("%s: %s is written", async (_, path) => {
    const before = world.snapshot("work/.git");
    expect(await outcome("PUT", path, isNew, "let a;\n")).toBe("200");
    expect(world.read(path)).toBe("let a;\n");
    expect(world.snapshot("work/.git")).toBe(before);
    expect(existsSync(join(world.root, "nothing"))).toBe(false);
  });

  test.each([
    ["where one is", "src/b.ts", "412 exists"],
    ["where a folder is", "src", "403 folder"],
    ["in a file", "src/b.ts/c.ts", "403 no-folder"],
    ["through a link to nothing", "dead", "403 broken-link"],
    ["below a link to nothing", "dead/a.ts", "403 broken-link"],
    ["in version control", ".git/hooks/pre-commit", "403 version-control"],
    ["of version control", "src/.git", "403 version-control"],
    ["in version control by another name", "git/hooks/pre-commit", "403 version-control"],
  ])("%s: %s -> %s", async (_, path, expected) => {
    const before = world.snapshot("work/.git");
    expect(await outcome("PUT", path, isNew, "let a;\n")).toBe(expected);
    expect(world.snapshot("work/.git")).toBe(before);
    expect(existsSync(join(world.root, "nothing"))).toBe(false);
  });

  test("requires a precondition", async () => {
    world.write("a.ts", "let a = 1;\n");
    const hash = await world.hashOf("a.ts");
    for (const headers of [
      {},
      { "if-match": "*" },
      { "if-match": "nonsense" },
      { "if-match": `W/"${hash}"` },
      { "if-match": `"${hash}", "${hash}"` },
      { "if-none-match": `"${hash}"` },
      { "if-match": hash, "if-none-match": "*" },
    ]) {
      expect(await outcome("PUT", "a.ts", headers, "let a = 2;\n")).toBe("428 no-precondition");
      expect(await outcome("DELETE", "a.ts", headers)).toBe("428 no-precondition");
    }
    expect(await outcome("DELETE", "a.ts", isNew)).toBe("428 no-precondition");
    expect(await outcome("PUT", "a.ts", noHash, "let a = 2;\n")).toBe("412 changed");
    expect(world.read("a.ts")).toBe("let a = 1;\n");
  });

  test("keeps byte order mark, line endings and permissions", async () => {
    world.write("run.sh", "\uFEFFone\r\ntwo\r\n");
    chmodSync(join(world.root, "run.sh"), 0o750);
    expect(await save("run.sh", "one\nthree\n")).toBe("200");
    expect(world.read("run.sh")).toBe("\uFEFFone\r\nthree\r\n");
    expect(statSync(join(world.root, "run.sh")).mode & 0o777).toBe(0o750);
  });

  test("does not write an equal text again", async () => {
    world.write("a.ts", "let a = 1;\n");
    const { ino } = statSync(join(world.root, "a.ts"));
    expect(await save("a.ts", "let a = 1;\n")).toBe("200");
    expect(statSync(join(world.root, "a.ts")).ino).toBe(ino);
  });

  test("writes through a link to its target, and removes only the link", async () => {
    world.write("src/b.ts", "let b = 2;\n");
    expect(await save("in.ts", "let b = 3;\n")).toBe("200");
    expect(lstatSync(join(world.root, "in.ts")).isSymbolicLink()).toBe(true);
    expect(world.read("src/b.ts")).toBe("let b = 3;\n");
    expect(await outcome("DELETE", "in.ts", { "if-match": await world.hashOf("in.ts") })).toBe("200");
    expect(existsSync(join(world.root, "in.ts"))).toBe(false);
    expect(world.read("src/b.ts")).toBe("let b = 3;\n");
    symlinkSync("src/b.ts", join(world.root, "in.ts"));
  });

  test("removes a file, but no folder", async () => {
    world.write("old/a.ts", "let a = 1;\n");
    expect(await outcome("DELETE", "old", noHash)).toBe("403 folder");
    expect(await outcome("DELETE", "old/a.ts", { "if-match": await world.hashOf("old/a.ts") })).toBe("200");
    expect(readdirSync(join(world.root, "old"))).toEqual([]);
    expect(await outcome("DELETE", "old/a.ts", noHash)).toBe("404 missing");
  });

  test("refuses binary and oversized files", async () => {
    expect(await outcome("PUT", "bad.ts", isNew, Uint8Array.of(0x61, 0xe9))).toBe("415 not-utf-8");
    expect(await outcome("PUT", "bad.ts", isNew, "a\0b")).toBe("415 binary");
    expect(await outcome("PUT", "bad.ts", isNew, "x".repeat(maxServedBytes + 1))).toBe("413 oversized");
    expect(existsSync(join(world.root, "bad.ts"))).toBe(false);
  });

  test("reads a body of unknown length only to the limit", async () => {
    const body = "x".repeat(maxServedBytes + 100_000);
    const headers = { ...isNew, "transfer-encoding": "chunked" };
    expect(await outcome("PUT", "bad.ts", headers, body)).toBe("413 oversized");
    expect(existsSync(join(world.root, "bad.ts"))).toBe(false);
  });

  test("leaves a read-only file unchanged", async () => {
    world.write("fixed.ts", "let a = 1;\n");
    chmodSync(join(world.root, "fixed.ts"), 0o444);
    expect(await save("fixed.ts", "let a = 2;\n")).toBe("403 read-only");
    expect(world.read("fixed.ts")).toBe("let a = 1;\n");
  });

  test.each([
    ["ENOSPC", 507, "disk-full"],
    ["EROFS", 403, "read-only"],
    ["EACCES", 403, "no-permission"],
    ["EIO", 500, "disk-failed"],
  ])("changes nothing when the disk fails with %s", async (code, status, expected) => {
    world.write("full.ts", "let a = 1;\n");
    const before = world.snapshot("work");
    const fail = async () => {
      throw Object.assign(new Error(code), { code });
    };
    const disk: EditDisk = { ...systemDisk, link: fail, rename: fail };
    const bytes = Buffer.from("let a = 2;\n");
    for (const [path, when] of [
      ["full.ts", { kind: "unchanged", hash: await world.hashOf("full.ts") }],
      ["some/new/file.ts", { kind: "new" }],
    ] as const) {
      const answer = await writeServedFile({ root: world.root, disk }, { path, bytes, when });
      expect(answer).toMatchObject({ kind: "refused", refusal: { status, code: expected } });
    }
    expect(world.snapshot("work")).toBe(before);
  });

  test("leaves no temporary files", () => {
    const names = readdirSync(world.root, { recursive: true, encoding: "utf8" });
    expect(names.filter((name) => name.includes(".tmp"))).toEqual([]);
    expect(world.problems).toEqual([]);
  });
});

describe("paths out of the folder", () => {
  /** Paths as the server sees them after the address is decoded. */
  const ways = [
    ...["..", "../outside/secret.txt", "src/../../outside/secret.txt", "./../outside/secret.txt", "src/../a.ts"],
    ...["/etc/passwd", "/", "//etc/passwd", "a.ts/../../outside/secret.txt", "src//b.ts", "./a.ts", "src/.", "a.ts/"],
    ...["out.txt", "out/secret.txt", "out", "out/new.txt", "dead-out", "dead-out/new.txt", "out/../a.ts"],
    ...["a.ts\0", "\0", "..\0/outside/secret.txt", "file:///etc/passwd/..", `${"a/".repeat(3000)}b`],
  ];

  test.each(ways)("%j is neither read nor written nor removed nor listed", async (path) => {
    const before = world.snapshot("outside");
    for (const [method, headers] of [
      ["GET", {}],
      ["PUT", isNew],
      ["PUT", noHash],
      ["DELETE", noHash],
    ] as const) {
      const { status, text } = await world.file(method, path, { headers, ...(method === "PUT" && { body: "x" }) });
      expect(status, `${method} ${text}`).toBeGreaterThanOrEqual(403);
      expect(text).not.toContain(outsideText);
      expect(text).not.toContain(world.outside);
    }
    const listed = await world.send({ target: `api/files?folder=${encodeURIComponent(path)}` });
    expect(listed.status).toBe(403);
    expect(world.snapshot("outside")).toBe(before);
    expect(world.problems).toEqual([]);
  });

  test.each([
    "path=%2e%2e%2foutside%2fsecret.txt",
    "path=..%5coutside%5csecret.txt",
    "path=%252e%252e%252foutside%252fsecret.txt",
    "path=..%c0%afoutside%c0%afsecret.txt",
    "path=%uff0e%uff0e/outside/secret.txt",
    "path=out%2fsecret.txt",
    "path=a.ts%00",
    "path=%",
  ])("in a URL are refused: %s", async (query) => {
    const { status, text } = await world.send({ target: `api/file?${query}` });
    expect([403, 404]).toContain(status);
    expect(text).not.toContain(outsideText);
  });

  test("through a link that was created later are refused", async () => {
    world.write("later/secret.txt", "inside");
    expect(await outcome("GET", "later/secret.txt")).toBe("200");
    const hash = await world.hashOf("later/secret.txt");
    rmSync(join(world.root, "later"), { recursive: true });
    symlinkSync("../outside", join(world.root, "later"));
    expect(await outcome("GET", "later/secret.txt")).toBe("403 outside");
    expect(await outcome("PUT", "later/secret.txt", { "if-match": hash }, "x")).toBe("403 outside");
    expect(await outcome("PUT", "later/new.txt", isNew, "x")).toBe("403 outside");
    expect((await world.send({ target: "api/files?folder=later" })).status).toBe(403);
  });

  /**
   * A disk on which a folder is exchanged for a link to the outside right before, right behind, or
   * just for the time of a call.
   */
  function exchanging(call: "open" | "realpath" | "mkdir", when: "before" | "behind" | "around"): EditDisk {
    world.write("swap/secret.txt", "inside");
    rmSync(join(world.root, "kept"), { recursive: true, force: true });
    let isDone = false;
    const exchange = () => {
      if (isDone) return;
      isDone = true;
      renameSync(join(world.root, "swap"), join(world.root, "kept"));
      symlinkSync("../outside", join(world.root, "swap"));
    };
    const original = systemDisk[call] as (...args: readonly unknown[]) => Promise<unknown>;
    const exchanged = async (...args: readonly unknown[]) => {
      const isFirst = !isDone;
      if (when !== "behind") exchange();
      const answer = await original(...args);
      if (when === "behind") exchange();
      if (when === "around" && isFirst) {
        rmSync(join(world.root, "swap"));
        renameSync(join(world.root, "kept"), join(world.root, "swap"));
      }
      return answer;
    };
    return { ...systemDisk, [call]: exchanged };
  }

  test.each([
    ["open", "before"],
    ["open", "behind"],
    ["open", "around"],
    ["realpath", "before"],
    ["realpath", "behind"],
    ["realpath", "around"],
  ] as const)("a folder that becomes a link while a file is read: at %s, %s", async (call, when) => {
    const answer = await readServedFile(world.root, "swap/secret.txt", exchanging(call, when));
    expect(JSON.stringify(answer)).not.toContain(outsideText);
    rmSync(join(world.root, "swap"), { recursive: true });
  });

  test.each([
    ["open", "before"],
    ["open", "behind"],
    ["realpath", "before"],
    ["realpath", "behind"],
    ["mkdir", "before"],
    ["mkdir", "behind"],
    ["open", "around"],
    ["realpath", "around"],
    ["mkdir", "around"],
  ] as const)("a folder that becomes a link while one is written: at %s, %s", async (call, when) => {
    const before = world.snapshot("outside");
    for (const [path, condition] of [
      ["swap/secret.txt", { kind: "unchanged", hash: hashOf(Buffer.from("inside")) }],
      ["swap/new.txt", { kind: "new" }],
      ["swap/new/new.txt", { kind: "new" }],
    ] as const) {
      const disk = exchanging(call, when);
      await writeServedFile({ root: world.root, disk }, { path, bytes: Buffer.from("x"), when: condition });
      expect(world.snapshot("outside")).toBe(before);
      rmSync(join(world.root, "swap"), { recursive: true });
    }
  });

  test("reads a hard link to a file outside like a file inside", async () => {
    linkSync(join(world.outside, "secret.txt"), join(world.root, "hard.txt"));
    expect(await outcome("GET", "hard.txt")).toBe("200");
    expect(await save("hard.txt", "mine")).toBe("403 hard-link");
    expect(world.read("../outside/secret.txt")).toBe(outsideText);
  });

  test.each([
    ["by its own name", "own.txt"],
    ["by its other name", "other.txt"],
    ["through a symbolic link", "link.txt"],
  ])("row 31: a file with hard links is not saved %s, and no link is split", async (_, path) => {
    for (const name of ["own.txt", "other.txt", "link.txt"]) rmSync(join(world.root, name), { force: true });
    writeFileSync(join(world.root, "own.txt"), "one");
    linkSync(join(world.root, "own.txt"), join(world.root, "other.txt"));
    symlinkSync("own.txt", join(world.root, "link.txt"));
    expect(await save(path, "two")).toBe("403 hard-link");
    expect(["own.txt", "other.txt"].map((name) => world.read(name))).toEqual(["one", "one"]);
    expect(statSync(join(world.root, "own.txt")).ino).toBe(statSync(join(world.root, "other.txt")).ino);
    // The same text is saved already, and a name may go away.
    expect(await save(path, "one")).toBe("200");
    rmSync(join(world.root, path === "other.txt" ? "own.txt" : "other.txt"));
    expect(await save(path, "two")).toBe("200");
    expect(world.read(path)).toBe("two");
  });
});
