import { expect, test } from "vitest";
import { FakeClock } from "../../async/fixtures/fake-clock.ts";
import { Edit } from "../../text/index.ts";
import { playSession } from "./fixtures/play-session.ts";
import { SuggestionArbiter } from "./suggestion-arbiter.ts";

test.each<[what: string, script: string, expected: string]>([
  ["a next edit that nothing is in front of", "next one>1", "next shown"],
  ["one in another file", "next elsewhere", "next shown"],
  ["one that comes while the person types waits for the pause", "next one>1; +x; next one>1; 199", "next shown"],
  ["and comes then", "next one>1; +x; next one>1; 200", "next shown, next shown"],
  ["also in another file", "next elsewhere; +x; next elsewhere; 200", "next shown, next shown"],
  [
    "what writes the word elsewhere that is being typed waits longer",
    "next one>1; +x; next one>twox; 999",
    "next shown",
  ],
  ["and comes then, too", "next one>1; +x; next one>twox; 1000", "next shown, next shown"],
  ["also in another file, but not for long", "next one>1; +x; next elsewhere:twox; 999", "next shown"],
  ["for as long", "next one>1; +x; next elsewhere:twox; 1000", "next shown, next shown"],
  ["also behind the first key of a document", "+x; next elsewhere:twox; 999", ""],
  ["and comes then, as well", "+x; next elsewhere:twox; 1000", "next shown"],
  ["what writes another word does not", "next one>1; +x; next elsewhere:three; 200", "next shown, next shown"],
  ["nor when the word is at its end", "next one>1; +x; + ; next elsewhere:twox; 200", "next shown, next shown"],
  ["nor when the cursor has left it", "next one>1; +x; 200; left; next one>twox", "next shown, next shown"],
  ["ghost text is in front of what comes after it", "ghost !; next one>1", "ghost shown, next held-back"],
  ["also of what waits already", "ghost none; +x; next one>1; ghost !; 300", "ghost shown, next held-back"],
  ["and of what comes in another file", "ghost !; next elsewhere", "ghost shown, next held-back"],
  ["ghost text stays while it is typed", "ghost !!; +!; next one>1; 300", "ghost shown, next held-back"],
  ["but not when something else is", "ghost !!; +?; next one>1; 300", "ghost shown, next shown"],
  ["nor when the cursor has left it", "ghost !; left; next one>1", "ghost shown, next shown"],
  ["nor when there is none any more", "ghost !; ghost none; next one>1", "ghost shown, next shown"],
  ["nor when it was dismissed", "ghost !; rejected; next one>1", "ghost shown, next shown"],
  ["a next edit that is seen stays in front of ghost text", "next one>1; seen; ghost !", "next shown, ghost held-back"],
  ["one that is not reported as seen does not", "next one>1; ghost !", "next shown, ghost shown"],
  ["nor one that was rejected", "next one>1; seen; rejected; ghost !", "next shown, ghost shown"],
  [
    "what comes after one that was accepted does not wait",
    "next one>1; +x; accepted; next two>2",
    "next shown, next shown",
  ],
  ["what comes after one that was rejected does", "next one>1; seen; rejected; next two>2; 4999", "next shown"],
  ["for a while", "next one>1; seen; rejected; next two>2; 5000", "next shown, next shown"],
  ["a next edit is given as ghost text where there is none", "ghost none; given !", "given shown"],
  ["without a pause", "ghost none; +x; given !", "given shown"],
  ["in the place of ghost text that is none any more", "ghost !; given ?", "ghost shown, given shown"],
  [
    "one that was given stays while it is typed",
    "given !!; +!; standing; ghost ?",
    "given shown, visible, ghost held-back",
  ],
  ["and is followed by nothing else meanwhile", "given !!; +!; next one>1; 300", "given shown, next held-back"],
  ["but not when something else is typed", "given !!; +?; standing; ghost ?", "given shown, gone, ghost shown"],
  ["nor when the cursor has left it", "given !!; left; standing", "given shown, gone"],
  ["what was rejected is not in the way", "given !; rejected; standing; ghost ?", "given shown, gone, ghost shown"],
  [
    "and nothing is given for a while",
    "given !; rejected; 4999; given !; 1; given !",
    "given shown, given held-back, given shown",
  ],
  ["no caller waits for a document that is closed", "next one>1; +x; next one>1; closed", "next shown, next over"],
  ["nor after its signal has aborted", "next one>1; +x; next one>1; stopped", "next shown, next over"],
])("the suggestion arbiter: %s", async (_, script, expected) => {
  expect((await playSession(script)).decisions).toBe(expected);
});

test("a next edit that may be shown is visible once the client shows it, also where its wait ends between two readings of the clock", async () => {
  for (let typedMs = 0; typedMs <= 210; typedMs++) {
    const clock = new PassingClock();
    const arbiter = new SuggestionArbiter(clock);
    const uri = "file:///a.ts";
    const edit = Edit.insert(7, "x");
    arbiter.typed(uri, "one two", edit);
    const place = { uri, text: "one twox", cursor: 8 };
    clock.advance(typedMs);
    const next = { id: "next", edit: Edit.replace({ start: 0, end: 3 }, "1"), rules: {} } as const;
    const decided = arbiter.nextEdit(place, next, new AbortController().signal);
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
    clock.advance(200);
    expect(await decided).toEqual({ kind: "shown" });
    arbiter.seen(uri, "next");
    const ghost = { id: "ghost", edit: Edit.insert(8, "!") };
    expect([typedMs, arbiter.ghostText(place, ghost).kind]).toEqual([typedMs, "held-back"]);
  }
});

/** A clock on which each reading takes a millisecond. */
class PassingClock extends FakeClock {
  override now(): number {
    const at = super.now();
    this.advance(1);
    return at;
  }
}
