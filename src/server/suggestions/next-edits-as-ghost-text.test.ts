import { setTimeout } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import type { InlineCompletionItem } from "vscode-languageserver";
import type { Clock } from "../../async/index.ts";
import type { Model } from "../../model/index.ts";
import { ScriptedProvider, type ScriptedRewrite } from "../../next/fixtures/scripted-provider.ts";
import { NextEditProviders } from "../../next/node/index.ts";
import { Edit } from "../../text/index.ts";
import { systemClock } from "../../workspace/node/index.ts";
import { modelAnswering, TestClient } from "../fixtures/test-client.ts";
import type { Explanation } from "../protocol/explanation.ts";
import type { NextEditResult } from "./next-edit-methods.ts";
import { firstCharacters } from "./suggestion-feedback.ts";

let client: TestClient | undefined;
afterEach(async () => {
  await client?.[Symbol.asyncDispose]();
  client = undefined;
});

const uri = "file:///w/a.ts";

/** A model that is requested, and never answers. */
const silentModel: Model = {
  name: "openai-compatible:http://127.0.0.1:1/v1#slow",
  // biome-ignore lint/correctness/useYield: it answers nothing.
  async *fill(_request, { signal } = {}) {
    await setTimeout(60_000, undefined, signal && { signal });
    return { reason: "finished" };
  },
};

/** The real clock, whose time limits, delays of 100 ms and more, can be made longer. */
class StretchedClock implements Clock {
  /** Time limits from now on are this many times as long. */
  factor = 1;
  #stoppedMs: number | undefined;

  now(): number {
    return this.#stoppedMs ?? systemClock.now();
  }

  /** Lets `now` return the same time from now on, so that no time limit gets shorter meanwhile. */
  stop(): void {
    this.#stoppedMs = systemClock.now();
  }

  after(delayMs: number, task: () => void): Disposable {
    return systemClock.after(delayMs < 100 ? delayMs : this.factor * delayMs, task);
  }
}

interface SceneOptions {
  readonly rewrites?: readonly ScriptedRewrite[];
  readonly model?: Model;
  readonly settings?: object;
}

/**
 * A person at the end of `log(count` who has edited something else, and an editor that knows ghost
 * text alone.
 */
class Scene {
  readonly client: TestClient;
  readonly #clock: StretchedClock;
  #text: string;
  #cursor: number;
  #version = 2;

  private constructor(opened: TestClient, clock: StretchedClock, text: string, cursor: number) {
    this.client = opened;
    this.#clock = clock;
    this.#text = text;
    this.#cursor = cursor;
  }

  static async open({
    rewrites = [{ was: "log(count", text: "log(count, total);" }],
    model = modelAnswering(""),
    settings = {},
  }: SceneOptions = {}): Promise<Scene> {
    const source = new ScriptedProvider(rewrites);
    const clock = new StretchedClock();
    client = await TestClient.start({
      model,
      initialize: { initializationOptions: { emend: settings } },
      host: {
        clock,
        nextEdits: {
          openTypes: null,
          openSources: (tools) =>
            Object.assign(new NextEditProviders({ ...tools, openTypes: null }), { all: [source] }),
        },
      },
    });
    const text = "let total = 1;\nlet count = 2;\nlog(count\n";
    await client.open(uri, text, "typescript");
    const scene = new Scene(client, clock, text, text.lastIndexOf("\n"));
    await scene.#edit(Edit.replace({ start: 0, end: 3 }, "const"));
    await client.waitUntilLearnt();
    // A model that answers does so within its head start, also on a busy machine.
    if (model !== silentModel) clock.factor = 300;
    return scene;
  }

  /**
   * The first request for which there is no ghost text reads the folder, and does not wait for
   * that.
   */
  async known(): Promise<this> {
    await this.ask();
    return this.read();
  }

  /** The folder is read, by whomever. */
  async read(): Promise<this> {
    for (;;) {
      const { sessions } = await this.client.connection.sendRequest<{ readonly sessions: readonly object[] }>(
        "emend/status",
      );
      if (sessions.some((session) => "nextEditFiles" in session)) return this;
      await setTimeout(5);
    }
  }

  async type(typed: string): Promise<void> {
    await this.#edit(Edit.insert(this.#cursor, typed));
  }

  /** Edits the first line; the head start of ghost text begins again and does not end. */
  async editFirstLine(): Promise<void> {
    this.#clock.stop();
    await this.#edit(Edit.insert(0, "\n"));
  }

  /** What is seen at the cursor, as the line with what is added in guillemets; `-` for nothing. */
  async see(more: { readonly triggerKind?: 1 | 2; readonly at?: string } = {}): Promise<string> {
    const [item] = await this.ask(more);
    if (item === undefined) return "-";
    const line = this.#position(this.#cursorAt(more.at)).line;
    const { start, end } = item.range!;
    const before = this.#text.split("\n")[line]!;
    return `${before.slice(0, start.character)}«${item.insertText}»${before.slice(end.character)}`;
  }

  async ask({ triggerKind = 2, at, context = {} }: AskOptions = {}): Promise<readonly InlineCompletionItem[]> {
    return this.client.complete({
      ...{ textDocument: { uri, version: this.#version }, position: this.#position(this.#cursorAt(at)) },
      context: { triggerKind, ...context },
    });
  }

  async nextEdit(): Promise<NextEditResult> {
    const position = this.#position(this.#cursor);
    return this.client.connection.sendRequest("emend/nextEdit", { textDocument: { uri }, position });
  }

  #cursorAt(at: string | undefined): number {
    return at === undefined ? this.#cursor : this.#text.indexOf(at) + at.length;
  }

  #position(offset: number) {
    const before = this.#text.slice(0, offset).split("\n");
    return { line: before.length - 1, character: before.at(-1)!.length };
  }

  async #edit(edit: Edit): Promise<void> {
    this.#version += 1;
    await this.client.connection.sendNotification("textDocument/didChange", {
      textDocument: { uri, version: this.#version },
      contentChanges: edit.edits.map(({ start, end, text }) => ({
        range: { start: this.#position(start), end: this.#position(end) },
        text,
      })),
    });
    this.#text = edit.apply(this.#text);
    this.#cursor = edit.mapOffset(this.#cursor, "after");
  }
}

interface AskOptions {
  readonly triggerKind?: 1 | 2;
  /** Where the cursor is, behind which words; at the end of the last line by default. */
  readonly at?: string | undefined;
  readonly context?: object;
}

const elsewhere = [{ was: "let count", text: "const count" }];

test.each<[what: string, options: SceneOptions, seen: string]>([
  ["where there is no other ghost text", {}, "log(count«, total);»"],
  ["where the model is not there in time", { model: silentModel }, "log(count«, total);»"],
  ["not what is elsewhere", { rewrites: elsewhere }, "-"],
  ["nor what takes something away", { rewrites: [{ was: "log(count", text: "log(total)" }] }, "-"],
  ["also lines below", { rewrites: [{ was: "count\n", text: "count\n);\n" }] }, "log(count«\n);»"],
  ["not what is unlikely", { rewrites: [{ was: "log(count", text: "log(count)", likelihood: 0.4 }] }, "-"],
  ["not where the settings say no", { settings: { complete: { nextEdits: false } } }, "-"],
  ["nor where there are no next edits at all", { settings: { next: { enabled: false } } }, "-"],
])("a next edit is shown as ghost text %s", async (_, options, seen) => {
  const scene = await Scene.open(options);
  if (options.model !== undefined) await scene.nextEdit();
  else if (options.settings === undefined) await scene.known();
  else await scene.ask();
  expect(await scene.see()).toBe(seen);
});

test("ghost text within its head start is shown, and not a next edit", async () => {
  const scene = await Scene.open({ model: modelAnswering(");") });
  await scene.nextEdit();
  await scene.editFirstLine();
  expect(await scene.see()).toBe("log(count«);»");
});

test("a request for ghost text does not wait until the folder is read, and reads nothing before an edit", async () => {
  const scene = await Scene.open();
  expect(await scene.see()).toBe("-");
  await scene.read();
  expect(await scene.see()).toBe("log(count«, total);»");
});

test("a request by key prefers ghost text, an automatic one a next edit", async () => {
  expect(await (await (await Scene.open()).known()).see({ triggerKind: 1 })).toBe("log(count«, total);»");
  await client?.[Symbol.asyncDispose]();
  const scene = await Scene.open({ model: modelAnswering(");") });
  await scene.nextEdit();
  expect(await scene.see({ triggerKind: 1 })).toBe("log(count«);»");
});

test("the item selected in the editor's list does not prevent a next edit as ghost text", async () => {
  const scene = await (await Scene.open()).known();
  const range = { start: { line: 2, character: 4 }, end: { line: 2, character: 9 } };
  expect(await scene.ask({ context: { selectedCompletionInfo: { range, text: "counter" } } })).toEqual([]);
});

test("a visible next edit stays while the person types it, whatever the model answers", async () => {
  let answer = "";
  const model: Model = {
    name: "openai-compatible:http://127.0.0.1:1/v1#scripted",
    async *fill() {
      yield { kind: "text-delta", text: answer };
      return { reason: "finished" };
    },
  };
  const scene = await (await Scene.open({ model })).known();
  const seen = [await scene.see()];
  answer = "thers";
  for (const typed of [",", " to", "o"]) {
    await scene.type(typed);
    seen.push(await scene.see());
  }
  expect(seen).toEqual([
    "log(count«, total);»",
    "log(count,« total);»",
    "log(count, to«tal);»",
    // Something else was typed: the model's turn.
    "log(count, too«thers»",
  ]);
});

test("a client that also requests next edits gets the same suggestion with one id", async () => {
  const scene = await (await Scene.open()).known();
  expect(await scene.see()).toBe("log(count«, total);»");
  const first = await scene.nextEdit();
  await scene.type(",");
  expect(await scene.see()).toBe("log(count,« total);»");
  const second = await scene.nextEdit();
  const position = { line: 2, character: 10 };
  expect(second).toMatchObject({
    kind: "offered",
    suggestion: {
      ...{ id: first.kind === "offered" && first.suggestion.id, isReused: true },
      ghostText: { insertText: " total);", range: { start: position, end: position } },
    },
  });
  const [item] = await scene.ask();
  expect(item!.command!.arguments).toEqual([first.kind === "offered" && first.suggestion.id]);
});

test("feedback on a next edit shown as ghost text reaches the engine", async () => {
  const scene = await (await Scene.open()).known();
  const { connection } = scene.client;
  const [item] = await scene.ask();
  await connection.sendNotification("textDocument/didShowCompletion", { item });
  await connection.sendRequest("notifyRejected", { uuids: item!.command!.arguments });
  expect(await scene.see()).toBe("-");
  // Nothing comes by itself for a while, and this one does not at all.
  expect(await scene.nextEdit()).toMatchObject({ kind: "no-suggestion", reason: { kind: "nothing-follows" } });
  const explained = await connection.sendRequest<{ readonly outcome: { readonly filteredOut: readonly object[] } }>(
    "emend/nextEdit/explain",
  );
  expect(explained.outcome.filteredOut).toMatchObject([{ reason: { kind: "rejected" } }]);
});

test("after an accepted next edit the following one is suggested without a delay", async () => {
  const rewrites = [
    { was: "log(count", text: "log(count, total);" },
    { was: "let count", text: "const count", likelihood: 0.6 },
  ];
  const scene = await (await Scene.open({ rewrites })).known();
  const [item] = await scene.ask();
  await scene.type(", total);");
  await scene.client.connection.sendRequest("workspace/executeCommand", item!.command!);
  const next = await scene.nextEdit();
  expect(next).toMatchObject({ kind: "offered", suggestion: { edits: [{ newText: "const count" }] } });
});

test("the explanation of the ghost text contains the reason of the next edit", async () => {
  const scene = await (await Scene.open()).known();
  await scene.ask();
  const explanation = await scene.client.connection.sendRequest<Explanation>("emend/explanation", { of: "ghost-text" });
  expect(explanation).toMatchObject({
    of: "ghost-text",
    result: "a.ts:3:1, as scripted (example, 90 %)",
    likelihood: 0.9,
  });
  expect(await scene.client.connection.sendRequest("emend/status")).toMatchObject({
    requests: { ghostText: { byOrigin: { "next-edit": 1 } } },
  });
});

/** `log(a)` with the cursor behind `log`: what is added behind it. */
const source = "log(a)";
const cursor = 3;
const edit = Edit.of([
  { start: 5, end: 5, text: ", b" },
  { start: 6, end: 6, text: ";" },
]);

test.each<[characters: number, text: string]>([
  [0, "log(a)"],
  [2, "log(a)"],
  [3, "log(a,)"],
  [5, "log(a, b)"],
  [6, "log(a, b)"],
])("the first %i characters contain the insertions", (characters, text) => {
  expect(Edit.of(firstCharacters(edit, cursor, characters)!).apply(source)).toBe(text);
});

test("returns nothing when all characters are included", () =>
  expect(firstCharacters(edit, cursor, 7)).toBeUndefined());
