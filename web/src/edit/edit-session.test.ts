import fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import type { TextDocumentEdit, TextEdit, WorkspaceEdit } from "vscode-languageserver-protocol";
import type { EditAnswer } from "../../../src/server/edit/edit-command.ts";
import { minimalEdit } from "../../../src/text/index.ts";
import { ScriptedPage } from "../fixtures/scripted-page.ts";
import { initialScope, linesOf, targetsOf } from "./edit-scope.ts";
import { EditSession } from "./edit-session.ts";
import { afterEvent, resting } from "./edit-stage.ts";
import { readExplanation } from "./explanation-lines.ts";
import { PathFinder } from "./path-choice.ts";
import { applyTextEdits, chosenFiles, editOf, proposedFiles, undoOf } from "./proposed-files.ts";

const request = { instruction: "Take a rate.", uris: ["file:///shop/src/price.ts"] };
const price = "export function price(euros: number) {\n  return euros * 100;\n}\n";
const edit: WorkspaceEdit = {
  documentChanges: [
    {
      textDocument: { uri: "file:///shop/src/price.ts", version: 3 },
      edits: [
        { range: { start: { line: 0, character: 35 }, end: { line: 0, character: 35 } }, newText: ", rate: number" },
        { range: { start: { line: 1, character: 17 }, end: { line: 1, character: 20 } }, newText: "rate" },
      ],
    },
  ],
};

function answerOf(part: Partial<EditAnswer> = {}): EditAnswer {
  return {
    kind: "offered",
    model: "a chat",
    isApplied: false,
    explanation: "Edit 1 file.\n",
    notes: [],
    edit,
    ...part,
  };
}

let page: ScriptedPage;
let session: EditSession;
function open(files: Readonly<Record<string, string>> = { "src/price.ts": price }): void {
  page = new ScriptedPage(files);
  session = new EditSession(page.services);
}
afterEach(() => session?.[Symbol.dispose]());

describe("EditSession", () => {
  test("shows the written text, offers the change, applies it, and undoes it", async () => {
    open();
    const finished = session.ask(request);
    const { params, answer } = await page.next("workspace/executeCommand");
    const [argument] = (params as { arguments: [{ preview: string; isReviewed: boolean }] }).arguments;
    expect(argument).toMatchObject({ ...request, isReviewed: true });
    const uri = request.uris[0]!;
    const preview = {
      model: "m",
      activity: "is asked",
      files: [{ uri, path: "src/price.ts", before: price, after: "" }],
    };
    page.send("emend/edit/preview", { ...preview, preview: "another" });
    expect(session.stage.value).not.toHaveProperty("preview");
    page.send("emend/edit/preview", { ...preview, preview: argument.preview });
    expect(session.stage.value).toMatchObject({ kind: "requesting", preview: { activity: "is asked" } });
    answer(answerOf());
    await finished;
    expect(session.stage.value).toMatchObject({ kind: "reviewing", files: [{ path: "src/price.ts", version: 3 }] });
    await session.accept();
    expect(page.texts.get("src/price.ts")).toBe(
      "export function price(euros: number, rate: number) {\n  return euros * rate;\n}\n",
    );
    expect(session.stage.value).toMatchObject({ kind: "applied", isUndone: false });
    await session.undo();
    expect(page.texts.get("src/price.ts")).toBe(price);
    expect(session.stage.value).toMatchObject({ kind: "applied", isUndone: true });
  });

  test("an applied change is sent to the server with its texts, as far as it was chosen", async () => {
    open();
    const finished = session.ask(request);
    (await page.next("workspace/executeCommand")).answer(answerOf());
    await finished;
    expect(page.notified).toEqual([]);
    await session.accept();
    const after = page.texts.get("src/price.ts");
    const files = [{ uri: request.uris[0], before: price, after }];
    expect(page.notified).toEqual([["emend/edit/applied", { instruction: "Take a rate.", files }]]);
  });

  test("offers the last edit on disk, and undoes it or says why not", async () => {
    open();
    const edit = { id: 3, instruction: "Take a rate.", paths: ["src/price.ts"] };
    const found = session.findLast();
    (await page.next("emend/edit/last")).answer(edit);
    await found;
    expect(session.last.value).toEqual({ edit, isUndone: false });
    const refused = session.undoLast();
    const { params, answer } = await page.next("emend/edit/undo");
    expect(params).toEqual({ id: 3 });
    answer({ isUndone: false, failureReason: "src/price.ts has unsaved changes." });
    await refused;
    expect(session.last.value).toEqual({ edit, isUndone: false, problem: "src/price.ts has unsaved changes." });
    const undone = session.undoLast();
    (await page.next("emend/edit/undo")).answer({ isUndone: true, edit, undoneBy: 4 });
    await undone;
    expect(session.last.value).toEqual({ edit, isUndone: true });
    const none = session.findLast();
    (await page.next("emend/edit/last")).answer(null);
    await none;
    expect(session.last.value).toBeUndefined();
  });

  test("does not undo files that have changed since", async () => {
    open();
    const finished = session.ask(request);
    (await page.next("workspace/executeCommand")).answer(answerOf());
    await finished;
    await session.accept();
    page.texts.set("src/price.ts", "mine");
    await session.undo();
    expect(page.texts.get("src/price.ts")).toBe("mine");
    expect(session.stage.value).toMatchObject({
      kind: "applied",
      isUndone: false,
      problem: expect.stringContaining("src/price.ts has changed since"),
    });
  });

  /** Requests an edit, changes the file as by the user after the answer, and accepts. */
  async function acceptAfter(now: string | undefined): Promise<void> {
    open();
    const finished = session.ask(request);
    (await page.next("workspace/executeCommand")).answer(answerOf());
    await finished;
    page.texts.delete("src/price.ts");
    if (now !== undefined) page.texts.set("src/price.ts", now);
    await session.accept();
  }

  test.each([
    ["above", `// Prices.\n${price}`],
    ["below", `${price}let x;\n`],
  ])("accepting keeps a later change of a line %s the change, also after an undo", async (_, now) => {
    await acceptAfter(now);
    const merged = now.replace("euros: number", "euros: number, rate: number").replace("* 100", "* rate");
    expect(page.texts.get("src/price.ts")).toBe(merged);
    expect(session.stage.value).toMatchObject({ kind: "applied", files: [{ before: now, after: merged }] });
    await session.undo();
    expect(page.texts.get("src/price.ts")).toBe(now);
  });

  test.each([
    [
      "a line of the change is changed",
      price.replace("100;", "10;"),
      "src/price.ts was changed since in the same lines.",
    ],
    ["the file is gone", undefined, "src/price.ts no longer exists."],
  ])("accepting is refused where %s, with the reason", async (_, now, reason) => {
    await acceptAfter(now);
    expect(page.texts.get("src/price.ts")).toBe(now);
    expect(session.stage.value).toMatchObject({ kind: "reviewing", problem: expect.stringContaining(reason) });
  });

  test("reads an answer for the text that it was made for, also where that changed while it arrived", async () => {
    open();
    const finished = session.ask(request);
    const { params, answer } = await page.next("workspace/executeCommand");
    const { preview } = (params as { arguments: [{ preview: string }] }).arguments[0];
    const file = { uri: request.uris[0]!, path: "src/price.ts", before: price, after: "" };
    page.send("emend/edit/preview", { preview, model: "m", activity: "has answered", files: [file] });
    page.texts.set("src/price.ts", `// Prices.\n${price}`);
    answer(answerOf());
    await finished;
    expect(session.stage.value).toMatchObject({ kind: "reviewing", files: [{ before: price }] });
    await session.accept();
    expect(page.texts.get("src/price.ts")).toContain("// Prices.\nexport function price(euros: number, rate: number)");
  });

  test("reports a change that the editor rejects, which can be tried again", async () => {
    open();
    const finished = session.ask(request);
    (await page.next("workspace/executeCommand")).answer(answerOf());
    await finished;
    page.refusal = "src/price.ts has changed since the request.";
    await session.accept();
    expect(session.stage.value).toMatchObject({ kind: "reviewing", problem: page.refusal });
  });

  test("shows a server's error unchanged, and reports none when it is stopped", async () => {
    open();
    const finished = session.ask(request);
    (await page.next("workspace/executeCommand")).fail("Set `emend.edit.model` to a chat model.");
    await finished;
    expect(session.stage.value).toEqual({ kind: "failed", message: "Set `emend.edit.model` to a chat model." });
    const again = session.ask(request);
    await page.next("workspace/executeCommand");
    session.stop();
    await again;
    expect(session.stage.value).toEqual(resting);
  });

  test("ignores results of earlier requests", async () => {
    open();
    const first = session.ask(request);
    const older = await page.next("workspace/executeCommand");
    const second = session.ask(request);
    await page.next("workspace/executeCommand");
    older.answer(answerOf());
    await first;
    expect(session.stage.value.kind).toBe("requesting");
    session.stop();
    await second;
  });

  test("reads a chat's answer without an instruction and without files", async () => {
    open();
    const finished = session.ask({ instruction: "", uris: [] }, "the answer");
    const { params, answer } = await page.next("workspace/executeCommand");
    const [argument] = (params as { arguments: [object] }).arguments;
    expect(argument).toMatchObject({ answer: "the answer", isReviewed: true });
    expect(argument).not.toHaveProperty("uris");
    expect(argument).not.toHaveProperty("instruction");
    answer(answerOf({ kind: "refused" }));
    await finished;
  });
});

describe("a WorkspaceEdit", () => {
  const source = (texts: Readonly<Record<string, string>>) => ({
    textOf: async (uri: string) => texts[uri],
    pathOf: (uri: string) => uri,
  });

  test("reads created, deleted and renamed files", async () => {
    const start = { line: 0, character: 0 };
    const files = await proposedFiles(
      {
        documentChanges: [
          { kind: "delete", uri: "gone" },
          { textDocument: { uri: "old", version: null }, edits: [{ range: { start, end: start }, newText: "1" }] },
          { kind: "rename", oldUri: "old", newUri: "new" },
          { kind: "create", uri: "made" },
          { textDocument: { uri: "made", version: null }, edits: [{ range: { start, end: start }, newText: "2\n" }] },
        ],
      },
      source({ gone: "g\n", old: "o\n" }),
    );
    expect(files).toEqual([
      { uri: "gone", path: "gone", before: "g\n", after: null, version: null },
      { uri: "old", path: "old", before: "o\n", after: "1o\n", version: null, moved: { uri: "new", path: "new" } },
      { uri: "made", path: "made", before: null, after: "2\n", version: null },
    ]);
    const undo = undoOf(files);
    expect(undo.documentChanges).toMatchObject([
      { kind: "create", uri: "gone" },
      { textDocument: { uri: "gone" } },
      { textDocument: { uri: "new" } },
      { kind: "rename", oldUri: "new", newUri: "old" },
      { kind: "delete", uri: "made" },
    ]);
  });

  test("is refused for a missing file", async () => {
    const start = { line: 0, character: 0 };
    const changes = { x: [{ range: { start, end: start }, newText: "1" }] };
    await expect(proposedFiles({ changes }, source({}))).rejects.toThrow("x no longer exists");
  });

  const anyText = fc
    .array(fc.constantFrom("a\n", "b\r\n", "ü😀\n", "\n", "x"), { maxLength: 30 })
    .map((parts) => parts.join(""));

  test("of files with some chosen hunks gives their texts, for the version of the document", () => {
    const quiet = Array.from({ length: 12 }, (_, i) => `quiet ${i}\n`).join("");
    const places = fc.array(fc.tuple(anyText, anyText), { minLength: 2, maxLength: 4 });
    fc.assert(
      fc.property(places, fc.array(fc.boolean(), { maxLength: 4 }), (texts, choice) => {
        const [before, after] = [0, 1].map((side) => texts.map((pair) => pair[side]).join(quiet)) as [string, string];
        const file = { uri: "a", path: "a", before, after, version: 7 };
        const chosen = chosenFiles([file], (_, hunk) => choice[hunk] ?? false);
        fc.pre(chosen.length > 0);
        const { textDocument, edits } = onlyChange(editOf(chosen));
        expect(textDocument.version).toBe(7);
        expect(applyTextEdits(before, edits as TextEdit[])).toBe(chosen[0]!.after);
      }),
    );
  });

  test("undoOf restores the text before", () => {
    fc.assert(
      fc.property(anyText, anyText, (before, after) => {
        fc.pre(minimalEdit(before, after).edits.length > 0);
        const { edits } = onlyChange(undoOf([{ uri: "a", path: "a", before, after, version: 7 }]));
        expect(applyTextEdits(after, edits as TextEdit[])).toBe(before);
      }),
    );
  });
});

function onlyChange({ documentChanges = [] }: WorkspaceEdit): TextDocumentEdit {
  expect(documentChanges).toHaveLength(1);
  return documentChanges[0] as TextDocumentEdit;
}

test("hunks can be deselected and selected again only while an answer is reviewed", () => {
  const reviewing = { kind: "reviewing", answer: answerOf(), files: [], leftOut: new Set<never>() } as const;
  const out = afterEvent(reviewing, { kind: "chosen", hunks: ["0:0", "0:1"], isTaken: false });
  const one = afterEvent(out, { kind: "chosen", hunks: ["0:1"], isTaken: true });
  expect(one).toMatchObject({ leftOut: new Set(["0:0"]) });
  expect(afterEvent(resting, { kind: "chosen", hunks: ["0:0"], isTaken: false })).toBe(resting);
});

test("an explanation is read line by line, each with its details", () => {
  const text = `A part of the answer could not be used.
  refused    src/a.ts, row 3 of the answer: The lines are not there.
  most similar:
       7 | let x
  warning    a.ts shrinks
`;
  expect(readExplanation(text)).toEqual([
    { kind: "headline", text: "A part of the answer could not be used.", details: [] },
    {
      kind: "refused",
      text: "src/a.ts, row 3 of the answer: The lines are not there.",
      details: ["  most similar:", "       7 | let x"],
    },
    { kind: "warning", text: "a.ts shrinks", details: [] },
  ]);
});

test.each([
  ["0:0-0:0", undefined],
  ["2:4-2:9", "3-3"],
  ["2:0-5:0", "3-5"],
  ["2:4-5:1", "3-6"],
])("the selection %s covers the lines %j", (written, lines) => {
  const [start, end] = written.split("-").map((place) => {
    const [line, character] = place.split(":").map(Number);
    return { line: line!, character: character! };
  });
  const found = linesOf({ start: start!, end: end! });
  expect(found && `${found.first}-${found.last}`).toBe(lines);
});

test("the initial scope is the visible file with its selected lines", () => {
  const range = { start: { line: 1, character: 0 }, end: { line: 3, character: 0 } };
  const scope = { ...initialScope, active: { uri: "a", range }, added: ["b", "a"] };
  expect(targetsOf(scope)).toEqual({ uris: ["a", "b"], range });
  expect(targetsOf({ ...scope, usesSelection: false })).toEqual({ uris: ["a", "b"] });
  expect(targetsOf({ ...scope, isActiveExcluded: true })).toEqual({ uris: ["b", "a"] });
});

describe("a typed path", () => {
  const entry = (path: string, kind: "file" | "folder" = "file", isIgnored = false) => {
    return { path, name: path.split("/").at(-1)!, kind, isIgnored };
  };
  const folders: Readonly<Record<string, ReturnType<typeof entry>[]>> = {
    "": [
      entry("src", "folder"),
      entry("dist", "folder", true),
      entry("empty", "folder"),
      entry("key.pem", "file", true),
      entry("readme.md"),
    ],
    empty: [],
    src: [entry("src/cart.ts"), entry("src/my-cart.ts"), entry("src/art.ts")],
  };
  let requested: string[] = [];
  const paths = ["readme.md", "src/art.ts", "src/cart.ts", "src/my-cart.ts"];
  const finder = () => {
    requested = [];
    return new PathFinder({
      paths: async () => {
        requested.push("paths");
        return paths;
      },
      list: async (folder) => {
        requested.push(folder);
        return folders[folder]!;
      },
    });
  };

  test.each([
    ["", "src empty readme.md"],
    ["read", "readme.md"],
    ["my", "src/my-cart.ts +my"],
    ["sr", "src src/art.ts src/cart.ts src/my-cart.ts"],
    ["srcmy", "src/my-cart.ts +srcmy"],
    ["cart.ts", "src/cart.ts src/my-cart.ts src/art.ts +cart.ts"],
    ["Makefile", "+Makefile"],
    ["src/", "cart.ts my-cart.ts art.ts"],
    ["src/Cart", "cart.ts my-cart.ts"],
    ["src/cart.ts", "cart.ts my-cart.ts"],
    ["src/sum.ts", "+src/sum.ts"],
    ["src/rt.ts", "cart.ts my-cart.ts art.ts +src/rt.ts"],
    ["new/place/sum.ts", "+new/place/sum.ts (new new/place)"],
    ["src/Makefile", "+src/Makefile"],
    ["new/", "There is no folder new. Type a name after it for a new file."],
    ["./src/sum.ts", "+src/sum.ts"],
    ["empty/", "empty has no files."],
    ["../sum.ts", "A path that leaves this folder cannot be edited."],
    ["src/../../sum.ts", "A path that leaves this folder cannot be edited."],
    ["/sum.ts", "Type a path that starts in this folder, such as src/price.ts."],
    ["~/sum.ts", "Type a path that starts in this folder, such as src/price.ts."],
    ["C:\\sum.ts", "Write / between folders."],
    ["key.pem", "key.pem is ignored and is not sent to models."],
    ["readme.md/sum.ts", "readme.md is a file."],
  ])("%j offers %s", async (typed, meant) => {
    const { entries, problem } = await finder().choicesFor(typed);
    const names = entries
      .map(({ name, path, isNew, newFolder, isElsewhere }) =>
        isNew ? `+${path}${newFolder === undefined ? "" : ` (new ${newFolder})`}` : isElsewhere ? path : name,
      )
      .join(" ");
    expect(problem ?? names).toBe(meant);
  });

  test("requests each folder and the paths once, and no missing folder", async () => {
    const found = finder();
    const path = "src/new/sum.ts";
    for (const at of path.split("").keys()) await found.choicesFor(path.slice(0, at + 1));
    expect(requested).toEqual(["", "paths", "src"]);
  });

  test("is requested again after a failure", async () => {
    let lost = "";
    const request = async <Answer>(name: string, answer: Answer) =>
      name === lost ? Promise.reject(new Error("The server is gone.")) : answer;
    const found = new PathFinder({ list: () => request("list", folders[""]!), paths: () => request("paths", paths) });
    for (const name of ["list", "paths"]) {
      lost = name;
      await expect(found.choicesFor("art")).rejects.toThrow("The server is gone.");
    }
    lost = "";
    expect((await found.choicesFor("art")).entries).toHaveLength(4);
  });
});
