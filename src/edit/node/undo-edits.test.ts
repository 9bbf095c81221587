import {
  appendFileSync,
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Edit, type FileChange, workspaceEdit } from "../../text/index.ts";
import { EditJournal } from "./edit-journal.ts";
import { TemporaryWorkspace } from "./fixtures/temporary-workspace.ts";
import { listJournal, undoEdits } from "./undo-edits.ts";
import { writeWorkspaceEdit } from "./write-workspace-edit.ts";

const lines = "one\ntwo\nthree\nfour\nfive\n";

/** Replaces the first occurrence of a text in a file, and writes that. */
async function replace(workspace: TemporaryWorkspace, path: string, before: string, after: string) {
  const start = workspace.text(path).indexOf(before);
  const edit = Edit.replace({ start, end: start + before.length }, after);
  const write = workspace.write(workspaceEdit([{ kind: "edit", uri: path, edit }]));
  const outcome = await writeWorkspaceEdit(
    workspace.root,
    { ...write, instruction: `${before} -> ${after}` },
    workspace.options,
  );
  expect(outcome.kind).toBe("written");
}

/** Undoes edits and prints the result: `3->5` for entry 3 undone by entry 5, or why it stopped. */
async function undo(workspace: TemporaryWorkspace, which: Parameters<typeof undoEdits>[1] = { steps: 1 }) {
  const { undone, stopped } = await undoEdits(workspace.root, which, workspace.options);
  const result = undone.map(({ id, undoneBy, merged }) => [`${id}->${undoneBy}`, ...merged].join(" "));
  if (stopped !== undefined) {
    const paths = "paths" in stopped ? stopped.paths : [];
    const lines = stopped.kind === "moved-on" ? stopped.lines : undefined;
    const places = paths.map((path) => {
      const span = lines?.[path];
      return span === undefined ? path : `${path}:${span.first}-${span.last}`;
    });
    result.push([stopped.kind, ...places].join(" "));
  }
  return result.join(", ");
}

test("undo reverts the last edits in force, one after the other", async () => {
  const workspace = new TemporaryWorkspace({ a: lines });
  await replace(workspace, "a", "one", "1");
  await replace(workspace, "a", "1", "I");
  await replace(workspace, "a", "two", "2");
  expect(await undo(workspace)).toBe("3->4");
  expect(await undo(workspace, { steps: 3 })).toBe("2->5, 1->6, nothing-left");
  expect(workspace.text("a")).toBe(lines);
});

test("an undone edit can be restored and undone again", async () => {
  const workspace = new TemporaryWorkspace({ a: lines });
  await replace(workspace, "a", "one", "1");
  await undo(workspace);
  expect(await undo(workspace, { id: 2 })).toBe("2->3");
  expect(workspace.text("a")).toContain("1\n");
  expect(await undo(workspace)).toBe("1->4");
  expect(workspace.text("a")).toBe(lines);
  expect(await undo(workspace, { id: 1 })).toBe("undone-already");
  expect(await undo(workspace, { id: 9 })).toBe("unknown-id");
});

test("the journal lists what was written", async () => {
  const workspace = new TemporaryWorkspace({ a: lines, b: "b" });
  await replace(workspace, "a", "one", "1");
  const edit = workspaceEdit([
    { kind: "delete", uri: "b" },
    { kind: "create", uri: "c", text: "c" },
  ]);
  await writeWorkspaceEdit(workspace.root, workspace.write(edit), workspace.options);
  await undo(workspace);
  const records = await listJournal(workspace.root, workspace.options.journal);
  expect(records.map(({ id, instruction, undoes, isUndone }) => ({ id, instruction, undoes, isUndone }))).toEqual([
    { id: 3, instruction: "do it", undoes: 2, isUndone: false },
    { id: 2, instruction: "do it", undoes: undefined, isUndone: true },
    { id: 1, instruction: "one -> 1", undoes: undefined, isUndone: false },
  ]);
  expect(records[1]!.changes.map(({ path, kind }) => `${kind} ${path.slice(workspace.root.length + 1)}`)).toEqual([
    "removed b",
    "created c",
  ]);
});

describe("undo of files that were changed since", () => {
  /** The bytes of the file after it are written as characters up to 255. */
  const cases: readonly (readonly [string, (workspace: TemporaryWorkspace) => void, string, string | undefined])[] = [
    ["in other lines", (there) => there.put("a", `${there.text("a")}six\n`), "1->2 a", `${lines}six\n`],
    ["in lines above", (there) => there.put("a", `zero\n${there.text("a")}`), "1->2 a", `zero\n${lines}`],
    [
      "in the same line",
      (there) => there.put("a", "one\ntwo\n3!\nfour\nfive\n"),
      "moved-on a:3-3",
      "one\ntwo\n3!\nfour\nfive\n",
    ],
    [
      "in the same line and those around",
      (there) => there.put("a", "zero\none\n2!\n3!\n3?\nfour\nfive\n"),
      "moved-on a:3-5",
      "zero\none\n2!\n3!\n3?\nfour\nfive\n",
    ],
    ["and are gone", (there) => rmSync(join(there.root, "a")), "moved-on a", undefined],
    ["to bytes that are no text", (there) => there.put("a", Buffer.from([0xff, 0xfe])), "moved-on a", "\u00ff\u00fe"],
    ["to what they were", (there) => there.put("a", lines), "undone-already", lines],
  ];
  for (const [name, act, expected, after] of cases) {
    test(name, async () => {
      const workspace = new TemporaryWorkspace({ a: lines });
      await replace(workspace, "a", "three", "3");
      act(workspace);
      expect(await undo(workspace)).toBe(expected);
      expect(workspace.tree()["a"]?.replace(/^\d+ /, "")).toBe(after);
    });
  }

  test("with a conflict in one of several files reverts none", async () => {
    const workspace = new TemporaryWorkspace({ a: "a\n", b: "b\n" });
    const changes: FileChange[] = ["a", "b"].map((uri) => ({ kind: "edit", uri, edit: Edit.insert(0, "x") }));
    await writeWorkspaceEdit(workspace.root, workspace.write(workspaceEdit(changes)), workspace.options);
    workspace.put("b", "y");
    expect(await undo(workspace)).toBe("moved-on b:1-1");
    expect(workspace.tree()).toEqual({ a: "644 xa\n", b: "644 y" });
  });

  describe("of a file that the edit moved", () => {
    const cases: readonly (readonly [string, (there: TemporaryWorkspace) => void, string, object])[] = [
      [
        "in other lines",
        (there) => there.put("b/c", "one\n2\nthree\nfour\nV\n"),
        "1->2 b/c",
        { a: "644 one\ntwo\nthree\nfour\nV\n" },
      ],
      ["in the same line", (there) => there.put("b/c", lines), "moved-on b/c", { "b/": "", "b/c": `644 ${lines}` }],
      ["and is gone", (there) => rmSync(join(there.root, "b/c")), "1->2", { a: `644 ${lines}` }],
      [
        "while there is another where it was",
        (there) => {
          there.put("a", "mine");
          there.put("b/c", "one\n2\nthree\nfour\nV\n");
        },
        "moved-on a b/c",
        { a: "644 mine", "b/": "", "b/c": "644 one\n2\nthree\nfour\nV\n" },
      ],
    ];
    test.each(cases)("%s", async (_, act, expected, tree) => {
      const workspace = new TemporaryWorkspace({ a: lines });
      const edit = Edit.replace({ start: 4, end: 7 }, "2");
      const move = workspaceEdit([{ kind: "rename", uri: "a", uriAfter: "b/c", edit }]);
      await writeWorkspaceEdit(workspace.root, workspace.write(move), workspace.options);
      act(workspace);
      expect(await undo(workspace)).toBe(expected);
      expect(workspace.tree()).toEqual(tree);
    });
  });

  test("keeps a created file that was changed since", async () => {
    const workspace = new TemporaryWorkspace();
    const edit = workspaceEdit([{ kind: "create", uri: "a", text: "a" }]);
    await writeWorkspaceEdit(workspace.root, workspace.write(edit), workspace.options);
    appendFileSync(join(workspace.root, "a"), "mine");
    expect(await undo(workspace)).toBe("moved-on a");
    expect(workspace.text("a")).toBe("amine");
  });

  test("does not follow a folder that became a link", async () => {
    const workspace = new TemporaryWorkspace({ "folder/a": "a" });
    await replace(workspace, "folder/a", "a", "x");
    rmSync(join(workspace.root, "folder"), { recursive: true });
    const other = new TemporaryWorkspace({ a: "x" });
    workspace.put("folder", `-> ${other.root}`);
    expect(await undo(workspace)).toBe("moved-on folder/a");
    expect(other.text("a")).toBe("x");
  });

  test("keeps permissions that were changed since", async () => {
    const workspace = new TemporaryWorkspace({ a: "a" });
    await replace(workspace, "a", "a", "b");
    chmodSync(join(workspace.root, "a"), 0o755);
    expect(await undo(workspace)).toBe("1->2");
    expect(workspace.tree()).toEqual({ a: "755 a" });
  });
});

test("the journal drops its oldest entries beyond the limit", async () => {
  const workspace = new TemporaryWorkspace({ a: "0" });
  const options = { ...workspace.options, journal: { ...workspace.options.journal, maxEntries: 3 } };
  for (let i = 0; i < 5; i += 1) {
    const edit = workspaceEdit([{ kind: "edit", uri: "a", edit: Edit.replace({ start: 0, end: 1 }, String(i + 1)) }]);
    await writeWorkspaceEdit(workspace.root, workspace.write(edit), options);
  }
  const ids = (await listJournal(workspace.root, options.journal)).map(({ id }) => id);
  expect(ids).toEqual([5, 4, 3]);
});

test("the journal keeps the newest entry however large it is", async () => {
  const workspace = new TemporaryWorkspace({ a: "0" });
  const options = { ...workspace.options, journal: { ...workspace.options.journal, maxBytes: 10 } };
  for (const text of ["1", "2"]) {
    const edit = workspaceEdit([{ kind: "edit", uri: "a", edit: Edit.replace({ start: 0, end: 1 }, text) }]);
    await writeWorkspaceEdit(workspace.root, workspace.write(edit), options);
  }
  expect((await listJournal(workspace.root, options.journal)).map(({ id }) => id)).toEqual([2]);
});

test("journals of workspaces without a write for 90 days are removed", async () => {
  const workspace = new TemporaryWorkspace({ a: "0" });
  const { journal } = workspace.options;
  const old = join(journal.folder, "old");
  const kept = join(journal.folder, "unfinished");
  for (const [folder, name] of [
    [old, "00000001.entry"],
    [kept, "00000001.pending"],
  ] as const) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, name), "");
    utimesSync(folder, 1000, 1000);
  }
  await replace(workspace, "a", "0", "1");
  expect([existsSync(old), existsSync(kept)]).toEqual([false, true]);
});

test("broken journal entries are left out and change nothing", async () => {
  const workspace = new TemporaryWorkspace({ a: "0" });
  await replace(workspace, "a", "0", "1");
  await replace(workspace, "a", "1", "2");
  const file = join(workspace.top, "state", workspace.journalFiles()[1]!);
  for (const bytes of [readFileSync(file).subarray(0, -1), readFileSync(file).subarray(0, 40), Buffer.from("x")]) {
    writeFileSync(file, bytes);
    expect(await undo(workspace, { id: 2 })).toBe("unknown-id");
    expect(workspace.text("a")).toBe("2");
  }
  expect((await listJournal(workspace.root, workspace.options.journal)).map(({ id }) => id)).toEqual([1]);
});

test("law: writing and undoing restores the tree, and undoing that writes it again", async () => {
  const text = fc
    .array(fc.constantFrom("a", "bc", "\n", "\r\n", "\r", "é", "😀", "\uFEFF"), { maxLength: 12 })
    .map((parts) => parts.join(""));
  const names = ["a.ts", "b.ts", "folder/c.ts", "folder/deep/d.ts", "e.sh"];
  const place = fc.double({ min: 0, max: 1, noNaN: true });
  const action = fc.oneof(
    fc.record({ kind: fc.constant("edit" as const), from: place, to: place, text }),
    fc.record({ kind: fc.constant("delete" as const) }),
    fc.record({
      kind: fc.constant("rename" as const),
      from: place,
      to: place,
      text,
      name: fc.constantFrom("new/x.ts", "y.ts", "folder/z.ts"),
    }),
    fc.record({ kind: fc.constant("keep" as const) }),
  );
  const files = fc.tuple(...names.map(() => fc.tuple(text, fc.boolean(), action)));
  const created = fc.uniqueArray(fc.tuple(fc.constantFrom("made/a.ts", "made/deep/b.ts", "c2.ts"), text), {
    selector: ([name]) => name,
  });

  const law = fc.asyncProperty(files, created, fc.boolean(), async (drawn, made, hasLink) => {
    const workspace = new TemporaryWorkspace();
    const taken = new Set<string>();
    const changes: FileChange[] = made.map(([uri, created]) => ({ kind: "create", uri, text: created }));
    for (const [i, [content, isExecutable, act]] of drawn.entries()) {
      const uri = names[i]!;
      workspace.put(uri, Buffer.from(content));
      if (isExecutable) chmodSync(join(workspace.root, uri), 0o755);
      if (act.kind === "keep") continue;
      if (act.kind === "delete") {
        changes.push({ kind: "delete", uri });
        continue;
      }
      const [start, end] = [act.from, act.to]
        .map((at) => Math.round(at * content.length))
        .sort((one, other) => one - other);
      const edit = Edit.replace({ start: start!, end: end! }, act.text).normalize(content);
      if (act.kind === "edit") changes.push({ kind: "edit", uri, edit });
      else if (!taken.has(act.name)) {
        taken.add(act.name);
        changes.push({ kind: "rename", uri, uriAfter: act.name, edit });
      }
    }
    if (hasLink) {
      workspace.put("link.ts", "-> b.ts");
      changes.push({ kind: "delete", uri: "link.ts" });
    }
    const before = workspace.tree();
    const edit = workspaceEdit(changes);
    const files = workspace.files(...edit.changes.filter(({ kind }) => kind !== "create").map(({ uri }) => uri));
    const outcome = await writeWorkspaceEdit(workspace.root, { edit, files, instruction: "" }, workspace.options);
    const after = workspace.tree();
    expect(outcome.kind).toBe(isDeepStrictEqual(after, before) ? "unchanged" : "written");
    fc.pre(outcome.kind === "written");
    expect(await undo(workspace)).toBe("1->2");
    expect(workspace.tree()).toEqual(before);
    expect(await undo(workspace, { id: 2 })).toBe("2->3");
    expect(workspace.tree()).toEqual(after);
  });
  await fc.assert(law, { numRuns: Math.ceil((fc.readConfigureGlobal().numRuns ?? 100) / 4) });
});

describe("row 42: undo lists older edits when the newest one cannot be reverted", () => {
  /**
   * Each `path before after` is an edit; then the files are set as given, and one edit is undone.
   */
  const cases: readonly (readonly [
    name: string,
    edits: readonly string[],
    put: Readonly<Record<string, string>>,
    expected: string,
  ])[] = [
    [
      "its file as it was, an older edit of another one",
      ["a one 1", "b one 1"],
      { b: lines },
      "undone-already 2, older 1 a",
    ],
    ["both as they were", ["a one 1", "b one 1"], { a: lines, b: lines }, "undone-already 2, older"],
    [
      "two edits of one line, as before both",
      ["c two 2", "a one 1", "a 1 I"],
      { a: lines },
      "undone-already 3, older 1 c",
    ],
    [
      "two edits of lines apart, as before both",
      ["c two 2", "a one 1", "a five 5"],
      { a: lines },
      "undone-already 3, older 1 c",
    ],
    [
      "changed in the same line",
      ["c two 2", "b one 1", "a one 1"],
      { a: "0\ntwo\n", c: `${lines}six\n` },
      "moved-on 3 a, older 2 b",
    ],
    ["more than one older edit", ["c two 2", "b one 1", "a one 1"], { a: lines }, "undone-already 3, older 2 b 1 c"],
  ];
  for (const [name, edits, put, expected] of cases) {
    test(`row 42: ${name}`, async () => {
      const workspace = new TemporaryWorkspace({ a: lines, b: lines, c: lines });
      for (const edit of edits) {
        const [path, before, after] = edit.split(" ");
        await replace(workspace, path!, before!, after!);
      }
      for (const [path, text] of Object.entries(put)) workspace.put(path, text);
      for (let times = 0; times < 2; times++) expect(await undoOffered(workspace)).toBe(expected);
      const ids = Array.from(expected.matchAll(/(?<=older )\d+/g), Number);
      for (const id of ids) expect(await undo(workspace, { id })).toContain(`${id}->`);
    });
  }

  test("row 42: undo of several edits stops at the next one that cannot be reverted", async () => {
    const workspace = new TemporaryWorkspace({ a: lines, b: lines, c: lines });
    for (const path of ["a", "b", "c"]) await replace(workspace, path, "one", "1");
    workspace.put("b", lines);
    expect(await undo(workspace, { steps: 3 })).toBe("3->4, undone-already");
    expect(await undoOffered(workspace)).toBe("undone-already 2, older 1 a");
  });

  test("row 42: undo lists older edits when an entry cannot be read", async () => {
    const workspace = new TemporaryWorkspace({ a: lines, b: lines });
    await replace(workspace, "a", "one", "1");
    await replace(workspace, "b", "one", "1");
    const folder = new EditJournal(realpathSync(workspace.root), workspace.options.journal).folder;
    const newest = join(
      folder,
      readdirSync(folder)
        .filter((name) => name.endsWith(".entry"))
        .sort()
        .at(-1)!,
    );
    writeFileSync(newest, readFileSync(newest).subarray(0, -1));
    expect(await undoOffered(workspace)).toBe("unknown-id 2, older 1 a");
  });
});

test.each([
  ["one file", ["a one 1"], "hard-link 1 a, older"],
  ["the newest of two edits", ["b one 1", "a one 1"], "hard-link 2 a, older 1 b"],
  ["one of two edits of the file", ["a two 2", "a one 1"], "hard-link 2 a, older"],
])("row 31: an edit of a file that has hard links by now is not taken back: %s", async (_, edits, expected) => {
  const workspace = new TemporaryWorkspace({ a: lines, b: lines });
  for (const edit of edits) {
    const [path, before, after] = edit.split(" ");
    await replace(workspace, path!, before!, after!);
  }
  const edited = workspace.text("a");
  linkSync(join(workspace.root, "a"), join(workspace.root, "other"));
  expect(await undoOffered(workspace)).toBe(expected);
  expect([workspace.text("a"), workspace.text("other")]).toEqual([edited, edited]);
  expect(statSync(join(workspace.root, "a")).nlink).toBe(2);
});

/** The reason that stops the undo of the newest edit, and the older edits that are listed. */
async function undoOffered(workspace: TemporaryWorkspace): Promise<string> {
  const { undone, stopped } = await undoEdits(workspace.root, { steps: 1 }, workspace.options);
  expect(undone).toEqual([]);
  if (stopped === undefined || !("older" in stopped)) return stopped?.kind ?? "undone";
  const paths = "paths" in stopped ? stopped.paths : [];
  const older = (stopped.older ?? []).map(({ id, paths: [path] }) => `${id} ${path}`);
  return `${[stopped.kind, stopped.id, ...paths].join(" ")}, ${["older", ...older].join(" ")}`;
}
