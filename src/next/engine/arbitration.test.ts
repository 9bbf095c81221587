import fc from "fast-check";
import { expect, test } from "vitest";
import { readEdit, showEdit } from "../../text/edit.laws.ts";
import { Edit } from "../../text/index.ts";
import {
  type ArbitrationEvent,
  type ArbitrationRules,
  type ArbitrationState,
  arbitrate,
  arbitrationOf,
  dueMs,
  insertedWords,
  onlyAddsBehind,
  shownOf,
  tryBehindCursor,
  tryWordTyped,
} from "./arbitration.ts";

/**
 * A script: each line is a time in milliseconds and an event; `^` is the cursor. `text a^b` is the
 * initial state, `type x` types at the cursor, `cursor a^b` moves it, `ghost x` is ghost text at
 * the cursor, `next a[b|c]` is a next edit; `none`, `tab`, `esc` and `wait` are the other events.
 * Returns what is visible after each: `-`, or `ghost …` or `next …` with the text and its edit in
 * the notation.
 */
function play(lines: readonly string[], rules?: ArbitrationRules): readonly string[] {
  let state = arbitrationOf("", 0);
  return lines.map((line) => {
    const [, time, what, rest = ""] = /^(\d+) (\w+) ?([\s\S]*)$/.exec(line)!;
    const atMs = Number(time);
    const { cursor } = state;
    const happen = (event: ArbitrationEvent) => {
      state = arbitrate(state, event, rules);
    };
    if (what === "text") state = arbitrationOf(rest.replace("^", ""), rest.indexOf("^"));
    else if (what === "type")
      happen({ atMs, kind: "typed", edit: Edit.insert(cursor, rest), cursor: cursor + rest.length });
    else if (what === "cursor") happen({ atMs, kind: "cursor-moved", cursor: rest.indexOf("^") });
    else if (what === "ghost")
      happen({ atMs, kind: "ghost-text-came", offer: { id: line, edit: Edit.insert(cursor, rest) } });
    else if (what === "next") happen({ atMs, kind: "next-edit-came", offer: { id: line, edit: readEdit(rest).edit } });
    else if (what === "none") happen({ atMs, kind: "ghost-text-none" });
    else if (what === "tab")
      happen({ atMs, kind: "accepted", cursor: shownOf(state)?.edit.mapOffset(cursor, "after") ?? cursor });
    else if (what === "esc") happen({ atMs, kind: "rejected" });
    else happen({ atMs, kind: "waited" });
    const shown = shownOf(state);
    return shown === undefined
      ? "-"
      : `${shown.as === "ghost-text" ? "ghost" : "next"} ${showEdit(state.text, shown.edit)}`;
  });
}

/** Each line with what is visible after it. */
type Transcript = readonly (readonly [line: string, seen: string])[];
const transcripts: readonly (readonly [name: string, transcript: Transcript, rules?: ArbitrationRules])[] = [
  [
    "ghost text is shown as it comes and stays while it is typed",
    [
      ["0 text a^ z", "-"],
      ["10 type b", "-"],
      ["20 ghost cde", "ghost ab[|cde] z"],
      ["30 type c", "ghost abc[|de] z"],
      ["40 ghost xyz", "ghost abc[|de] z"],
      ["50 type x", "-"],
    ],
  ],
  [
    "a next edit waits for the pause",
    [
      ["0 text a^\nz", "-"],
      ["10 type b", "-"],
      ["50 next ab\n[z|y]", "-"],
      ["120 wait", "-"],
      ["210 wait", "next ab\n[z|y]"],
    ],
  ],
  [
    "a next edit in quiet mode waits longer",
    [
      ["0 text a^\nz", "-"],
      ["10 type b", "-"],
      ["50 next ab\n[z|y]", "-"],
      ["1509 wait", "-"],
      ["1510 wait", "next ab\n[z|y]"],
    ],
    { eagerness: "quiet" },
  ],
  [
    "an eager next edit waits only for ghost text",
    [
      ["0 text a^\nz", "-"],
      ["10 type b", "-"],
      ["50 next ab\n[z|y]", "-"],
      ["60 none", "next ab\n[z|y]"],
    ],
    { eagerness: "eager" },
  ],
  [
    "ghost text that comes first keeps the next edit waiting, which is shown behind it",
    [
      ["0 text a^\nz", "-"],
      ["10 type b", "-"],
      ["50 next ab\n[z|y]", "-"],
      ["60 ghost c", "ghost ab[|c]\nz"],
      ["300 wait", "ghost ab[|c]\nz"],
      ["310 tab", "next abc\n[z|y]"],
    ],
  ],
  [
    "ghost text that comes late does not push a next edit away",
    [
      ["0 text a^\nz", "-"],
      ["10 type b", "-"],
      ["50 next ab\n[z|y]", "-"],
      ["220 wait", "next ab\n[z|y]"],
      ["230 ghost c", "next ab\n[z|y]"],
    ],
  ],
  [
    "a next edit stays while something is typed elsewhere",
    [
      ["0 text a^\nz", "-"],
      ["0 next a\n[z|y]", "next a\n[z|y]"],
      ["10 type b", "next ab\n[z|y]"],
    ],
  ],
  [
    "a next edit that only adds at the cursor is ghost text and needs no pause",
    [
      ["0 text f(^)", "-"],
      ["10 type a", "-"],
      ["50 next f(a[|, b])", "-"],
      ["110 wait", "ghost f(a[|, b])"],
      ["120 type ,", "ghost f(a,[| b])"],
    ],
  ],
  [
    "the next edit is shown at once after an accepted one",
    [
      ["0 text ^a b", "-"],
      ["0 next [a|A] b", "next [a|A] b"],
      ["10 tab", "-"],
      ["11 next A [b|B]", "next A [b|B]"],
    ],
  ],
  [
    "the word that is being typed is written elsewhere only after a longer pause",
    [
      ["0 text let a^; f(z)", "-"],
      ["10 type b", "-"],
      ["50 next let ab; f([z|ab])", "-"],
      ["1009 wait", "-"],
      ["1010 wait", "next let ab; f([z|ab])"],
    ],
  ],
  [
    "a key that goes on with the word puts it off, whatever came before it",
    [
      ["0 text let a^; f(z)", "-"],
      ["10 type b", "-"],
      ["50 next let ab; f([z|ab])", "-"],
      ["900 type c", "-"],
      ["950 next let abc; f([z|abc])", "-"],
      ["1899 wait", "-"],
      ["1900 wait", "next let abc; f([z|abc])"],
    ],
  ],
  [
    "a key that ends the word ends the pause, too",
    [
      ["0 text let a^; f(z)", "-"],
      ["10 type b", "-"],
      ["50 next let ab; f([z|ab])", "-"],
      ["300 type  ", "-"],
      ["500 wait", "next let ab ; f([z|ab])"],
    ],
  ],
  [
    "a moved cursor ends the pause of a word",
    [
      ["0 text let a^; f(z)", "-"],
      ["10 type b", "-"],
      ["50 next let ab; f([z|ab])", "-"],
      ["300 cursor ^let ab; f(z)", "next let ab; f([z|ab])"],
    ],
  ],
  [
    "other words do not wait for it, nor what is added at the cursor",
    [
      ["0 text let a^; f(z)", "-"],
      ["10 type b", "-"],
      ["50 next let ab; f([z|abc])", "-"],
      ["210 wait", "next let ab; f([z|abc])"],
    ],
  ],
  [
    "the pause of a word is half as long in eager mode",
    [
      ["0 text let a^; f(z)", "-"],
      ["10 type b", "-"],
      ["20 none", "-"],
      ["50 next let ab; f([z|ab])", "-"],
      ["509 wait", "-"],
      ["510 wait", "next let ab; f([z|ab])"],
    ],
    { eagerness: "eager" },
  ],
  [
    "no next edit is shown for a while after a rejection",
    [
      ["0 text ^a b", "-"],
      ["0 next [a|A] b", "next [a|A] b"],
      ["10 esc", "-"],
      ["20 next a [b|B]", "-"],
      ["5009 wait", "-"],
      ["5010 wait", "next a [b|B]"],
    ],
  ],
  [
    "the time after a rejection is a setting",
    [
      ["0 text ^a b", "-"],
      ["0 next [a|A] b", "next [a|A] b"],
      ["10 esc", "-"],
      ["20 next a [b|B]", "-"],
      ["109 wait", "-"],
      ["110 wait", "next a [b|B]"],
    ],
    { afterRejectionMs: 100 },
  ],
  [
    "ghost text is hidden while the cursor is elsewhere",
    [
      ["0 text a^\nz", "-"],
      ["10 ghost bc", "ghost a[|bc]\nz"],
      ["20 cursor a\nz^", "-"],
      ["30 cursor a^\nz", "ghost a[|bc]\nz"],
    ],
  ],
  [
    "a next edit may be shown while ghost text is hidden",
    [
      ["0 text a^\nz", "-"],
      ["10 ghost bc", "ghost a[|bc]\nz"],
      ["20 cursor a\nz^", "-"],
      ["30 next [a|A]\nz", "next [a|A]\nz"],
    ],
  ],
];
for (const [name, transcript, rules] of transcripts) {
  test(`arbitration of ghost text and next edits: ${name}`, () =>
    expect(
      play(
        transcript.map(([line]) => line),
        rules,
      ),
    ).toEqual(transcript.map(([, seen]) => seen)));
}

const additions: readonly (readonly [marked: string, cursor: number, isGhost: boolean])[] = [
  ["a[|b] c", 1, true],
  ["a[|b] c", 0, true],
  ["a[|b] c", 2, false],
  ["a[|b] c[|\nd]\ne", 1, true],
  ["a[|\nb] c", 1, false],
  ["a[b|c]", 1, false],
  ["a\n[|b]", 0, false],
  ["a[|b]\r\nc", 1, true],
  ["a", 0, false],
];
for (const [marked, cursor, isGhost] of additions) {
  test(`a next edit ${JSON.stringify(marked)} with the cursor at ${cursor} ${isGhost ? "is" : "is not"} shown as ghost text`, () => {
    const { text, edit } = readEdit(marked);
    expect(onlyAddsBehind(text, cursor, edit)).toBe(isGhost);
  });
}

test("law: while a person types exactly what is shown, nothing else is shown", () => {
  const other = fc.record({
    kind: fc.constantFrom("ghost-text-came", "ghost-text-none", "next-edit-came", "waited"),
    inserted: fc.string({ unit: fc.constantFrom("a", "b", "("), minLength: 1, maxLength: 3 }),
    place: fc.nat(30),
    waitMs: fc.nat(400),
  });
  const suggested = fc.string({ unit: fc.constantFrom("a", "b", " ", "(", "\n"), minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(
      suggested,
      fc.boolean(),
      fc.constantFrom("quiet", "normal", "eager"),
      fc.infiniteStream(fc.array(other, { maxLength: 3 })),
      (wanted, isGhost, eagerness, others) => {
        const rules = { eagerness } as const;
        const start = "one a\ntwo b\n";
        let atMs = 0;
        let state: ArbitrationState = arbitrationOf(start, 5);
        const happen = (event: ArbitrationEvent) => {
          state = arbitrate(state, event, rules);
        };
        const edit = isGhost
          ? Edit.insert(5, wanted)
          : Edit.of([
              { start: 5, end: 5, text: wanted },
              { start: 6, end: 9, text: "2" },
            ]);
        happen({ atMs, kind: isGhost ? "ghost-text-came" : "next-edit-came", offer: { id: "shown", edit } });
        const goal = edit.apply(start);
        for (const [at, key] of [...wanted].entries()) {
          for (const { kind, inserted, place, waitMs } of others.next().value!) {
            atMs += waitMs;
            const offer = { id: "other", edit: Edit.insert(place % (state.text.length + 1), inserted) };
            happen({ atMs, kind, offer } as ArbitrationEvent);
          }
          const shown = shownOf(state);
          expect(shown?.id).toBe("shown");
          expect(shown?.edit.apply(state.text)).toBe(goal);
          happen({ atMs, kind: "typed", edit: Edit.insert(5 + at, key), cursor: 6 + at });
        }
        expect(isGhost ? state.text : shownOf(state)?.edit.apply(state.text)).toBe(goal);
      },
    ),
  );
});

test("dueMs returns when the waiting next edit is due", () => {
  const typed: ArbitrationEvent = { atMs: 10, kind: "typed", edit: Edit.insert(0, "x"), cursor: 1 };
  const waiting = arbitrate(arbitrate(arbitrationOf("a\nb", 0), typed), {
    atMs: 20,
    kind: "next-edit-came",
    offer: { id: "n", edit: Edit.insert(4, "c") },
  });
  expect(dueMs(waiting)).toBe(210);
  expect(dueMs(arbitrate(waiting, { atMs: 210, kind: "waited" }))).toBeUndefined();
});

/** An edit in the notation `a[old|new]b`, the cursor after its last part, and the typed word. */
test.each<[edit: string, word: string | undefined]>([
  ["let co[|u] = 1", "cou"],
  ["let [|c]ount = 1", "count"],
  ["let l[o|]ast = 1", "last"],
  ["let [c|] = 1", undefined],
  ["let co[| ]= 1", undefined],
  ["f[|(]x)", undefined],
  ["größ[|e]", "größe"],
  ["[a|]b[|c]", "bc"],
])("tryWordTyped finds the typed word in %s", (marked, word) => {
  const { text, edit } = readEdit(marked);
  const cursor = edit.rangesAfter().at(-1)!.end;
  expect(tryWordTyped(edit.apply(text), cursor, edit)).toBe(word);
});

test("tryWordTyped returns no word where the cursor is elsewhere", () => {
  const { text, edit } = readEdit("a[|b] c");
  expect(tryWordTyped(edit.apply(text), 4, edit)).toBeUndefined();
});

test("insertedWords returns all inserted words", () => {
  expect([...insertedWords(readEdit("[x|a.b2] + [y|$c(a)]").edit)]).toEqual(["a", "b2", "$c"]);
});

/** An edit of a text with the cursor at `|`: `‹was›«is»`. */
function read(marked: string): { readonly text: string; readonly cursor: number; readonly edit: Edit } {
  const [, head = "", was = "", is = "", tail = ""] = /^(.*?)‹(.*?)›«(.*?)»(.*)$/s.exec(marked)!;
  const before = (head + was + tail).replace("|", "");
  const cursor = (head + was + tail).indexOf("|");
  const start = head.replace("|", "").length;
  const edit = Edit.replace({ start, end: start + was.replace("|", "").length }, is);
  return { text: before, cursor, edit };
}

function print(text: string, edit: Edit | undefined): string {
  if (edit === undefined) return "-";
  let shown = "";
  let at = 0;
  for (const { start, end, text: inserted } of edit.edits) {
    shown += `${text.slice(at, start)}«${inserted}»`;
    at = end;
  }
  return `${shown}${text.slice(at)}`.replaceAll("\n", "⏎").replaceAll("\r", "␍");
}

test.each<[what: string, marked: string, ghost: string]>([
  ["at the cursor", "a(|‹›«x»)", "a(«x»)"],
  ["what stays is left out", "|‹a(1)›«a(1, 2)»;", "a(1«, 2»);"],
  ["behind the cursor on its line", "|a(1‹›«, 2»)", "a(1«, 2»)"],
  ["lines in front of the next line", "one|\n‹›«two\n»three", "one«⏎two»⏎three"],
  ["also with carriage returns", "one|\r\n‹›«two\r\n»three", "one«␍⏎two»␍⏎three"],
  ["what might as well begin at the cursor", "aa|a‹›«ab»c", "aaa«ab»c"],
  ["what reaches back over what is typed", "‹›«ab»ab|", "ab«ab»"],
  ["nothing in front of the cursor", "‹›«x»a|b", "-"],
  ["nothing on another line", "a|\nb‹›«x»\n", "-"],
  ["no lines in the middle of one", "a|\nb\n‹›«x\n»c", "-"],
  ["nothing that takes away", "|‹ab›«a»c", "-"],
])("tryBehindCursor, %s: %j", (_, marked, ghost) => {
  const { text, cursor, edit } = read(marked);
  expect(print(text, tryBehindCursor(text, cursor, edit))).toBe(ghost);
});

test("law: the insertion behind the cursor has the same effect as the edit", () => {
  const letters = fc.string({ unit: fc.constantFrom("a", "b", "\n"), maxLength: 8 });
  fc.assert(
    fc.property(letters, letters, fc.nat(), fc.nat(), (text, inserted, at, behind) => {
      const edit = Edit.insert(at % (text.length + 1), inserted);
      const ghost = tryBehindCursor(text, behind % (text.length + 1), edit);
      fc.pre(ghost !== undefined);
      expect(ghost.apply(text)).toBe(edit.apply(text));
    }),
  );
});
