/**
 * How much of real changes follows without a model:
 * `npm run bench:plan -- CASES.jsonl --repositories CLONES --model none`.
 *
 * `bench/README.md` describes what is measured.
 */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { openSyntax } from "../src/syntax/node/index.ts";
import { honestDiffBleu, publishedDiffBleu, totalLevenshtein } from "./codeplan/text-scores.ts";
import { CaseWorkspace } from "./impact/case-workspace.ts";
import { CommitTree } from "./impact/commit-tree.ts";
import { type ImpactCase, readCases, readScopes } from "./impact/impact-case.ts";
import { answerCase, type CaseAnswer } from "./plan/answer-case.ts";
import { cloneOf } from "./repositories.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    repositories: { type: "string" },
    model: { type: "string", default: "none" },
    /** Only cases whose id matches this regular expression. */
    only: { type: "string", default: "" },
    /** Prints every edit that the checker accepts and that is not the commit's. */
    show: { type: "boolean", default: false },
    json: { type: "string" },
  },
});
const [casesPath] = positionals;
const { repositories } = values;
if (casesPath === undefined || repositories === undefined)
  throw new Error("Say which cases, and where the clones lie: npm run bench:plan -- CASES.jsonl --repositories CLONES");
if (values.model !== "none") throw new Error("This measures what follows without a model: --model none.");

const scopes = await readScopes(casesPath, repositories);
const cases = readCases(casesPath)
  .filter(({ id }) => new RegExp(values.only).test(id))
  .sort((a, b) => (a.repo < b.repo ? -1 : a.repo > b.repo ? 1 : 0));
using syntax = openSyntax();
const answers: CaseAnswer[] = [];
for (const one of cases) {
  const started = process.cpuUsage();
  const answer = await run(one, repositories);
  answers.push(answer);
  const { user, system } = process.cpuUsage(started);
  const { exact, silent, begun, wrong, obligation } = answer.outcomes;
  const counts = `exact ${exact}, silent ${silent}, begun ${begun}, wrong ${wrong}, left ${obligation}`;
  const blocks = `matched ${answer.matched}, missed ${answer.missed}, spurious ${answer.spurious.length}`;
  console.log(
    `${one.id.padEnd(30)} ${counts} | ${blocks} | ${answer.repairs} repairs, ${answer.refused} refused, ${((user + system) / 1e6).toFixed(1)} s`,
  );
  if (values.show) {
    for (const { key, outcome, codes } of answer.forced)
      if (outcome !== "exact") console.log(`    ${outcome} ${key} ${codes}`);
    for (const { key, rules, before, now, wanted } of answer.different)
      console.log(`    ~ ${key} (${rules})\n      - ${before}\n      + ${now}\n      = ${wanted ?? "(gone)"}`);
  }
  if (values.json !== undefined) writeFileSync(values.json, JSON.stringify(answers.map(withoutFiles), null, 1));
}

const total = (pick: (answer: CaseAnswer) => number) => answers.reduce((all, answer) => all + pick(answer), 0);
const forced = total(({ forced }) => forced.length);
const share = (count: number) => `${count} of ${forced} (${((100 * count) / Math.max(1, forced)).toFixed(1)} %)`;
console.log(`\n${answers.length} cases, ${forced} forced blocks`);
console.log(`edited as in the commit      ${share(total(({ outcomes }) => outcomes.exact))}`);
console.log(`edited, the checker silent   ${share(total(({ outcomes }) => outcomes.silent))}`);
console.log(`names written, the rest left ${share(total(({ outcomes }) => outcomes.begun))}`);
console.log(`left as obligations          ${share(total(({ outcomes }) => outcomes.obligation))}`);
console.log(`edited, the checker is not   ${share(total(({ outcomes }) => outcomes.wrong))}`);
console.log(`accepted, not the commit's   ${total(({ different }) => different.length)} blocks, forced or not`);
console.log(
  `blocks: matched ${total(({ matched }) => matched)}, missed ${total(({ missed }) => missed)}, spurious ${total(({ spurious }) => spurious.length)}`,
);

const files = answers.flatMap((answer) => answer.files);
const mended = files.map(({ before, wanted, now }) => ({ source: before, target: wanted, predicted: now }));
const seeded = files.map((file) => ({ source: file.before, target: file.wanted, predicted: file.seeded }));
const printed = (value: number | undefined) => value?.toFixed(3) ?? "-";
console.log(
  `DiffBLEU: ${printed(publishedDiffBleu(mended))} over files that both changed, ${printed(honestDiffBleu(mended))} over all that either changed`,
);
console.log(
  `Levenshtein distance to the commits: ${totalLevenshtein(seeded)} with the seed alone, ${totalLevenshtein(mended)} mended`,
);

async function run(one: ImpactCase, folder: string): Promise<CaseAnswer> {
  const git = cloneOf(folder, one.repo);
  const before = new CommitTree(git, one.parent);
  const after = new CommitTree(git, one.commit);
  const inScope = scopes(one.repo);
  const workspace = await CaseWorkspace.open(before, inScope, syntax, { graph: false });
  try {
    return await answerCase(one, { before, after, inScope }, workspace);
  } finally {
    await workspace[Symbol.asyncDispose]();
  }
}

function withoutFiles({ files: _, ...answer }: CaseAnswer): Omit<CaseAnswer, "files"> {
  return answer;
}
