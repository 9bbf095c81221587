import { expect, test } from "vitest";
import { type SuggestionState, SuggestionStore } from "./suggestion-store.ts";

/** Plays events of one suggestion, `kept` among them, and returns its state after each of them. */
function statesAfter(events: string): string {
  const store = new SuggestionStore<object>({ max: 1, maxCharacters: 1, charactersOf: () => 0 });
  store.keep("one", {});
  const states = events.split(" ").map((event) => {
    if (event === "kept") store.keep("one", {});
    else store.move("one", event as SuggestionState);
    return store.stateOf("one");
  });
  return states.join(" ");
}

test.each<[what: string, events: string, states: string]>([
  ["is shown and accepted", "shown accepted", "shown accepted"],
  ["is accepted without a report that it was shown", "accepted", "accepted"],
  [
    "stays accepted in part when its rest is shown or ignored",
    "partly-accepted shown ignored",
    "partly-accepted ".repeat(3).trim(),
  ],
  ["is accepted after its parts", "partly-accepted accepted", "partly-accepted accepted"],
  ["is dismissed after its parts", "partly-accepted dismissed", "partly-accepted dismissed"],
  ["has one end", "accepted dismissed shown ignored", "accepted accepted accepted accepted"],
  ["is not accepted after it was ignored", "shown ignored accepted", "shown ignored ignored"],
  ["has its state when it is kept again", "shown kept", "shown shown"],
  ["is pending again when it is kept after its end", "ignored kept shown", "ignored pending shown"],
])("a suggestion %s", (_, events, states) => expect(statesAfter(events)).toBe(states));

test("returns the state before a change, and nothing for a suggestion that has ended or is unknown", () => {
  const store = new SuggestionStore<object>({ max: 1, maxCharacters: 1, charactersOf: () => 0 });
  store.keep("one", {});
  const before = (["shown", "accepted", "shown"] as const).map((state) => store.move("one", state));
  expect([...before, store.move("two", "shown")]).toEqual(["pending", "shown", undefined, undefined]);
});
