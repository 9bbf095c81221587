import { describe, expect, test } from "vitest";
import { openHole } from "./fill-session.ts";
import { compileLanguage } from "./fixtures/compile-language.ts";
import { HoleGuide } from "./hole-guide.ts";
import { recognise } from "./recognise.ts";

const grammar = compileLanguage("tsx");
const encoder = new TextEncoder();

describe("an element is closed by its own name", () => {
  test.each([
    "a = <b></b>",
    "a = <b.c></b . c>",
    "a = <b:c d=<e/> f={<g>{h}</g>}><i/><></></b:c>",
    "a = <b<c>></b>",
    "a = <b,>(c: b) => <d></d>",
    "no a = <b></▸c>",
    "no a = <b></b▸.c>",
    "no a = <b.c></b▸>",
    "no a = <b><c></▸b></c>",
    "no a = <b d={<e></▸b>}></b>",
  ])("%s", (line) => {
    const text = line.replace(/^no /, "");
    const place = text.indexOf("▸");
    const verdict = recognise(grammar, encoder.encode(text.replace("▸", "")));
    expect(verdict).toEqual(place < 0 ? { kind: "whole" } : { kind: "refused", offset: place });
  });
});

// A line ends at `⏎`. The hole is `‸`, or what is written into it stands between `«` and `»`: what is put behind it, or that it may end, or cannot go on.
describe("in a hole", () => {
  test.each([
    ["an element is closed as it was opened", "a = <b>‸", "</b>"],
    ["the innermost one first", "a = <b.c><d>‸", "</d></b.c>"],
    ["also one of the filling", "a = «<b e={<c>»;", "</c>}/>"],
    ["as far as the name is written", "a = <bcd></b‸", "cd>"],
    ["by the name that stands behind", "a = <b>‸</cd>⏎</b>", "<cd>"],
    ["by the names that stand behind", "a = ‸</b>⏎</c>", "<c><b>"],
    ["by the rest of a name", "a = <b‸ d>e</bcd>", "cd"],
    ["not by another one", "a = <b>«</c»>", "cannot go on"],
    ["not by a longer one", "a = <b>«</b.»c>", "cannot go on"],
    ["not as the end behind would have it", "a = <b>«<c>»</b>", "</c>"],
    ["as the end behind has it", "a = <b>«c»</b>", "may end"],
    ["where nothing has a name", "a = <>«b»</>", "may end"],
  ])("%s: %s", (_, marked, expected) => {
    const [, before, filling = "", behind] = /^(.*?)(?:‸|«(.*)»)(.*)$/s.exec(marked.replaceAll("⏎", "\n"))!;
    const opening = openHole(grammar, { before: before!, behind: behind! });
    if (opening.kind !== "open") throw new Error(opening.kind);
    const guide = new HoleGuide(opening.hole);
    const said = !guide.canGoOn(filling) ? "cannot go on" : guide.mayEnd(filling) ? "may end" : guide.ending(filling);
    expect(said).toBe(expected);
  });
});
