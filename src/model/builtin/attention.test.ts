import { describe, expect, it } from "vitest";
import { Attention, attentionFeatures } from "./attention.ts";
import { nearContexts } from "./context-walker.ts";
import { Corpus } from "./corpus.ts";
import { lexRulesOf } from "./lex-rules.ts";
import { indentUnitOf, Lexer } from "./lexer.ts";
import { OpenDocument } from "./open-document.ts";
import { Vocabulary } from "./vocabulary.ts";

/** The votes for a candidate, by name. */
const votes = ["kin", "aligned", "both", "near", "far below best", "most kin", "near below best", "best"] as const;
type Votes = Readonly<Record<(typeof votes)[number], number>>;

/**
 * Lets places of learnt texts, and of the open one before `|`, propose candidates. A place is the
 * name after `§`, which is also the candidate; a text without one is only there.
 */
function attend(open: string, ...learnt: readonly string[]): Readonly<Record<string, Votes>> {
  const vocabulary = new Vocabulary();
  const lexer = new Lexer(vocabulary);
  const rules = lexRulesOf("typescript");
  const far = new Corpus(vocabulary, [], 1000);
  const slots: string[] = [];
  const slotOf = (name: string): number => (slots.includes(name) ? slots.indexOf(name) : slots.push(name) - 1);
  const attention = new Attention(vocabulary, 16);
  attention.begin();
  const marked = (text: string): readonly [string, RegExpMatchArray | null] => [
    text.replace("§", ""),
    /§(\w+)/.exec(text),
  ];
  for (const text of learnt) {
    const [plain, mark] = marked(text);
    lexer.lex(plain, rules, indentUnitOf(plain));
    const at = lexer.starts.subarray(0, lexer.length).indexOf(text.indexOf("§"));
    const { start } = far.append(lexer.tokens, lexer.length);
    if (mark !== null) attention.visitFar(slotOf(mark[1]!), start + at);
  }
  const [plain, mark] = marked(open);
  const [prefix, suffix] = plain.split("|") as [string, string];
  const corpus = new Corpus(vocabulary, nearContexts, 1000);
  const document = new OpenDocument({ vocabulary, lexer, rules, prefix, suffix, path: "a.ts", counted: 1, corpus });
  if (mark !== null) {
    const names = Array.from(
      corpus.tokens.subarray(document.prefixStart, corpus.length),
      (t) => vocabulary.names[t >> 2],
    );
    attention.visitNear(slotOf(mark[1]!), document.prefixStart + names.indexOf(mark[1]!));
  }
  attention.compare(document, far.tokens, far.length, slots.length);
  document[Symbol.dispose]();
  const out = new Float32Array(attentionFeatures);
  return Object.fromEntries(
    slots.map((name, slot) => {
      attention.describe(slot, out, 0);
      return [name, Object.fromEntries(votes.map((vote, i) => [vote, out[i]!])) as Votes];
    }),
  );
}

describe("similar places of the learnt text", () => {
  it("weigh more the more preceding tokens match", () => {
    const { right, wrong } = attend("load(shop, user).|", "load(shop, user).§right", "find(cart, user).§wrong");
    expect(right!.aligned).toBeGreaterThan(2 * wrong!.aligned);
    expect(right!["far below best"]).toBeCloseTo(0);
    expect(wrong!["far below best"]).toBeLessThan(-0.05);
  });

  it("weigh more the more names nearby they share, in any order, before and after", () => {
    const { right, wrong } = attend("const invoice = make();\nbook(|", "make(§right, invoice)", "draw(§wrong, circle)");
    expect(right!.kin).toBeGreaterThan(0.9);
    expect(wrong!.kin).toBeLessThan(0.1);
    expect(right!["most kin"]).toBeCloseTo(1);
  });

  it("count rare names more than common ones", () => {
    const everywhere = Array.from({ length: 30 }, () => "item").join("; ");
    const { rare, common } = attend(`${everywhere};\nzebra; item; (|`, "zebra = §rare", "item = §common");
    expect(rare!.kin).toBeGreaterThan(2 * common!.kin);
  });

  it("have votes of each kind that add up to 1", () => {
    const candidates = Object.values(attend("f(a, §here); f(a, |", "f(a, §one)", "g(b, §two)", "f(a, §one)"));
    for (const kind of ["kin", "aligned", "both", "near"] as const) {
      expect(candidates.reduce((sum, one) => sum + one[kind], 0)).toBeCloseTo(1, 2);
    }
  });
});

describe("a candidate of the builtin model", () => {
  it("from the open document is distinguished from one of the learnt files", () => {
    const { here, there } = attend("f(a, §here); f(a, |", "f(a, §there)");
    expect([here!.aligned, here!["far below best"], here!.near > 0.9]).toEqual([0, expect.closeTo(-0.3), true]);
    expect([there!.near, there!["near below best"], there!.aligned > 0.9]).toEqual([0, expect.closeTo(-0.3), true]);
  });

  it("gets no votes from text before the beginning of its file", () => {
    const { alone } = attend("load(shop, user).|", "load(shop, user).", "§alone");
    expect(alone!.best).toBe(0);
  });
});
