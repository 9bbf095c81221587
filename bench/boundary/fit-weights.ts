/**
 * Fits the weights of `src/edit/boundaries/boundary-traits.ts`:
 * `npx tsx bench/boundary/fit-weights.ts REPO...`.
 *
 * Mistakes are injected into real edits of the repositories, line numbers alone; each that is
 * noticed is one choice among the alternatives that do not break the file, one of which is right.
 * The weights are those under which the right ones are likeliest: a conditional logit, with a small
 * penalty on large weights. Prints them, how often the right alternative is the likeliest, and how
 * often the sure ones are wrong; then the same for each repository by weights that were fitted on
 * the others.
 */
import { parseArgs } from "node:util";
import { boundaryCandidates } from "../../src/edit/boundaries/boundary-candidates.ts";
import { hasUniqueRepeatedLine } from "../../src/edit/boundaries/boundary-evidence.ts";
import { boundaryTraits, boundaryWeights, type TraitName } from "../../src/edit/boundaries/boundary-traits.ts";
import { hasWord, LineLikeness } from "../../src/edit/boundaries/line-likeness.ts";
import { LineTransitions } from "../../src/edit/boundaries/line-transitions.ts";
import { newErrorCounter, SpliceChecker, spliceLines } from "../../src/edit/boundaries/splice-checker.ts";
import { EditedSyntaxErrors } from "../../src/syntax/index.ts";
import { openSyntax } from "../../src/syntax/node/index.ts";
import { mistakeNames, mistaken } from "./mistakes.ts";
import { type RealEdit, realEdits } from "./real-edits.ts";

/** The traits of the alternatives, and which one is right. */
interface Choice {
  readonly alternatives: readonly Float64Array[];
  readonly right: number;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { edits: { type: "string", default: "150" }, seed: { type: "string", default: "1" } },
});
const names = Object.keys(boundaryWeights) as TraitName[];
using syntax = openSyntax();
const choices: Choice[][] = [];
for (const repo of positionals) {
  const edits = await realEdits(repo, { count: Number(values.edits), seed: Number(values.seed), syntax });
  const found: Choice[] = [];
  for (const edit of edits) found.push(...(await choicesOf(edit)));
  choices.push(found);
  console.log(`${repo}: ${edits.length} edits, ${found.length} choices`);
}
const weights = fitWeights(choices.flat());
console.log(`all  ${accuracy(choices.flat(), weights)}`);
for (const [at, name] of names.entries()) console.log(`  ${name}: ${weights[at]!.toFixed(2)},`);
if (choices.length > 1) {
  for (const [at, held] of choices.entries()) {
    const others = fitWeights(choices.filter((_, index) => index !== at).flat());
    console.log(`held out: ${positionals[at]}  ${accuracy(held, others)}`);
  }
}

async function choicesOf(edit: RealEdit): Promise<Choice[]> {
  using errors = await EditedSyntaxErrors.open(syntax, { ...edit, uri: edit.path, text: edit.before });
  const judge = new SpliceChecker(edit.before, edit.language, newErrorCounter(edit.before, errors));
  const { lines } = judge;
  const context = { lines, habits: new LineTransitions(lines), likeness: new LineLikeness() };
  const truth = spliceLines(lines, [edit.splice]).join("\n");
  const found: Choice[] = [];
  for (const name of mistakeNames) {
    const splice = mistaken(name, lines, edit.splice);
    if (splice === undefined || (splice.lines.length > 0 && !splice.lines.some(hasWord))) continue;
    if (spliceLines(lines, [splice]).join("\n") === truth) continue;
    const isBroken = await judge.breaks([splice]);
    if (!isBroken && !hasUniqueRepeatedLine(lines, splice, 1)) continue;
    const room = { floor: 0, ceiling: lines.length };
    const alternatives: Float64Array[] = [];
    let right = -1;
    for (const candidate of boundaryCandidates(lines, splice, room)) {
      if (await judge.breaks([candidate.splice])) continue;
      if (spliceLines(lines, [candidate.splice]).join("\n") === truth) right = alternatives.length;
      const traits = boundaryTraits(candidate, context);
      alternatives.push(Float64Array.from(names, (trait) => traits[trait]));
    }
    if (right >= 0) found.push({ alternatives, right });
  }
  return found;
}

/** Gradient descent with momentum, on the mean loss. */
function fitWeights(data: readonly Choice[]): Float64Array {
  const weights = new Float64Array(names.length);
  const speed = new Float64Array(names.length);
  for (let step = 0; step < 1500; step++) {
    const gradient = weights.map((weight) => 0.0005 * weight);
    for (const { alternatives, right } of data) {
      const shares = probabilities(alternatives, weights);
      for (const [at, traits] of alternatives.entries()) {
        const pull = (shares[at]! - (at === right ? 1 : 0)) / data.length;
        for (let trait = 0; trait < traits.length; trait++) gradient[trait]! += pull * traits[trait]!;
      }
    }
    for (let trait = 0; trait < weights.length; trait++) {
      speed[trait] = 0.9 * speed[trait]! - 0.1 * gradient[trait]!;
      weights[trait]! += speed[trait]!;
    }
  }
  return weights;
}

function probabilities(alternatives: readonly Float64Array[], weights: Float64Array): number[] {
  const scores = alternatives.map((traits) => traits.reduce((sum, value, trait) => sum + value * weights[trait]!, 0));
  const highest = Math.max(...scores);
  const odds = scores.map((score) => Math.exp(score - highest));
  const all = odds.reduce((sum, value) => sum + value, 0);
  return odds.map((value) => value / all);
}

/**
 * How often the likeliest is right, and of those surer than each threshold, how many there are and
 * how many are wrong.
 */
function accuracy(data: readonly Choice[], weights: Float64Array): string {
  const judged = data.map(({ alternatives, right }) => {
    const shares = probabilities(alternatives, weights);
    const best = shares.indexOf(Math.max(...shares));
    return { sure: shares[best]!, isRight: best === right };
  });
  const share = (part: number) => `${((100 * part) / data.length).toFixed(1)} %`;
  const sure = [0.9, 0.95, 0.97, 0.98, 0.99].map((least) => {
    const those = judged.filter((one) => one.sure >= least);
    return `${least}: ${share(those.length)}, ${those.filter(({ isRight }) => !isRight).length} wrong`;
  });
  return `right ${share(judged.filter(({ isRight }) => isRight).length)}  surer than ${sure.join("; ")}`;
}
