/**
 * How well the built-in model completes real lines: `npm run bench:complete -- FOLDER`.
 *
 * `bench/README.md` describes the cases and the columns.
 */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { languageIdOf } from "../scripts/train/learnable.ts";
import { readWeights } from "../scripts/train/weights-file.ts";
import { LanguageGuides } from "../src/grammar/index.ts";
import { grammarFor } from "../src/grammar/node/index.ts";
import { BuiltinModel, type FillGuide } from "../src/model/index.ts";
import { type CaseRepository, type CompletionCase, caseRepositories, loadCases } from "./complete/load-cases.ts";
import { MovingWorkspace } from "./complete/moving-workspace.ts";
import { type CaseResult, type InsideWord, printReport, repeatsRest, summarize } from "./complete/report.ts";
import { scoreLine } from "./complete/scores.ts";
import { typeLine } from "./complete/type-line.ts";

const usage = `npm run bench:complete -- FOLDER [options]
  FOLDER        one folder a repository, each with base.json.gz, blobs.jsonl.gz and cases.jsonl
  --repo NAME   only this repository; may be given several times
  --limit N     the first N cases of each set and repository; default: 100
  --all         all cases
  --weights FILE  the mixer's weights as raw 32-bit floats, little-endian, instead of the shipped ones
  --guide       holds answers to the language's grammar, as ghost text is
  --no-typing   leaves out typing the lines character by character, which takes most of the time
  --show        prints every case
  --json FILE   writes all figures and all predictions`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  allowNegative: true,
  options: {
    repo: { type: "string", multiple: true },
    limit: { type: "string", default: "100" },
    all: { type: "boolean", default: false },
    guide: { type: "boolean", default: false },
    typing: { type: "boolean", default: true },
    weights: { type: "string" },
    show: { type: "boolean", default: false },
    json: { type: "string" },
  },
});
const [folder] = positionals;
const limit = values.all ? Number.POSITIVE_INFINITY : Number(values.limit);
if (folder === undefined || !(limit > 0)) {
  console.error(usage);
  process.exit(2);
}

const weights = values.weights === undefined ? undefined : readWeights(values.weights);
const guides = new LanguageGuides({ load: grammarFor });
const results: CaseResult[] = [];
for (const name of caseRepositories(folder)) {
  if (values.repo !== undefined && !values.repo.includes(name)) continue;
  const repository = loadCases(folder, name, limit);
  const model = new BuiltinModel({ expectedCharacters: charactersOf(repository), ...(weights && { weights }) });
  const workspace = new MovingWorkspace(model, repository);
  const startMs = performance.now();
  for (const one of repository.cases) {
    workspace.moveTo(one);
    if (values.guide) await guides.prepare(languageIdOf(one.file, one.prefix + one.middle));
    const result = ask(model, name, one);
    results.push(result);
    if (values.show) console.log(printCase(one, result));
  }
  const seconds = (performance.now() - startMs) / 1000;
  console.error(`${name}: ${repository.cases.length} cases in ${seconds.toFixed(1)} s`);
}
const summary = summarize(results);
console.log(printReport(summary));
if (values.json !== undefined) {
  const file = { bench: "complete", node: process.version, limit: values.all ? "all" : limit, summary, results };
  writeFileSync(values.json, `${JSON.stringify(file, undefined, 2)}\n`);
}

/**
 * About how much text the model will hold, with room for what other states of the workspace add.
 */
function charactersOf({ files, texts }: CaseRepository): number {
  return Object.values(files).reduce((sum, blob) => sum + (texts.get(blob)?.length ?? 0), 0) * 1.2;
}

function ask(model: BuiltinModel, repository: string, one: CompletionCase): CaseResult {
  const { id, set, kind, seenLine, isTest, isImport, middle, prefix, suffix, file: path } = one;
  const place = { path, language: languageIdOf(path, prefix + middle), suffix, maxLines: 1 };

  // The text around a place is looked at when a person moves there, once for all keys that follow.
  if (values.guide) guideAt(place.language, prefix, suffix);
  const cpu = process.cpuUsage();
  const startMs = performance.now();
  const answer = model.complete({ ...place, prefix, minProbability: 0, ...guideAt(place.language, prefix, suffix) });
  const wallMs = performance.now() - startMs;
  const { user, system } = process.cpuUsage(cpu);
  const best = answer.kind === "offered" ? answer.completions[0] : answer.best;
  const predicted = best?.text ?? "";

  const suggest = (typed: string): string | undefined => {
    const shown = model.complete({
      ...{ ...place, prefix: prefix + typed },
      ...guideAt(place.language, prefix + typed, suffix),
    });
    return shown.kind === "offered" ? shown.completions[0].text : undefined;
  };
  const line = middle.trimEnd();
  const inside = kind === "word" ? insideName(model, one) : undefined;
  return {
    ...{ id, repository, set, kind, seenLine, isTest, isImport, middle, predicted },
    ...scoreLine(predicted, middle),
    probability: best?.probability ?? 0,
    wallMs,
    cpuMs: (user + system) / 1000,
    offered: suggest(""),
    typed: values.typing ? typeLine(line, suggest) : undefined,
    ...(inside && { inside }),
  };
}

/** What is shown where the line is whole already. */
function insideName(model: BuiltinModel, { file: path, prefix, middle, suffix }: CompletionCase): InsideWord {
  const language = languageIdOf(path, prefix + middle);
  const place = { path, language, prefix, suffix: middle + suffix, maxLines: 1 };
  const guide = guideAt(language, prefix, middle + suffix);
  const shown = model.complete({ ...place, ...guide });
  const surest = model.complete({ ...place, ...guide, minProbability: 0 });
  const offered = shown.kind === "offered" ? shown.completions[0].text : undefined;
  const best = surest.kind === "offered" ? surest.completions[0].text : undefined;
  return { offered, repeats: repeatsRest(offered, middle) || repeatsRest(best, middle) };
}

/**
 * The guide of a place as ghost text has it, which may end anywhere; none where it was not
 * requested.
 */
function guideAt(language: string, prefix: string, suffix: string): { readonly guide?: FillGuide } {
  const guide = values.guide ? guides.guideFor(language, prefix, suffix) : undefined;
  return guide === undefined ? {} : { guide: { allows: (text) => guide.allows(text), mayEnd: () => true } };
}

function printCase({ prefix }: CompletionCase, result: CaseResult): string {
  const { id, kind, exact, probability, middle, predicted, offered } = result;
  const head = `${exact === 1 ? "right" : "wrong"} ${id} ${kind} ${probability.toFixed(3)} ${offered === undefined ? "silent" : "offered"}`;
  const before = JSON.stringify(prefix.slice(prefix.lastIndexOf("\n") + 1));
  return `${head} ${before}\n  true ${JSON.stringify(middle.trimEnd())}\n  said ${JSON.stringify(predicted)}`;
}
