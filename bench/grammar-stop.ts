/**
 * Whether holes say of changed middles what parsers say of the whole text:
 * `npm run bench:grammar:stop -- DIR...`.
 *
 * `bench/README.md` describes what is measured.
 */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { seededRandom } from "../scripts/train/seeded-random.ts";
import { FillSession } from "../src/grammar/index.ts";
import { loadGrammar } from "../src/grammar/node/index.ts";
import { type Bar, passes, printBars } from "./bar.ts";
import { type Cut, randomCut } from "./grammar/cuts.ts";
import { type MutationKind, mutate, mutationKinds } from "./grammar/mutations.ts";
import { type JudgedGrammar, ownGrammars, realFiles } from "./grammar/real-files.ts";
import { hasReference, type Judgement, judge, references, referenceVersions } from "./grammar/references.ts";
import { openRepositories } from "./repositories.ts";

const usage = `npm run bench:grammar:stop -- DIR... [options]
  DIR                 folders, and git repositories, bare or not, whose last commit is read
  --repositories CLONES  where the clones lie that repositories.json lists for it; DIR is then the name of one
  --files N           so many files of each grammar, none longer than 50,000 characters; default: 100
  --cuts N            holes in each file, each with one middle of every kind; default: 3
  --seed N            which of them; default: 1
  --grammar NAME      only this one (${ownGrammars.join(", ")}); may be given several times
  --show N            disagreements to print of each grammar; default: 5
  --json FILE         writes all figures and disagreements`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    files: { type: "string", default: "100" },
    cuts: { type: "string", default: "3" },
    seed: { type: "string", default: "1" },
    grammar: { type: "string", multiple: true },
    show: { type: "string", default: "5" },
    repositories: { type: "string" },
    json: { type: "string" },
  },
});
const [files, cuts, seed, show] = [values.files, values.cuts, values.seed, values.show].map(Number) as [
  number,
  number,
  number,
  number,
];
const unknown = values.grammar?.filter((name) => !(ownGrammars as readonly string[]).includes(name)) ?? [];
if (
  (positionals.length === 0 && values.repositories === undefined) ||
  !(files > 0) ||
  !(cuts > 0) ||
  Number.isNaN(seed) ||
  unknown.length > 0
) {
  console.error(usage);
  process.exit(2);
}

using opened = openRepositories("grammar:stop", { chosen: positionals, clones: values.repositories });
const { folders } = opened;

interface Case extends Cut {
  readonly grammar: JudgedGrammar;
  readonly path: string;
  readonly kind: MutationKind;
  readonly canStop: boolean;
}

interface Disagreement extends Case, Judgement {
  /** The line of the hole, from 1. */
  readonly line: number;
}

interface Row {
  readonly grammar: JudgedGrammar;
  readonly kind: MutationKind | "all";
  readonly cases: number;
  readonly whole: number;
  /** Stops that the reference would not allow, and those that it would and the hole does not. */
  readonly falseStops: number;
  readonly missedStops: number;
  /**
   * For scripts: stops that both parsers would not allow, and those that both would and the hole
   * does not.
   */
  readonly falseToBoth?: number;
  readonly missedToBoth?: number;
  /**
   * Of those that are false to both: where only the names of two tags differ, which no grammar can
   * see.
   */
  readonly tagNames?: number;
  /** Cases in which the hole and the second parser disagree, and in which the two parsers do. */
  readonly otherDisagrees?: number;
  readonly parsersDisagree?: number;
}

const encoder = new TextEncoder();
const all = realFiles(folders, { count: files, seed, grammars: values.grammar, maxLength: 50_000 });
const rows: Row[] = [];
const disagreements: Disagreement[] = [];
for (const grammar of ownGrammars) {
  if (!all.some((file) => file.grammar === grammar)) continue;
  if (hasReference(grammar)) await measure(grammar);
  else console.error(`${grammar} is left out: there is no ${references[grammar][0]} on this machine.`);
}
console.log(
  `${"grammar".padEnd(11)}${"kind".padEnd(21)}${"cases".padStart(7)}${"whole".padStart(7)}${"agree %".padStart(9)}${"false".padStart(7)}${"missed".padStart(8)}${"tag names".padStart(11)}${"to both".padStart(9)}${"second agrees %".padStart(17)}${"the two agree %".padStart(17)}`,
);
for (const row of rows) {
  const counts = [`${row.cases}`.padStart(7), `${row.whole}`.padStart(7)];
  const wrong = [`${row.falseStops}`.padStart(7), `${row.missedStops}`.padStart(8)];
  const { tagNames = 0, falseToBoth = 0, missedToBoth = 0, otherDisagrees, parsersDisagree = 0 } = row;
  const other =
    otherDisagrees === undefined
      ? []
      : [
          `${tagNames}`.padStart(11),
          `${falseToBoth + missedToBoth}`.padStart(9),
          percent(row, otherDisagrees).padStart(17),
          percent(row, parsersDisagree).padStart(17),
        ];
  const agreed = percent(row, row.falseStops + row.missedStops).padStart(9);
  console.log([row.grammar.padEnd(11), row.kind.padEnd(21), ...counts, agreed, ...wrong, ...other].join(""));
}
console.log(`
agree, false stops, missed stops: held against the reference. second agrees: how often the hole says what the second parser says.
${[...new Set(rows.map(({ grammar }) => grammar))].map((grammar) => `${grammar}: ${references[grammar].join(", second ")}`).join("; ")}.
${referenceVersions()}.
TypeScript's parser leaves to its checker what ECMAScript's grammar refuses (\`const a\` without a value, \`export export\`): so it judges
the languages that are its own, and JavaScript is judged by oxc.
tag names: false stops where nothing is wrong but that a tag is closed by another name.
to both: false and missed stops that both parsers agree about.`);
for (const grammar of ownGrammars) {
  const some = disagreements.filter((one) => one.grammar === grammar);
  for (const one of some.slice(0, show)) console.log(`\n${printDisagreement(one)}`);
}
const bars: readonly Bar[] = rows
  .filter(({ kind }) => kind === "all")
  .map((row) => ({
    name: `${row.grammar}, agreement in %`,
    value: 100 * (1 - (row.falseStops + row.missedStops) / row.cases),
    bar: row.grammar === "json" || row.grammar === "python" ? 100 : 99,
    sense: "at-least",
  }));
console.log(`\n${printBars(bars)}`);
if (values.json !== undefined) {
  const content = {
    bench: "grammar-stop",
    references: referenceVersions(),
    folders,
    seed,
    rows,
    bars,
    disagreements,
  };
  writeFileSync(values.json, `${JSON.stringify(content, undefined, 2)}\n`);
}
process.exitCode = bars.every(passes) ? 0 : 1;

async function measure(grammar: JudgedGrammar): Promise<void> {
  const compiled = await loadGrammar(grammar);
  const some = all.filter((file) => file.grammar === grammar);
  const judgements = await judge(grammar, some);
  const whole = some.filter((_, i) => judgements[i]!.isWhole);
  const random = seededRandom(seed);
  const cases: Case[] = [];
  for (const { path, text } of whole) {
    const session = new FillSession(compiled);
    for (let i = 0; i < cuts; i++) {
      const cut = randomCut(text, random);
      const opening = session.open(cut);
      for (const kind of mutationKinds) {
        const middle = mutate(kind, cut.middle, text, random);
        if (middle === undefined) continue;
        const canStop =
          opening.kind === "open" && opening.hole.canStop(opening.hole.add(opening.hole.empty, encoder.encode(middle)));
        cases.push({ ...cut, grammar, path, kind, middle, canStop });
      }
    }
  }
  const results = await judge(
    grammar,
    cases.map(({ path, before, middle, behind }) => ({ path, text: before + middle + behind })),
  );
  for (const kind of ["all", ...mutationKinds] as const) rows.push(rowOf(grammar, kind));

  for (const [i, one] of cases.entries()) {
    if (one.canStop === results[i]!.isWhole) continue;
    disagreements.push({ ...one, ...results[i]!, line: one.before.split("\n").length });
  }

  function rowOf(grammar: JudgedGrammar, kind: MutationKind | "all"): Row {
    const of = cases.map((one, i) => ({ ...one, ...results[i]! })).filter((one) => kind === "all" || one.kind === kind);
    const count = (matches: (one: Case & Judgement) => boolean) => of.filter(matches).length;
    return {
      grammar,
      kind,
      cases: of.length,
      whole: count(({ isWhole }) => isWhole),
      falseStops: count(({ canStop, isWhole }) => canStop && !isWhole),
      missedStops: count(({ canStop, isWhole }) => !canStop && isWhole),
      ...(of[0]?.isWholeToOther !== undefined && {
        falseToBoth: count(({ canStop, isWhole, isWholeToOther }) => canStop && !isWhole && !isWholeToOther),
        missedToBoth: count(({ canStop, isWhole, isWholeToOther }) => !canStop && isWhole && isWholeToOther === true),
        tagNames: count(({ canStop, isWhole, lacksTagNames }) => canStop && !isWhole && lacksTagNames === true),
        otherDisagrees: count(({ canStop, isWholeToOther }) => canStop !== isWholeToOther),
        parsersDisagree: count(({ isWhole, isWholeToOther }) => isWhole !== isWholeToOther),
      }),
    };
  }
}

/** How many of a row's cases are not among the `wrong` ones, in percent. */
function percent({ cases }: Row, wrong: number): string {
  return cases === 0 ? "-" : (100 * (1 - wrong / cases)).toFixed(2);
}

function printDisagreement({ path, line, kind, canStop, before, middle, behind }: Disagreement): string {
  const around = [before.slice(-60), middle, behind.slice(0, 60)].map((text) => JSON.stringify(text)).join(" | ");
  return `${path}:${line} ${kind}: ${canStop ? "false stop" : "missed stop"}\n  ${around}`;
}
