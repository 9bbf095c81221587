import { expect, test } from "vitest";
import type { NextEditSuggestion } from "../../next/index.ts";
import type { WorkspaceSession } from "../session/index.ts";
import { playSession } from "./fixtures/play-session.ts";
import { type SuggestionEvent, SuggestionFeedback } from "./suggestion-feedback.ts";

test.each<[what: string, script: string, feedback: string, state: string]>([
  ["is pending at first", "ghost !", "", "pending"],
  ["is shown", "ghost !; seen", "ghost-1 shown", "shown"],
  ["is accepted", "ghost !; accepted", "ghost-1 accepted wholly", "accepted"],
  ["is dismissed", "ghost !; seen; rejected", "ghost-1 shown, ghost-1 dismissed", "dismissed"],
  ["is accepted in part", "ghost !!!; partly 2", "ghost-1 accepted 2", "partly-accepted"],
  [
    "stays accepted in part when its rest is shown",
    "ghost !!; partly 1; seen",
    "ghost-1 accepted 1, ghost-1 shown",
    "partly-accepted",
  ],
  [
    "is accepted after its parts",
    "ghost !!; partly 1; accepted",
    "ghost-1 accepted 1, ghost-1 accepted wholly",
    "accepted",
  ],
  ["is accepted once", "ghost !; accepted; accepted", "ghost-1 accepted wholly", "accepted"],
  ["is not dismissed after its end", "ghost !; accepted; rejected", "ghost-1 accepted wholly", "accepted"],
  ["nor accepted", "next one>1; rejected; accepted", "next-1 rejected", "dismissed"],
  ["of a next edit is shown and accepted", "next one>1; seen; accepted", "next-1 shown, next-1 accepted", "accepted"],
  ["goes on when it is given again", "given !!; seen; +!; given !", "next-1 shown", "shown"],
  ["begins again after its end", "given !; rejected; given !", "next-1 rejected", "pending"],
  [
    "of a next edit given as ghost text is accepted in part",
    "given !?!; partly 2",
    "next-1 accepted !?",
    "partly-accepted",
  ],
  ["and wholly", "given !?; partly 2", "next-1 accepted", "partly-accepted"],
  ["can be accepted late", "ghost !; ghost ?; about ghost-1; accepted", "ghost-1 accepted wholly", "accepted"],
])("the life of a suggestion %s", async (_, script, feedback, state) => {
  const played = await playSession(script);
  expect([played.feedback, played.state]).toEqual([feedback, state]);
});

test("what comes after one that was accepted and then reported as rejected does not wait", async () => {
  const script = "next one>1; seen; accepted; rejected; next two>2";
  expect((await playSession(script)).decisions).toBe("next shown, next shown");
});

/** A ghost text `a + b`, of which `a` was typed before. */
function storeWithOne(feedback: string[]): SuggestionFeedback {
  const session = {
    shown: (id: string) => void feedback.push(`shown ${id}`),
    accepted: (id: string, characters?: number) => void feedback.push(`accepted ${id} ${characters ?? "wholly"}`),
    dismissed: (id: string) => void feedback.push(`dismissed ${id}`),
  } satisfies Partial<WorkspaceSession>;
  const store = new SuggestionFeedback({ seen: () => undefined, ended: () => undefined, gone: () => undefined });
  store.keep("one", { provider: "ghost-text", session, uri: "file:///a.ts", typedCharacters: 1, ghostCharacters: 4 });
  return store;
}

test.each<[event: SuggestionEvent, line: string]>([
  [{ kind: "shown" }, "shown one"],
  [{ kind: "dismissed" }, "dismissed one"],
  [{ kind: "accepted" }, "accepted one wholly"],
  // `a` was typed before, so that of `a + b` four characters are new.
  [{ kind: "partly-accepted", characters: 3, from: "insertion" }, "accepted one 2"],
  [{ kind: "partly-accepted", characters: 3, from: "ghost" }, "accepted one 3"],
  [{ kind: "partly-accepted", characters: 99, from: "insertion" }, "accepted one 4"],
  [{ kind: "partly-accepted", characters: 0, from: "insertion" }, "accepted one 0"],
  [{ kind: "partly-accepted", characters: -5, from: "ghost" }, "accepted one 0"],
])("passes %j to the session", (event, line) => {
  const feedback: string[] = [];
  storeWithOne(feedback).notify("one", event);
  expect(feedback).toEqual([line]);
});

test("ignores feedback on forgotten suggestions", () => {
  const feedback: string[] = [];
  const store = storeWithOne(feedback);
  for (let i = 0; i < 200; i += 1) {
    const session = { shown: () => undefined, accepted: () => undefined, dismissed: () => undefined };
    store.keep(`more-${i}`, {
      provider: "ghost-text",
      session,
      uri: "file:///a.ts",
      typedCharacters: 0,
      ghostCharacters: 1,
    });
  }
  store.notify("one", { kind: "shown" });
  store.notify("unheard-of", { kind: "shown" });
  expect([feedback, store.stateOf("one")]).toEqual([[], undefined]);
});

test.each([
  ["usual texts", 10_000, 10],
  ["long texts", 1_500_000, 2],
  ["texts longer than the limit", 9_000_000, 1],
])("row 14: next edits of %s are remembered within limits", (_, length, remembered) => {
  const store = storeWithOne([]);
  const ids = Array.from({ length: 10 }, (_, n) => `next-${n}`);
  for (const id of ids) {
    const suggestion = { text: "x".repeat(length) } as NextEditSuggestion;
    store.keep(id, { provider: "next-edit", session: {} as WorkspaceSession, uri: "file:///a.ts", suggestion });
  }
  expect(ids.filter((id) => store.nextEdit(id) !== undefined)).toEqual(ids.slice(-remembered));
});
