/**
 * How much of real commits is known before it is typed, without a model:
 * `npm run bench:next -- REPO`.
 *
 * `bench/README.md` describes what is measured, and by which rules.
 */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { type NextEditOrigin, TextIndex } from "../src/next/index.ts";
import { openSyntax } from "../src/syntax/node/index.ts";
import { Lines } from "../src/text/index.ts";
import { passes } from "./bar.ts";
import { cpuMsOfAll } from "./graph/process-usage.ts";
import type { Suggested } from "./next/asker.ts";
import { classifyHunks } from "./next/classify-hunks.ts";
import { hunkCommits, pathsOf } from "./next/commit-hunks.ts";
import { EngineAsker } from "./next/engine-asker.ts";
import type { Verdict } from "./next/file-progress.ts";
import { MovingTexts } from "./next/moving-texts.ts";
import { openSources } from "./next/open-sources.ts";
import { barsOf, printCalibration, printTally } from "./next/print-tally.ts";
import { type Replay, replayCommit } from "./next/replay-commit.ts";
import { SourceAsker } from "./next/source-asker.ts";
import { calibrationOf, tallyOf } from "./next/tally.ts";
import { openRepositories } from "./repositories.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    commits: { type: "string", default: "100" },
    seed: { type: "string" },
    since: { type: "string" },
    skip: { type: "string", default: "0" },
    only: { type: "string", default: "" },
    origins: { type: "string", default: "example,name,fix,impact" },
    least: { type: "string" },
    "by-line": { type: "boolean", default: false },
    types: { type: "boolean", default: false },
    alone: { type: "boolean", default: false },
    list: { type: "boolean", default: false },
    show: { type: "boolean", default: false },
    calibration: { type: "boolean", default: false },
    repositories: { type: "string" },
    json: { type: "string" },
  },
});
const [count, skip] = [Number(values.commits), Number(values.skip)];
const least = values.least === undefined ? undefined : Number(values.least);
const known = ["example", "name", "fix", "impact"] as const satisfies readonly NextEditOrigin[];
const origins = known.filter((origin) => values.origins.split(",").includes(origin));
const isLikelihood = least === undefined || (least >= 0 && least <= 1);
if (positionals.length !== 1 || !(count >= 1) || !(skip >= 0) || !isLikelihood || origins.length === 0) {
  console.error(`npm run bench:next -- REPO [options]
  REPO            a clone or a bare repository, with its history
  --repositories CLONES  where the clones lie; REPO is then a name in repositories.json
  --commits N     how many commits are gone through; default: 100
  --seed S        takes them evenly from the whole history; default: the newest
  --since DATE    only commits since then
  --skip N        passes over the first N that fit
  --only ID       only commits whose id begins so
  --origins LIST  who may suggest, of example, name, fix, impact
  --least P       the least likelihood that is shown, from 0 to 1; default: the engine's own
  --by-line       lines that became as many others are hunks of their own, as people write them one after the other
  --types         opens TypeScript for each commit, so that types propose and judge
  --alone         asks the sources themselves, without the engine
  --list          prints the commits and the kinds of their hunks, and asks for nothing
  --show          prints each suggestion that was not exact, and each hunk that follows and was not predicted
  --calibration   prints how often edits of which likelihood were exact
  --json FILE     writes all figures`);
  process.exit(2);
}

using opened = openRepositories("next", { chosen: positionals, clones: values.repositories });
const repository = opened.folders[0]!;
using syntax = openSyntax();
const index = new TextIndex();
const texts = new MovingTexts(repository, index);
const choice = {
  ...{ count, skip, only: values.only, byLine: values["by-line"] },
  ...(values.seed !== undefined && { seed: Number(values.seed) }),
  ...(values.since !== undefined && { since: values.since }),
};
const replays: Replay[] = [];
let touched: string[] = [];
for (const commit of hunkCommits(repository, choice)) {
  const kinds = classifyHunks(commit.files);
  const title = `${commit.id.slice(0, 10)} ${commit.subject.slice(0, 60)}`;
  if (values.list) {
    console.log(`${title}: ${kinds.length} hunks`);
    const hunks = commit.files.flatMap((file) => file.hunks);
    for (const [i, kind] of kinds.entries()) {
      const { path, beforeStart, before, after } = hunks[i]!;
      if (kind === undefined && !values.show) continue;
      console.log(`  ${kind ?? "-"} ${path}:${beforeStart + 1}`);
      if (!values.show) continue;
      for (const line of before.slice(0, 8)) console.log(`    - ${line.trim().slice(0, 140)}`);
      for (const line of after.slice(0, 8)) console.log(`    + ${line.trim().slice(0, 140)}`);
    }
    const none = kinds.map((kind) => ({ path: "", kind, isPredicted: false }));
    replays.push({ commit: commit.id, steps: [], hunks: none });
    continue;
  }
  texts.move(commit.parent, touched);
  touched = [...commit.files.flatMap(pathsOf), ...commit.copies];
  if (values.show) console.log(title);
  await using made = await openSources({ index, syntax, hasTypes: values.types, edited: touched });
  const sources = made.all.filter(({ origin }) => origins.includes(origin));
  using asker = values.alone
    ? new SourceAsker({ sources, index, syntax, leastLikelihood: least ?? 0.55 })
    : new EngineAsker({
        sources,
        index,
        syntax,
        names: made.names,
        types: made.judge,
        origins,
        leastLikelihood: least,
      });
  const own = {
    textOf: (path: string) => index.textOf(path),
    show: (paths: readonly string[]) => index.show(paths),
    update(path: string, text: string | undefined) {
      index.update(path, text);
      made.update(path, text);
    },
  };
  const replay = await replayCommit(commit, kinds, {
    asker,
    texts: own,
    cpuMs: cpuMsOfAll,
    ...(values.show && { watch }),
  });
  replays.push(replay);
  if (values.show) {
    const hunks = commit.files.flatMap((file) => file.hunks);
    for (const [i, { path, kind, isPredicted }] of replay.hunks.entries()) {
      if (kind === undefined || isPredicted) continue;
      const { beforeStart, before, after } = hunks[i]!;
      console.log(`  missed ${kind} ${path}:${beforeStart + 1}`);
      for (const line of before.slice(0, 4)) console.log(`    - ${line.trim().slice(0, 140)}`);
      for (const line of after.slice(0, 4)) console.log(`    + ${line.trim().slice(0, 140)}`);
    }
  }
}

const tally = tallyOf(replays);
console.log(printTally(tally));
if (values.calibration) console.log(`\n${printCalibration(calibrationOf(replays))}`);
if (values.json !== undefined) {
  const settings = { ...choice, origins, least, node: process.version };
  writeFileSync(values.json, `${JSON.stringify({ bench: "next", settings, tally, replays }, undefined, 1)}\n`);
}
process.exitCode = barsOf(tally).every(passes) ? 0 : 1;

/** Prints what was suggested and is not what the commit does. */
function watch({ origin, path, edit, place, reason, likelihood }: Suggested, verdict: Verdict, text: string): void {
  if (verdict === "exact") return;
  const at = edit?.edits[0]?.start ?? place.start;
  const line = Lines.of(text).lineAt(Math.min(at, text.length));
  console.log(`  ${verdict} ${origin} ${likelihood.toFixed(2)} ${path}:${line + 1} (${reason})`);
  if (edit === undefined) return;
  const first = text.split("\n")[line] ?? "";
  const fresh = edit.apply(text).split("\n")[line] ?? "";
  console.log(`    - ${first.trim().slice(0, 140)}\n    + ${fresh.trim().slice(0, 140)}`);
}
