import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { systemDisk } from "./edit-disk.ts";
import { printFileRefusal } from "./file-refusal.ts";
import { TemporaryWorkspace, type Tree } from "./fixtures/temporary-workspace.ts";
import { readEditFiles } from "./read-edit-files.ts";

describe("what is read", () => {
  const cases: readonly (readonly [string, Tree, string, string])[] = [
    ["a text just as it is", { "a.ts": "\uFEFFa\r\nb\nc\rd" }, "a.ts", "\uFEFFa\r\nb\nc\rd"],
    ["an empty file", { "a.ts": "" }, "a.ts", ""],
    ["a path with dots", { "a/b.ts": "b" }, "./a/../a/b.ts", "b"],
    ["through a link in the workspace", { "real.ts": "r", "a.ts": "-> real.ts" }, "a.ts", "r"],
    ["a name that says picture, and a text", { "a.png": "text" }, "a.png", "text"],
  ];
  for (const [name, tree, path, text] of cases) {
    test(name, async () => {
      const workspace = new TemporaryWorkspace(tree);
      const { files, refusals, notes } = await readEditFiles(workspace.root, [path]);
      expect({ texts: files.map((file) => file.text), refusals, notes }).toEqual({
        texts: [text],
        refusals: [],
        notes: [],
      });
    });
  }

  test("paths from the root and languages, each file once, by absolute paths too", async () => {
    const workspace = new TemporaryWorkspace({ "a/b.ts": "b", run: "#!/usr/bin/env python3\n" });
    const asked = ["a/b.ts", "./a/b.ts", join(workspace.root, "run")];
    const { files } = await readEditFiles(workspace.root, asked);
    expect(files.map(({ path, language }) => [path, language])).toEqual([
      ["a/b.ts", "typescript"],
      ["run", "python"],
    ]);
  });

  test("a file that is ignored, with a note", async () => {
    const workspace = new TemporaryWorkspace({ ".gitignore": "*.log\nout/\n", "a.log": "a", "out/b.ts": "b" });
    execFileSync("git", ["init", "-q"], { cwd: workspace.root });
    const { files, notes } = await readEditFiles(workspace.root, ["a.log", "out/b.ts"]);
    expect(files).toHaveLength(2);
    expect(notes).toEqual([
      "a.log is ignored by .gitignore:1: *.log; it was read because you named it.",
      "out/b.ts is ignored by .gitignore:2: out/; it was read because you named it.",
    ]);
  });
});

describe("what is refused", () => {
  const key = `-----BEGIN PRIVATE KEY-----\n${"MIIEvQIBADANBgkqhkiG9w0BAQEFAASC".repeat(2)}\n`;
  const cases: readonly (readonly [string, Readonly<Record<string, string | Buffer>>, string])[] = [
    ["gone.ts", {}, "gone.ts is not there. Check its name; paths start at the workspace's root."],
    ["a", { "a/b.ts": "b" }, "a is a folder. Name the files in it."],
    [".", {}, ". is a folder. Name the files in it."],
    ["../a.ts", {}, "../a.ts leads out of the workspace. Edit it from a workspace that holds it."],
    [
      "a",
      { a: "-> /etc/passwd" },
      "a leads out of the workspace, to /etc/passwd. Edit it from a workspace that holds it.",
    ],
    ["a", { a: "-> a" }, "a is a link that leads nowhere. Mend the link, or remove it."],
    ["a.ts", { "a.ts": Buffer.from("a\0b") }, "a.ts is not text: it holds a NUL. Only text can be edited."],
    [
      "a.ts",
      { "a.ts": Buffer.from("ok\nk\xe9 k", "latin1") },
      "a.ts is not UTF-8: byte 4, in line 2, begins no character of it. Convert it to UTF-8 first, for instance with iconv.",
    ],
    [
      "a.ts",
      { "a.ts": Buffer.from("a\xe2\x82", "latin1") },
      "a.ts is not UTF-8: byte 1, in line 1, begins no character of it. Convert it to UTF-8 first, for instance with iconv.",
    ],
    [
      "a.ts",
      { "a.ts": Buffer.from("\uFEFFa", "utf16le") },
      "a.ts is not UTF-8: it is UTF-16. Convert it to UTF-8 first, for instance with iconv.",
    ],
    [
      ".env",
      { ".env": "A=1" },
      ".env is secret by its name: .env. Secret files are never read and never written; edit it by hand.",
    ],
    [
      "a.ts",
      { "a.ts": key },
      "a.ts is secret by what is in it: a private key. Secret files are never read and never written; edit it by hand.",
    ],
    [
      ".git/config",
      { ".git/config": "" },
      ".git/config belongs to .git. Use the version control system's own commands.",
    ],
  ];
  for (const [path, tree, words] of cases) {
    test(words, async () => {
      const workspace = new TemporaryWorkspace();
      for (const [name, content] of Object.entries(tree)) workspace.put(name, content);
      const { files, refusals } = await readEditFiles(workspace.root, [path]);
      expect(files).toEqual([]);
      expect(refusals.map(printFileRefusal)).toEqual([words]);
    });
  }

  test("files that are too large", async () => {
    const workspace = new TemporaryWorkspace({ a: "12345" });
    const { refusals } = await readEditFiles(workspace.root, ["a"], { maxBytes: 4 });
    expect(refusals.map(printFileRefusal)).toEqual([
      "a is too large: 5 bytes, more than 4. Split it, or edit it by hand.",
    ]);
  });

  test("one file by two names", async () => {
    const workspace = new TemporaryWorkspace({ a: "a", b: "-> a" });
    const { files, refusals } = await readEditFiles(workspace.root, ["a", "b"]);
    expect([files.length, refusals.map(printFileRefusal)]).toEqual([
      1,
      ["b is the same file as a. Name it by one path only."],
    ]);
  });

  test.skipIf(process.platform === "win32")("pipes", async () => {
    const workspace = new TemporaryWorkspace();
    execFileSync("mkfifo", [join(workspace.root, "pipe")]);
    const { refusals } = await readEditFiles(workspace.root, ["pipe"]);
    expect(refusals.map(({ kind }) => kind)).toEqual(["special"]);
  });

  test("files that may not be opened", async () => {
    const workspace = new TemporaryWorkspace({ a: "a" });
    const refuse = () => Promise.reject(Object.assign(new Error("EACCES: no"), { code: "EACCES" }));
    const disk = { ...systemDisk, readFile: refuse as typeof systemDisk.readFile };
    const { refusals } = await readEditFiles(workspace.root, ["a"], { disk });
    expect(refusals.map(({ kind }) => kind)).toEqual(["no-permission"]);
  });

  test("everything in a folder of secrets", async () => {
    const workspace = new TemporaryWorkspace({ ".ssh/work/a.ts": "a" });
    const { refusals } = await readEditFiles(join(workspace.root, ".ssh", "work"), ["a.ts"]);
    expect(refusals.map(({ kind }) => kind)).toEqual(["secret"]);
  });
});

test("law: the text gives the bytes again", async () => {
  const bytes = fc.array(fc.constantFrom("a", "\n", "\r\n", "\r", "\uFEFF", "é", "😀", "\u2028"), { maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(bytes, async (parts) => {
      const workspace = new TemporaryWorkspace({ a: "" });
      const content = Buffer.from(parts.join(""));
      workspace.put("a", content);
      const { files } = await readEditFiles(workspace.root, ["a"]);
      expect(Buffer.from(files[0]!.text)).toEqual(content);
    }),
    { numRuns: Math.ceil((fc.readConfigureGlobal().numRuns ?? 100) / 4) },
  );
});

test("files that are not there are told apart where they may be new", async () => {
  const workspace = new TemporaryWorkspace({ "src/a.ts": "a" });
  const paths = ["src/b.ts", "./src/b.ts", "new/c.ts", "src/a.ts/d.ts", ".env", "../e.ts"];
  const { files, newPaths, refusals } = await readEditFiles(workspace.root, paths, { mayBeNew: true });
  expect([files, newPaths]).toEqual([[], ["src/b.ts", "new/c.ts"]]);
  expect(refusals.map(({ path, kind }) => [path, kind])).toEqual([
    ["src/a.ts/d.ts", "no-folder"],
    [".env", "secret"],
    ["../e.ts", "outside"],
  ]);
});

test("a workspace that is not there", async () => {
  const workspace = new TemporaryWorkspace();
  await expect(readEditFiles(join(workspace.root, "no"), ["a"])).rejects.toMatchObject({ code: "file-missing" });
});

test("an absolute path by a link to the workspace", async () => {
  const workspace = new TemporaryWorkspace({ a: "a" });
  mkdirSync(join(workspace.top, "x"));
  execFileSync("ln", ["-s", workspace.root, join(workspace.top, "x", "link")]);
  chmodSync(join(workspace.root, "a"), 0o644);
  const link = join(workspace.top, "x", "link");
  expect((await readEditFiles(link, [join(link, "a")])).files.map(({ path }) => path)).toEqual(["a"]);
});
