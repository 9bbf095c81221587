import { expect, test } from "vitest";
import { compileLanguage } from "../fixtures/compile-language.ts";
import { compileText } from "../fixtures/compile-text.ts";
import type { CompiledGrammar } from "../tables/compiled-grammar.ts";
import { expectedTerminals, tryFindDeadPlace } from "./expected-terminals.ts";
import { openHole } from "./fill-session.ts";
import type { Hole } from "./hole.ts";

const grammars: Readonly<Record<string, CompiledGrammar>> = {
  script: compileLanguage("javascript"),
  json: compileLanguage("json"),
  python: compileLanguage("python"),
  zeros: compileText('grammar zeros\nS = () | "0" S "1"\n'),
};

/** The hole between the text before `‸` and the text behind it. */
function holeIn(grammar: string, text: string): Hole {
  const [before, behind] = text.split("‸");
  const opening = openHole(grammars[grammar]!, { before: before!, behind: behind! });
  if (opening.kind !== "open") throw new Error(opening.kind);
  return opening.hole;
}

// In the middle `¦` marks the place.
test.each([
  ["zeros", "0‸111", "00¦1", ['"0"']],
  ["zeros", "0‸111", "¦1", ['"0"']],
  ["json", "[‸]", "1, ¦]", ["String", "Number"]],
  ["json", '{"ü": [‸]}', '"é", "ü"¦"', ['","', '"]"']],
  ["json", "[‸]", "1 ¦2", ['","']],
  ["json", "[[1‸]", '2 ¦"', ['","', '"]"']],
  ["script", "f(‸)", "a, ¦const ", ['"class"', "Identifier"]],
  ["script", "const ‸", "¦class = 1", ["Identifier", '"{"', '"["']],
  ["script", "const ‸", "a ¦b", ['"="']],
  ["python", "def f():\n    ‸\n", "return ¦def ", ['"lambda"']],
  ["python", "def f():\n‸\n", "¦return", []],
])("tryFindDeadPlace in %s, hole %s: %s", (grammar, around, marked, some) => {
  const offset = bytesOf(marked.split("¦")[0]!);
  const place = tryFindDeadPlace(holeIn(grammar, around), encoder.encode(marked.replace("¦", "")));
  expect(place).toMatchObject({ offset });
  expect(place!.expected).toEqual(expect.arrayContaining(some));
});

test("tryFindDeadPlace finds nothing in a completable filling", () => {
  expect(tryFindDeadPlace(holeIn("json", "[‸]"), encoder.encode("1,"))).toBeUndefined();
});

test("expectedTerminals lists the terminals that may come next", () => {
  const hole = holeIn("json", "[‸]");
  const after = (text: string) => expectedTerminals(hole, hole.add(hole.empty, encoder.encode(text)));
  expect(after("1")).toEqual(['","']);
  expect(after("[1")).toEqual(['","', '"]"']);
  expect(after('"a')).toEqual([]);
  expect(after('{"a"')).toEqual(['":"']);
});

const encoder = new TextEncoder();
const bytesOf = (text: string) => encoder.encode(text).length;
