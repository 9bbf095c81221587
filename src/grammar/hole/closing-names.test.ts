import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { openSyntax } from "../../syntax/node/index.ts";
import { compileLanguage } from "../fixtures/compile-language.ts";
import { GrammarVocabulary } from "../masks/grammar-vocabulary.ts";
import { TokenMasker } from "../masks/token-masker.ts";
import { hasToken } from "../masks/token-set.ts";
import { Vocabulary } from "../masks/token-vocabulary.ts";
import { agreedEnd, endedTexts } from "./ended-text.ts";
import { openHole } from "./fill-session.ts";
import { HoleGuide } from "./hole-guide.ts";
import { recognise } from "./recognise.ts";

const grammar = compileLanguage("tsx");
const encoder = new TextEncoder();

describe("recognise: an element is closed by its own name", () => {
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

// A line ends at `⏎`. The hole is `‸`, or what is written into it is between `«` and `»`: what
// is put behind it, or that it may end, or cannot go on.
describe("Hole: the name of a closing tag", () => {
  test.each([
    ["an element is closed as it was opened", "a = <b>‸", "</b>"],
    ["the innermost one first", "a = <b.c><d>‸", "</d></b.c>"],
    ["also one of the filling", "a = «<b e={<c>»;", "</c>}/>"],
    ["as far as the name is written", "a = <bcd></b‸", "cd>"],
    ["by the name behind it", "a = <b>‸</cd>⏎</b>", "<cd>"],
    ["by the names that stand behind", "a = ‸</b>⏎</c>", "<c><b>"],
    ["by the rest of a name", "a = <b‸ d>e</bcd>", "cd"],
    ["by the beginning of a name", "a = ‸cd>⏎</bcd>", "<b"],
    ["by a name around a point", "a = <b‸d.e>f</b.cd.e>", ".c"],
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
    const state = !guide.canContinue(filling)
      ? "cannot go on"
      : guide.mayEnd(filling)
        ? "may end"
        : guide.ending(filling);
    expect(state).toBe(expected);
  });
});

describe("law: the mask of a hole with names has the bit of each token that is allowed alone", () => {
  const tokens = [
    "<",
    "</",
    "/",
    ">",
    "/>",
    " ",
    "b",
    "bc",
    "c",
    "</b>",
    "/b>",
    "></b",
    "c>",
    ".",
    ".d",
    "{",
    "}",
    "</>",
    " b",
    ">x</",
  ];
  const vocabulary = new Vocabulary(tokens.map((text, id) => ({ id, text })));
  const shared = new GrammarVocabulary(grammar, vocabulary);

  test.each([
    ["a = <b>", "", ["</", "b", ">"]],
    ["a = <bc><b.d>", "</bc>", ["c", "<", "/", "b", ".d", " ", ">"]],
    ["a = <b><c>", "", [">x</", "c>", "<", "/b>"]],
    ["a = ", "</b>", ["<", "bc", "></b", "c>", "<", "b", ">"]],
  ])("%s‸%s", (before, behind, path) => {
    const opening = openHole(grammar, { before, behind });
    if (opening.kind !== "open") throw new Error(opening.kind);
    const masker = new TokenMasker(opening.hole, shared);
    for (const next of ["", ...path]) {
      if (next !== "") masker.accept(tokens.indexOf(next));
      const mask = masker.mask();
      const allowed = (of: (id: number) => boolean) => tokens.filter((_, id) => of(id));
      expect(allowed((id) => hasToken(mask, id))).toEqual(allowed((id) => masker.allows(id)));
    }
  });
});

const page = `export const Page = ({ items, of }: Props<Item>) => (
  <Layout.Body title="a > b" of={of}>
    <ul id={\`list-\${of}\`}>
      {items.map((item) => (
        <li key={item.id}>{item.isNew ? <b>new</b> : <img src={item.src} />} {item.name}</li>
      ))}
    </ul>
    <>
      Nothing <Link<Item> to="/"><i /> else</Link>
    </>
  </Layout.Body>
);
`;

describe("law: the language's own parser accepts fillings with names", () => {
  const syntax = openSyntax();
  afterAll(() => syntax[Symbol.dispose]());
  const agrees = async (text: string) =>
    (await syntax.syntaxErrors({ uri: "page.tsx", language: "typescriptreact", text })).length === 0;
  const pieces = ["<", "</", "/", ">", "{", "}", "=", '"c"', " ", "ul", "li", "Layout", ".", "Body", "b", "Link"];

  test("for random beginnings and holes anywhere", async () => {
    const place = fc.integer({ min: 0, max: page.length });
    const filling = fc.array(fc.constantFrom(...pieces), { maxLength: 8 }).map((all) => all.join(""));
    await fc.assert(
      fc.asyncProperty(place, fc.nat({ max: 60 }), filling, async (at, length, begun) => {
        const [before, behind] = [page.slice(0, at), page.slice(at + length)];
        const opening = openHole(grammar, { before, behind });
        fc.pre(opening.kind === "open");
        const guide = new HoleGuide(opening.hole);
        const ended = endedTexts(guide, begun).next().value;
        expect(ended).toBeDefined();
        const text = before + ended!.text + behind;
        expect({ text, verdict: recognise(grammar, encoder.encode(text)) }).toEqual({
          text,
          verdict: { kind: "whole" },
        });
        const agreed = await agreedEnd(guide, begun, (end) => agrees(before + end + behind));
        expect(agreed).toBeDefined();
      }),
      { numRuns: 15 },
    );
  }, 60_000);
});
