import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { systemDisk } from "./edit-disk.ts";
import { printFileRefusal } from "./file-refusal.ts";
import { TemporaryWorkspace, type Tree } from "./fixtures/temporary-workspace.ts";
import { readEditFiles } from "./read-edit-files.ts";

describe("files read for an edit", () => {
  const cases: readonly (readonly [string, Tree, string, string])[] = [
    ["a text just as it is", { "a.ts": "\uFEFFa\r\nb\nc\rd" }, "a.ts", "\uFEFFa\r\nb\nc\rd"],
    ["an empty file", { "a.ts": "" }, "a.ts", ""],
    ["a path with dots", { "a/b.ts": "b" }, "./a/../a/b.ts", "b"],
    ["through a link in the workspace", { "real.ts": "r", "a.ts": "-> real.ts" }, "a.ts", "r"],
    ["a name of a picture, and a text", { "a.png": "text" }, "a.png", "text"],
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

  test("have paths from the root and languages, each once, by absolute paths too", async () => {
    const workspace = new TemporaryWorkspace({ "a/b.ts": "b", run: "#!/usr/bin/env python3\n" });
    const paths = ["a/b.ts", "./a/b.ts", join(workspace.root, "run")];
    const { files } = await readEditFiles(workspace.root, paths);
    expect(files.map(({ path, language }) => [path, language])).toEqual([
      ["a/b.ts", "typescript"],
      ["run", "python"],
    ]);
  });

  test("row 7: a file in the user's own ignore file is read with a note", async () => {
    const workspace = new TemporaryWorkspace({ "own.ts": "o", "a/own2.ts": "o", "b.ts": "b" });
    const rules = new TemporaryWorkspace({ "git/ignore": "own*.ts\n" });
    const before = process.env["XDG_CONFIG_HOME"];
    process.env["XDG_CONFIG_HOME"] = rules.root;
    try {
      const { notes } = await readEditFiles(workspace.root, ["own.ts", "a/own2.ts", "b.ts"]);
      const by = `${rules.root}/git/ignore:1: own*.ts; it was read because you named it.`;
      expect(notes).toEqual([`own.ts is ignored by ${by}`, `a/own2.ts is ignored by ${by}`]);
    } finally {
      if (before === undefined) delete process.env["XDG_CONFIG_HOME"];
      else process.env["XDG_CONFIG_HOME"] = before;
    }
  });

  test("a file that git ignores is read with a note", async () => {
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

describe("files refused for an edit", () => {
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
    ["a", { a: "-> a" }, "a is a link that leads nowhere. Repair or remove the link."],
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

  test("a file larger than the limit is refused", async () => {
    const workspace = new TemporaryWorkspace({ a: "12345" });
    const { refusals } = await readEditFiles(workspace.root, ["a"], { maxBytes: 4 });
    expect(refusals.map(printFileRefusal)).toEqual([
      "a is too large: 5 bytes, more than 4. Split it, or edit it by hand.",
    ]);
  });

  test("one file by two names is refused as the same file", async () => {
    const workspace = new TemporaryWorkspace({ a: "a", b: "-> a" });
    const { files, refusals } = await readEditFiles(workspace.root, ["a", "b"]);
    expect([files.length, refusals.map(printFileRefusal)]).toEqual([
      1,
      ["b is the same file as a. Name it by one path only."],
    ]);
  });

  test.skipIf(process.platform === "win32")("a pipe is refused", async () => {
    const workspace = new TemporaryWorkspace();
    execFileSync("mkfifo", [join(workspace.root, "pipe")]);
    const { refusals } = await readEditFiles(workspace.root, ["pipe"]);
    expect(refusals.map(({ kind }) => kind)).toEqual(["special"]);
  });

  test("a file without read permission is refused", async () => {
    const workspace = new TemporaryWorkspace({ a: "a" });
    const refuse = () => Promise.reject(Object.assign(new Error("EACCES: no"), { code: "EACCES" }));
    const disk = { ...systemDisk, readFile: refuse as typeof systemDisk.readFile };
    const { refusals } = await readEditFiles(workspace.root, ["a"], { disk });
    expect(refusals.map(({ kind }) => kind)).toEqual(["no-permission"]);
  });

  test("every file in a folder of secrets is refused", async () => {
    const workspace = new TemporaryWorkspace({ ".ssh/work/a.ts": "a" });
    const { refusals } = await readEditFiles(join(workspace.root, ".ssh", "work"), ["a.ts"]);
    expect(refusals.map(({ kind }) => kind)).toEqual(["secret"]);
  });
});

test("law: encoding the text that was read gives the bytes of the file", async () => {
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

test("missing files are new paths where new files are allowed", async () => {
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

test("reading rejects where the workspace is missing", async () => {
  const workspace = new TemporaryWorkspace();
  await expect(readEditFiles(join(workspace.root, "no"), ["a"])).rejects.toMatchObject({ code: "file-missing" });
});

test("an absolute path through a link to the workspace is read", async () => {
  const workspace = new TemporaryWorkspace({ a: "a" });
  mkdirSync(join(workspace.top, "x"));
  execFileSync("ln", ["-s", workspace.root, join(workspace.top, "x", "link")]);
  chmodSync(join(workspace.root, "a"), 0o644);
  const link = join(workspace.top, "x", "link");
  expect((await readEditFiles(link, [join(link, "a")])).files.map(({ path }) => path)).toEqual(["a"]);
});
