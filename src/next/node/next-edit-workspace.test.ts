import { setImmediate } from "node:timers/promises";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { AccessVerdict } from "../../complete/index.ts";
import { printPastEdit } from "../../context/index.ts";
import { openSyntax } from "../../syntax/node/index.ts";
import { Edit } from "../../text/index.ts";
import { MemoryFileSystem, type WatchRequest } from "../../workspace/index.ts";
import { systemClock } from "../../workspace/node/index.ts";
import type { NextEditRequest } from "../engine/gate.ts";
import { defaultNextEditSettings, type NextEditSettings } from "../engine/settings.ts";
import { policies } from "../fixtures/policies.ts";
import { ScriptedChat } from "../fixtures/scripted-chat.ts";
import type { PromptInputSettings } from "../providers/model/prompt-input-settings.ts";
import type { NextEditProvider } from "../providers/next-edit-provider.ts";
import { NextEditProviders } from "./next-edit-providers.ts";
import { NextEditWorkspace, type NextEditWorkspaceOptions } from "./next-edit-workspace.ts";

const opened: AsyncDisposable[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one[Symbol.asyncDispose]();
});

/**
 * A workspace at `/w` with these files, and functions to change its disk as a watcher would report
 * it.
 */
async function open(files: Readonly<Record<string, string>>, more: Partial<NextEditWorkspaceOptions> = {}) {
  let time = 0;
  const absolute = Object.fromEntries(Object.entries(files).map(([path, text]) => [`/w/${path}`, text]));
  const disk = new MemoryFileSystem({ "/w/.git/HEAD": "ref: refs/heads/main\n", ...absolute }, () => time);
  const syntax = openSyntax();
  const problems: string[] = [];
  let watched: WatchRequest | undefined;
  const workspace = new NextEditWorkspace({
    ...{ root: "/w", fileSystem: disk, clock: systemClock, syntax, settings: defaultNextEditSettings },
    async watch(request) {
      watched = request;
      return { add: () => undefined, async [Symbol.asyncDispose]() {} };
    },
    openTypes: null,
    yieldThread: () => setImmediate(),
    onProblem: (message) => void problems.push(message),
    ...more,
  });
  opened.push(workspace, {
    async [Symbol.asyncDispose]() {
      syntax[Symbol.dispose]();
    },
  });
  await workspace.ready;
  return {
    ...{ workspace, disk, problems },
    write(path: string, text: string | undefined) {
      time += 1;
      if (text === undefined) disk.remove(`/w/${path}`);
      else disk.writeFile(`/w/${path}`, text);
      watched?.onChange(`/w/${path}`);
    },
    containing: (word: string) => [...workspace.files.containing([word])].sort(),
    history: () => workspace.engine.history.map((edit) => printPastEdit(edit)),
  };
}

/** Replaces the first `from` of a text. */
function replacing(text: string, from: string, to: string): Edit {
  const start = text.indexOf(from);
  return Edit.replace({ start, end: start + from.length }, to);
}

describe("recently viewed snippets", () => {
  const numbers = Array.from({ length: 300 }, (_, line) => `${line};\n`).join("");
  const suggest = (path: string, offset: number, text = numbers): NextEditRequest => ({
    ...{ document: { uri: path, language: "plaintext", version: 1, text }, path, offset },
    trigger: "invoked",
  });

  /** The numbers that the snippets of the last prompt contain, by file. */
  function shownIn(chat: ScriptedChat): Readonly<Record<string, readonly number[]>> {
    const snippets = chat.requests.at(-1)!.matchAll(/snippet_file_path: (\S+)\n([\s\S]*?)<\|\//g);
    return Object.fromEntries(
      [...snippets].map(([, path, text]) => [path!, (text!.match(/\d+(?=;)/g) ?? []).map(Number)]),
    );
  }

  function settings(scene: Partial<PromptInputSettings> = {}): NextEditSettings {
    const { context: all, ...rest } = defaultNextEditSettings;
    return { ...rest, format: "unified", origins: ["model"], context: { ...all, ...scene } };
  }

  async function openWithPrompts(more: Partial<NextEditWorkspaceOptions> = {}) {
    const chat = new ScriptedChat(["<NO_CHANGE>"]);
    const { workspace } = await open({}, { settings: settings(), model: chat.parts, ...more });
    for (const path of ["a", "b", "c"]) workspace.open(path, numbers);
    workspace.show(["a", "b", "c"]);
    workspace.change("a", numbers, Edit.insert(0, "x"));
    return { workspace, chat };
  }

  test("are sent to a model, around the last cursor of each file, within the limits of the settings", async () => {
    const { workspace, chat } = await openWithPrompts({ settings: settings({ viewedSnippets: 2, viewedTokens: 60 }) });
    workspace.change("b", numbers, Edit.insert(numbers.indexOf("\n200;") + 1, "x"));
    await workspace.suggest(suggest("c", numbers.indexOf("\n100;") + 1));
    expect(shownIn(chat)).toMatchObject({ a: expect.arrayContaining([0]), b: expect.arrayContaining([200]) });
    await workspace.suggest(suggest("a", 0, `x${numbers}`));
    const { b = [], c = [] } = shownIn(chat);
    expect([Object.keys(shownIn(chat)), b.includes(200), c.includes(100)]).toEqual([["c", "b"], true, true]);
    expect([b.length < 30, c.length < 30]).toEqual([true, true]);
  });

  test.each<[name: string, choice: Partial<NextEditWorkspaceOptions>, shown: readonly string[]]>([
    ["of nothing where no snippets are wanted", { settings: settings({ viewedSnippets: 0 }) }, []],
    ["of no file that is too long", { settings: { ...settings(), maxDocumentCharacters: 1300 } }, []],
    ["of all others", {}, ["b", "c"]],
  ])("%s", async (_, choice, shown) => {
    const { workspace, chat } = await openWithPrompts(choice);
    await workspace.suggest(suggest("a", 0, "x"));
    expect(Object.keys(shownIn(chat)).sort()).toEqual(shown);
  });

  test("are left out once the file may not be read", async () => {
    const ignored = new Set<string>();
    const access = (path: string): AccessVerdict =>
      ignored.has(path) ? { kind: "ignored", by: "a rule" } : { kind: "allowed" };
    const { workspace, chat } = await openWithPrompts({ access });
    ignored.add("b");
    await workspace.suggest(suggest("a", 0, `x${numbers}`));
    expect(Object.keys(shownIn(chat))).toEqual(["c"]);
  });
});

describe("the texts", () => {
  test("are those of the disk, but not of secret, ignored and binary files", async () => {
    const key = "-----BEGIN PRIVATE KEY-----\nMIIE\n";
    const { workspace, containing } = await open({
      ...{ "a.ts": "one();", "b/c.py": "one = 1", ".env": "one=1", "out/d.ts": "one();", ".gitignore": "out/\n" },
      ...{ "key.ts": key, "x.bin": "one\0" },
    });
    expect(containing("one")).toEqual(["a.ts", "b/c.py"]);
    expect([workspace.size, workspace.files.textOf("key.ts"), workspace.files.textOf(".env")]).toEqual([
      2,
      undefined,
      undefined,
    ]);
  });

  test("have no byte order mark, so that offsets are those of an editor", async () => {
    const { workspace } = await open({ "a.ts": "\uFEFFone();" });
    expect(workspace.files.textOf("a.ts")).toBe("one();");
  });

  test("end at the limit, which is reported", async () => {
    const { problems, workspace } = await open({ "a.ts": "1234", "b.ts": "567890", "c.ts": "1" }, { maxCharacters: 5 });
    expect([workspace.size, workspace.files.textOf("b.ts")]).toEqual([2, undefined]);
    expect(problems).toEqual(["/w has more source than next edits look at: 5 characters."]);
  });

  test("are the editor's while a file is open, and the disk's afterwards", async () => {
    const { workspace, write, containing, history } = await open({ "a.ts": "one();\n", "b.ts": "two();\n" });
    workspace.open("a.ts", "one();\n");
    workspace.show(["a.ts", "nowhere.ts"]);
    expect(workspace.files.open).toEqual(["a.ts"]);
    workspace.change("a.ts", "one();\n", replacing("one();\n", "one", "three"));
    expect([containing("one"), containing("three"), history().length]).toEqual([[], ["a.ts"], 1]);
    write("a.ts", "other();\n");
    await expect.poll(() => workspace.settled().then(() => containing("three"))).toEqual(["a.ts"]);
    workspace.close("a.ts");
    await expect.poll(() => containing("other")).toEqual(["a.ts"]);
    // Unsaved text is lost, and no next edit follows from it.
    expect([containing("three"), history()]).toEqual([[], []]);
  });

  test.each([
    ["changed on the disk", "other();\n"],
    ["removed", undefined],
  ])("row 14: caches of a closed document that was %s are dropped again without its history", async (_, onDisk) => {
    const { workspace, write, history } = await open({ "a.ts": "one();\n" });
    workspace.open("a.ts", "one();\n");
    workspace.change("a.ts", "one();\n", replacing("one();\n", "one", "three"));
    const dropped: unknown[] = [];
    const drop = vi.spyOn(NextEditProviders.prototype, "close").mockImplementation((path) => {
      dropped.push([path, history().length]);
    });
    write("a.ts", onDisk);
    workspace.close("a.ts");
    // A request between the two reads the texts of the history.
    await expect
      .poll(() => dropped)
      .toEqual([
        ["a.ts", 1],
        ["a.ts", 0],
      ]);
    drop.mockRestore();
  });

  test("a document that was saved before it was closed keeps its history", async () => {
    const { workspace, write, history } = await open({ "a.ts": "one();\n" });
    workspace.open("a.ts", "one();\n");
    workspace.change("a.ts", "one();\n", replacing("one();\n", "one", "two"));
    write("a.ts", "two();\n");
    workspace.close("a.ts");
    await workspace.settled();
    expect(history()).toHaveLength(1);
  });

  test("a document that an editor moves keeps its history", async () => {
    const { workspace, write, containing } = await open({ "a.ts": "one();\n" });
    workspace.open("a.ts", "one();\n");
    workspace.change("a.ts", "one();\n", replacing("one();\n", "one", "two"));
    write("a.ts", undefined);
    write("b.ts", "two();\n");
    workspace.close("a.ts");
    workspace.open("b.ts", "two();\n");
    await expect.poll(() => workspace.settled().then(() => containing("two"))).toEqual(["b.ts"]);
    expect(workspace.engine.history.map(({ path }) => path)).toEqual(["b.ts"]);
  });

  test("of open secret documents are not kept", async () => {
    const { workspace, history } = await open({});
    workspace.open(".env", "KEY=1\n");
    workspace.change(".env", "KEY=1\n", replacing("KEY=1\n", "1", "2"));
    workspace.open("a.ts", "x\n");
    const key = "-----BEGIN PRIVATE KEY-----\nMIIE0123456789\n";
    workspace.change("a.ts", "x\n", replacing("x\n", "x", key));
    expect([workspace.files.textOf(".env"), workspace.files.textOf("a.ts"), history()]).toEqual([
      undefined,
      undefined,
      [],
    ]);
  });

  test("of documents outside a folder are those of open ones", async () => {
    const { workspace, history } = await open({}, { root: undefined });
    workspace.open("home/x/a.py", "one = 1\n");
    workspace.change("home/x/a.py", "one = 1\n", replacing("one = 1\n", "one", "two"));
    expect([workspace.files.containing(["two"]), history().length]).toEqual([["home/x/a.py"], 1]);
    workspace.close("home/x/a.py");
    expect([workspace.files.containing(["two"]), history()]).toEqual([[], []]);
  });
});

describe("changes on the disk", () => {
  const before = { "a.ts": "one();\n", "b.ts": "two();\n" };

  test("of files that are not open are followed, and are no edits of the user", async () => {
    const { write, containing, history } = await open(before);
    write("a.ts", "three();\n");
    await expect.poll(() => containing("three")).toEqual(["a.ts"]);
    expect(history()).toEqual([]);
  });

  test("are edits of the user where there is no editor", async () => {
    const { write, containing, history } = await open(before, { diskChanges: "person" });
    write("a.ts", "three();\n");
    await expect.poll(() => containing("three")).toEqual(["a.ts"]);
    expect(history()).toHaveLength(1);
  });

  test("a file that is moved takes its history with it", async () => {
    const { write, containing, workspace } = await open(before, { diskChanges: "person" });
    write("a.ts", "three();\n");
    await expect.poll(() => containing("three")).toEqual(["a.ts"]);
    write("a.ts", undefined);
    write("c/d.ts", "three();\n");
    await expect.poll(() => containing("three")).toEqual(["c/d.ts"]);
    expect(workspace.engine.history.map(({ path }) => path)).toEqual(["c/d.ts"]);
  });

  /** The events of an editor that moves a file, and of the disk, in any order. */
  test.each<readonly [order: string]>([
    ["gone came close open"],
    ["close open gone came"],
    ["open gone close"],
    ["came open close gone"],
    ["came gone open close"],
  ])("a file that is moved while it is open takes its history with it: %s", async (order) => {
    const { write, containing, workspace } = await open(before);
    const text = "three();\n";
    workspace.open("a.ts", before["a.ts"]);
    workspace.change("a.ts", before["a.ts"], replacing(before["a.ts"], "one", "three"));
    write("a.ts", text);
    const changes: Readonly<Record<string, () => unknown>> = {
      gone: () => write("a.ts", undefined),
      async came() {
        write("c/d.ts", text);
        await expect.poll(() => containing("three")).toContain("c/d.ts");
      },
      close: () => workspace.close("a.ts"),
      open: () => workspace.open("c/d.ts", text),
    };
    for (const one of order.split(" ")) {
      await changes[one]!();
      await workspace.settled();
    }
    await expect.poll(() => workspace.files.textOf("a.ts")).toBeUndefined();
    expect(workspace.engine.history.map(({ path }) => path)).toEqual(["c/d.ts"]);
  });

  test("of very many files at once, or with another branch, drop the edit history", async () => {
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`many/${at}.ts`, `x${at}();\n`]));
    const { write, containing, workspace, history } = await open({ ...before, ...many }, { diskChanges: "person" });
    const edit = async (name: string) => {
      write("a.ts", `${name}();\n`);
      await expect.poll(() => containing(name)).toEqual(["a.ts"]);
    };
    await edit("three");
    expect(history()).toHaveLength(1);
    write(".git/HEAD", "ref: refs/heads/other\n");
    write("b.ts", "four();\n");
    await expect.poll(() => containing("four")).toEqual(["b.ts"]);
    await expect.poll(() => history()).toEqual([]);
    await edit("five");
    for (const path of Object.keys(many)) write(path, "y();\n");
    await expect.poll(() => containing("y").length).toBe(30);
    await workspace.settled();
    expect(history()).toEqual([]);
  });
});

test("a missing folder rejects ready, and open documents are known", async () => {
  const syntax = openSyntax();
  const workspace = new NextEditWorkspace({
    ...{
      root: "/gone",
      fileSystem: new MemoryFileSystem(),
      clock: systemClock,
      syntax,
      settings: defaultNextEditSettings,
    },
    openTypes: null,
    yieldThread: () => setImmediate(),
  });
  opened.push(workspace, {
    async [Symbol.asyncDispose]() {
      syntax[Symbol.dispose]();
    },
  });
  await expect(workspace.ready).rejects.toMatchObject({ code: "file-missing" });
  workspace.open("a.ts", "one();\n");
  expect(workspace.files.containing(["one"])).toEqual(["a.ts"]);
});

test("a provider's edit is suggested, also after the settings changed", async () => {
  const source: NextEditProvider = {
    origin: "name",
    policy: policies.name,
    *propose({ path, text }) {
      const start = text.indexOf("old");
      if (start < 0) return;
      const place = { start, end: start + 3 };
      yield {
        origin: "name",
        path,
        edit: Edit.replace(place, "fresh"),
        place,
        reason: "renamed to fresh",
        likelihood: 0.9,
      };
    },
  };
  class OneSource extends NextEditProviders {
    override readonly all = [source];
  }
  const { workspace } = await open({ "a.ts": "fresh();\nold();\n" }, { openSources: (tools) => new OneSource(tools) });
  const before = "old();\nold();\n";
  workspace.open("a.ts", before);
  workspace.change("a.ts", before, replacing(before, "old", "fresh"));
  const text = "fresh();\nold();\n";
  const document = { uri: "file:///w/a.ts", language: "typescript", version: 1, text };
  const suggest = () => workspace.engine.suggest({ document, path: "a.ts", offset: 5, trigger: "invoked" });
  const outcome = await suggest();
  expect(outcome).toMatchObject({ kind: "offered", suggestion: { path: "a.ts", reason: "renamed to fresh" } });
  workspace.choose({ settings: { ...defaultNextEditSettings, origins: ["fix"] } });
  expect(await suggest()).toMatchObject({ kind: "no-suggestion", reason: { kind: "nothing-edited" } });
});
