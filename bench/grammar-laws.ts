/**
 * Whether the engine of holes agrees with the definitions, on many random grammars:
 * `npm run bench:grammar:laws`.
 *
 * Prints a table, and the smallest mismatch of each question; `--json FILE` writes the same. Exits
 * with 1 where there is one.
 */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import fc from "fast-check";
import { JudgedGrammar } from "../src/grammar/fixtures/hole-laws.ts";
import { JudgedLexicalGrammar, randomLexicalShape } from "../src/grammar/fixtures/lexical-laws.ts";
import { randomGrammar, randomHole } from "../src/grammar/fixtures/random-grammar.ts";
import { lexicalFamilies, randomLexicalGrammar } from "../src/grammar/fixtures/random-lexical-grammar.ts";
import { writeGrammar } from "../src/grammar/notations/write-grammar.ts";

const { values } = parseArgs({
  options: {
    /** How many holes to open with grammars of single letters. */
    holes: { type: "string", default: "100000" },
    /**
     * How many texts to read and to open holes in with grammars of lexemes, for each family of
     * these.
     */
    texts: { type: "string", default: "4000" },
    seed: { type: "string", default: "1" },
    json: { type: "string" },
  },
});
const firstSeed = Number(values.seed);
const casesPerGrammar = 8;
const grammarsPerSeed = 50;

/** The smallest case of a kind of mismatch. */
interface Found {
  readonly question: string;
  readonly grammar: string;
  readonly case: unknown;
  readonly mismatch: unknown;
  readonly count: number;
}

/** What came of the grammars of one kind. */
class Tally {
  readonly name: string;
  grammars = 0;
  cases = 0;
  questions = 0;
  unproved = 0;
  withoutEnding = 0;
  cpuSeconds = 0;
  readonly found = new Map<string, Found>();

  constructor(name: string) {
    this.name = name;
  }

  get mismatches(): number {
    return [...this.found.values()].reduce((sum, { count }) => sum + count, 0);
  }

  keep(question: string, grammar: string, of: unknown, mismatch: unknown): void {
    const known = this.found.get(question);
    const next = { question, grammar, case: of, mismatch, count: (known?.count ?? 0) + 1 };
    const isSmaller = known === undefined || sizeOf(next) < sizeOf(known);
    this.found.set(question, isSmaller ? next : { ...known, count: next.count });
  }
}

function sizeOf(found: Found): number {
  return found.grammar.length + JSON.stringify(found.case).length;
}

/** Judges `cases` cases: grammars of `grammars`, each with a few shapes of cases. */
function run<Grammar, Shape>(
  tally: Tally,
  cases: number,
  arbitrary: fc.Arbitrary<readonly [Grammar, readonly Shape[]]>,
  judge: (grammar: Grammar, shapes: readonly Shape[]) => void,
): Tally {
  const started = process.cpuUsage();
  for (let seed = firstSeed; tally.cases < cases; seed++) {
    for (const [grammar, shapes] of fc.sample(arbitrary, { numRuns: grammarsPerSeed, seed })) judge(grammar, shapes);
  }
  const { user, system } = process.cpuUsage(started);
  tally.cpuSeconds = (user + system) / 1e6;
  return tally;
}

/** Judges one case, and takes an exception for a mismatch. */
function attempt(tally: Tally, grammar: string, of: unknown, judge: () => void): void {
  tally.cases++;
  try {
    judge();
  } catch (error) {
    tally.keep("an exception", grammar, of, String(error));
  }
}

function several<Shape>(shape: fc.Arbitrary<Shape>): fc.Arbitrary<readonly Shape[]> {
  return fc.array(shape, { minLength: casesPerGrammar, maxLength: casesPerGrammar });
}

const letters = new Tally("letters");
run(letters, Number(values.holes), fc.tuple(randomGrammar, several(randomHole)), (source, shapes) => {
  const grammar = new JudgedGrammar(source);
  if (!grammar.isUsable) return;
  letters.grammars++;
  for (const shape of shapes) {
    const hole = "choices" in shape ? grammar.caseOf(shape) : shape;
    attempt(letters, writeGrammar(source), hole, () => {
      const { questions, mismatches } = grammar.judge(hole);
      letters.questions += questions;
      for (const mismatch of mismatches) letters.keep(mismatch.question, writeGrammar(source), hole, mismatch);
    });
  }
});

const families = lexicalFamilies.flatMap((family) => {
  const whole = new Tally(family.name);
  const masks = new Tally(`masks, ${family.name}`);
  run(
    whole,
    Number(values.texts),
    fc.tuple(randomLexicalGrammar(family), several(randomLexicalShape)),
    (text, shapes) => {
      const grammar = new JudgedLexicalGrammar(text, family);
      if (!grammar.isUsable) return;
      whole.grammars++;
      masks.grammars++;
      for (const shape of shapes) {
        const each = grammar.caseOf(shape);
        attempt(whole, text, each, () => {
          const { questions, mismatches, unproved, withoutEnding } = grammar.judge(each);
          whole.questions += questions;
          whole.unproved += unproved;
          whole.withoutEnding += withoutEnding;
          for (const mismatch of mismatches) whole.keep(mismatch.question, text, each, mismatch);
        });
        attempt(masks, text, each, () => {
          const { questions, mismatches } = grammar.judgeMask(each);
          masks.questions += questions;
          for (const mismatch of mismatches) masks.keep(mismatch.question, text, each, mismatch);
        });
      }
    },
  );
  return [whole, masks];
});

const tallies = [letters, ...families];
console.table(
  Object.fromEntries(
    tallies.map(({ name, grammars, cases, questions, mismatches, unproved, withoutEnding, cpuSeconds }) => [
      name,
      { grammars, cases, questions, mismatches, unproved, withoutEnding, cpuSeconds: Math.round(cpuSeconds) },
    ]),
  ),
);
for (const { name, found } of tallies) {
  for (const { question, grammar, count, mismatch, ...rest } of found.values()) {
    console.log(
      `\n${name}, ${question}: ${count}, such as\n${grammar}${JSON.stringify(rest.case)}\n${JSON.stringify(mismatch)}`,
    );
  }
}
if (values.json !== undefined) {
  const rows = tallies.map(({ found, ...figures }) => ({ ...figures, found: [...found.values()] }));
  writeFileSync(values.json, `${JSON.stringify({ seed: firstSeed, rows }, undefined, 2)}\n`);
}
if (tallies.some(({ mismatches }) => mismatches > 0)) process.exitCode = 1;
