import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { user } from "./fixtures/fake-vscode.ts";
import { NextEdits, type NextEditsParts } from "./src/next-edits.ts";
import type { NextEditItem, NextEditResult } from "./src/protocol.ts";

vi.mock("vscode", async () => (await import("./fixtures/fake-vscode.ts")).fakeVscode);
// It loads VS Code's own module.
vi.mock("vscode-languageclient/node", () => ({ LanguageClient: class {}, State: {} }));

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const none = (kind: string, repeatAfterMs?: number) =>
  ({ kind: "no-suggestion", reason: { kind }, text: kind, ...(repeatAfterMs && { repeatAfterMs }) }) as NextEditResult;
const place = { start: { line: 5, character: 0 }, end: { line: 5, character: 1 } };
const offered = {
  kind: "offered",
  suggestion: {
    ...{ id: "1", isElsewhere: false, range: place, edits: [{ range: place, newText: "b" }], others: [] },
    ...{ textDocument: { uri: "file:///a.ts", version: 2 }, reason: "like your last edit" },
  } as unknown as NextEditItem,
} as const satisfies NextEditResult;

/** An answer of the server, or the error of the request. */
type Answer = NextEditResult | Error;

/**
 * Opens a document with these answers of the server, the last of which is given again and again.
 * `changed` are the files that have changed since an edit was suggested.
 */
function open(answers: readonly Answer[], changed: readonly string[] = []) {
  user.open("a");
  const start = Date.now();
  const askedAt: number[] = [];
  const messages: string[] = [];
  let label: string | undefined;
  const server = {
    async request(method: string) {
      if (method === "emend/nextEdit/check") return { changed };
      const answer = answers[Math.min(askedAt.length, answers.length - 1)]!;
      askedAt.push(Date.now() - start);
      if (answer instanceof Error) throw answer;
      return answer;
    },
    notify: () => undefined,
  };
  const parts = {
    server,
    view: { draw: () => undefined, clear: () => undefined, clearHint: () => undefined },
    onShown(shown: string | undefined) {
      label = shown;
    },
    showMessage: (message: string) => void messages.push(message),
    requestGhostText: () => undefined,
  };
  const nextEdits = new NextEdits(parts as unknown as NextEditsParts);
  user.moveTo(0, 1);
  return { nextEdits, askedAt, messages, shown: () => label };
}

describe("a request of VS Code for a next edit", () => {
  const cases: readonly (readonly [name: string, answers: readonly Answer[], askedAt: readonly number[]])[] = [
    ["is made once where there is an edit", [offered], [60]],
    ["is repeated where the text had changed meanwhile", [none("stale-version", 300), offered], [60, 360]],
    ["is repeated where the settings were read meanwhile", [none("cancelled", 300), offered], [60, 360]],
    [
      "is repeated after twice as long",
      [none("nothing-follows", 1_000), none("superseded", 300), offered],
      [60, 1_060, 1_660],
    ],
    ["is repeated where it fails", [new Error("the server has crashed"), offered], [60, 360]],
  ];
  test.each(cases)("%s", async (_, answers, askedAt) => {
    const { shown, ...scene } = open(answers);
    user.type("b");
    await vi.advanceTimersByTimeAsync(30_000);
    expect(scene.askedAt).toEqual(askedAt);
    expect(shown()).toBe("next edit in line 6");
  });

  test("is not repeated where nothing follows, and only a few times for one text", async () => {
    const without = open([none("nothing-follows")]);
    user.type("b");
    await vi.advanceTimersByTimeAsync(60_000);
    expect(without.askedAt).toEqual([60]);

    const late = open([none("nothing-follows", 1_000)]);
    user.type("b");
    await vi.advanceTimersByTimeAsync(100_000);
    expect(late.askedAt).toEqual([60, 1_060, 3_060, 7_060, 15_060, 31_060]);
    user.type("c");
    await vi.advanceTimersByTimeAsync(1_060);
    expect(late.askedAt.slice(6)).toEqual([100_060, 101_060]);
  });

  test("is made again when the cursor leaves ghost text, and not otherwise in the same line", async () => {
    const { askedAt } = open([none("ghost-text-shown"), none("nothing-follows")]);
    user.type("b");
    await vi.advanceTimersByTimeAsync(1_000);
    user.moveTo(0, 1);
    await vi.advanceTimersByTimeAsync(1_000);
    user.moveTo(0, 0);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(askedAt).toEqual([60, 1_240]);
  });

  test("is made of a server that was started again, where the document was edited", async () => {
    const { nextEdits, askedAt } = open([none("nothing-follows")]);
    nextEdits.serverStarted();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(askedAt).toEqual([]);
    user.type("b");
    await vi.advanceTimersByTimeAsync(1_000);
    nextEdits.serverStarted();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(askedAt).toEqual([1_060, 2_060]);
  });
});

describe("a next edit in another document", () => {
  const elsewhere = (version: number | null): NextEditResult => ({
    kind: "offered",
    suggestion: {
      ...offered.suggestion,
      isElsewhere: true,
      textDocument: { uri: "file:///other.ts", version },
    },
  });

  test("ends when that document changes, and the next one is requested", async () => {
    const { shown, askedAt } = open([elsewhere(1), none("nothing-follows")]);
    user.type("b");
    await vi.advanceTimersByTimeAsync(100);
    expect(shown()).toBe("next edit in other.ts");
    user.changeOther();
    expect(shown()).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(askedAt).toEqual([60, 160]);
  });

  test("is not visited in a file that was changed on the disk since, which a message names", async () => {
    const { nextEdits, askedAt, messages, shown } = open([elsewhere(null), none("nothing-follows")], ["src/other.ts"]);
    user.type("b");
    await vi.advanceTimersByTimeAsync(100);
    await nextEdits.goTo();
    expect([askedAt.length, shown()]).toEqual([2, undefined]);
    expect(messages).toEqual(["src/other.ts has changed since the next edit was suggested. Nothing was changed."]);
  });

  test.each<[document: string, version: number | null, isChanged: boolean, asked: number]>([
    ["with the version of the suggestion", 1, false, 1],
    ["with another version", 1, true, 2],
    ["that has the text of its file", null, false, 1],
    ["that has not been saved", null, true, 2],
  ])("is visited in a document %s, or requested again", async (_, version, isChanged, asked) => {
    const { nextEdits, askedAt } = open([elsewhere(version), none("nothing-follows")]);
    user.type("b");
    await vi.advanceTimersByTimeAsync(100);
    if (isChanged) user.changeOther({ isSeen: false });
    await nextEdits.goTo();
    expect(askedAt).toHaveLength(asked);
  });
});
