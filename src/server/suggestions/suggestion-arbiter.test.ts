import { expect, test } from "vitest";
import { FakeClock } from "../../async/fixtures/fake-clock.ts";
import { Edit } from "../../text/index.ts";
import { SuggestionArbiter } from "./suggestion-arbiter.ts";

/**
 * Plays what happens to one document, and returns what became of it. The text is `one two` with the
 * cursor behind it.
 *
 * - `+x`: typed at the cursor; `100`: so many milliseconds pass; `left`: the cursor goes left
 * - `ghost x`: ghost text comes that adds x, or `ghost none`; `next A>B`: a next edit comes that
 *   makes B of A; `next elsewhere`, or `next elsewhere:x` that writes x there
 * - `given x`: a next edit that adds x at the cursor is given to the caller that requested ghost
 *   text
 * - `standing`: whether one that was given is still seen
 * - `seen`, `accepted`, `rejected`: of the last next edit; `closed`
 */
async function play(script: string): Promise<string> {
  const clock = new FakeClock();
  const arbiter = new SuggestionArbiter(clock);
  const uri = "file:///a.ts";
  let text = "one two";
  let cursor = text.length;
  let count = 0;
  let given: string | undefined;
  const verdicts: string[] = [];
  const stop = new AbortController();
  for (const step of script.split("; ")) {
    const [what, more = ""] = step.split(" ");
    const place = { uri, text, cursor };
    if (step.startsWith("+")) {
      const edit = Edit.insert(cursor, step.slice(1));
      arbiter.typed(uri, text, edit);
      text = edit.apply(text);
      cursor += step.length - 1;
    } else if (/^\d+$/.test(step)) clock.advance(Number(step));
    else if (what === "left") cursor -= 1;
    else if (what === "ghost") {
      const offer = more === "none" ? undefined : { id: `ghost-${++count}`, edit: Edit.insert(cursor, more) };
      const verdict = arbiter.ghostText(place, offer);
      if (offer !== undefined) verdicts.push(`ghost ${verdict.kind}`);
    } else if (what === "given") {
      // The rest of one that was typed in part is the same one.
      given ??= `next-${++count}`;
      verdicts.push(`given ${arbiter.nextEditAsGhostText(place, { id: given, edit: Edit.insert(cursor, more) }).kind}`);
    } else if (what === "standing") verdicts.push(arbiter.nextEditSeen(place) === undefined ? "gone" : "visible");
    else if (what === "next") {
      const [from, to] = more.split(">");
      const start = text.indexOf(from!);
      const edit = to === undefined ? undefined : Edit.replace({ start, end: start + from!.length }, to);
      const id = `next-${++count}`;
      const [, insertedElsewhere] = more.split(":");
      const elsewhere = insertedElsewhere === undefined ? undefined : Edit.insert(0, insertedElsewhere);
      void arbiter
        .nextEdit(place, { id, edit, elsewhere, eagerness: "normal" }, stop.signal)
        .then(({ kind }) => verdicts.push(`next ${kind}`));
    } else if (what === "seen") arbiter.seen(uri, `next-${count}`);
    else if (what === "closed") arbiter.closed(uri);
    else if (what === "stopped") stop.abort();
    else arbiter.ended(uri, what as "accepted" | "rejected");
    // Waiting callers take up what happened.
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
  }
  return verdicts.join(", ");
}

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
  expect(await play(script)).toBe(expected);
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
    const next = { id: "next", edit: Edit.replace({ start: 0, end: 3 }, "1"), eagerness: "normal" } as const;
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
