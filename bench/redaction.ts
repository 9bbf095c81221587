/**
 * How many string literals are redacted, and how many of them another build shows:
 * `npm run bench:redaction -- REPO...`.
 *
 * `bench/README.md` describes what is compared.
 */
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { gitSync } from "../scripts/git-sync.ts";
import { languageIdOf } from "../scripts/train/learnable.ts";
import { hideSecretsInPlace } from "../src/context/index.ts";
import { type Bar, passes, printBars } from "./bar.ts";
import { literalsOf } from "./redaction/literals.ts";
import { openRepositories } from "./repositories.ts";

const usage = `npm run bench:redaction -- REPO... --base MODULE [options]
  REPO                   git repositories, bare or not; the tree of HEAD is read
  --base MODULE          the module of another build with hideSecretsInPlace: dist/context/hide-secrets.js
  --repositories CLONES  where the clones lie that repositories.json lists for it; REPO is then the name of one
  --show                 prints the literals that are newly redacted or shown
  --json FILE            writes all figures`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    base: { type: "string" },
    repositories: { type: "string" },
    show: { type: "boolean", default: false },
    json: { type: "string" },
  },
});
if (values.base === undefined || (positionals.length === 0 && values.repositories === undefined)) {
  console.error(usage);
  process.exit(2);
}

/** What redacts a text; offsets stay. */
type Redact = (text: string, language: string) => { readonly text: string };

const base = (await import(pathToFileURL(resolve(values.base)).href)) as { readonly hideSecretsInPlace: Redact };
using opened = openRepositories("redaction", { chosen: positionals, clones: values.repositories });

/** The most bytes of a file; larger ones are generated. */
const maxBytes = 1_000_000;

/** The counts of one repository, and the literals that one build alone redacts. */
interface Tally {
  readonly repository: string;
  files: number;
  literals: number;
  redacted: number;
  readonly newlyRedacted: string[];
  readonly newlyShown: string[];
}

const tallies = opened.folders.map(tallyOf);
for (const { repository, files, literals, redacted, newlyRedacted, newlyShown } of tallies) {
  console.log(
    `${repository}: ${files} files, ${literals} literals, ${redacted} redacted; newly redacted: ${newlyRedacted.length}, newly shown: ${newlyShown.length}`,
  );
  if (!values.show) continue;
  for (const row of newlyRedacted) console.log(`  redacted ${row}`);
  for (const row of newlyShown) console.log(`  shown ${row}`);
}
const total = (count: (tally: Tally) => number) => tallies.reduce((sum, tally) => sum + count(tally), 0);
const literals = total((tally) => tally.literals);
const share = (10_000 * total((tally) => tally.newlyRedacted.length)) / Math.max(1, literals);
const bars: readonly Bar[] = [{ name: "newly redacted of 10,000 literals", value: share, bar: 1, sense: "at-most" }];
console.log(`\n${literals} literals in all\n${printBars(bars)}`);
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify({ tallies, bars }, null, 2)}\n`);
process.exitCode = bars.every(passes) ? 0 : 1;

function tallyOf(folder: string): Tally {
  const tally: Tally = { repository: folder, files: 0, literals: 0, redacted: 0, newlyRedacted: [], newlyShown: [] };
  for (const row of gitSync(folder, ["ls-tree", "-r", "-l", "-z", "HEAD"]).toString().split("\0")) {
    const [, blob, size, path] = /^100\d{3} blob (\w+) +(\d+)\t([\s\S]*)$/.exec(row) ?? [];
    if (blob === undefined || path === undefined || Number(size) > maxBytes) continue;
    if (!/\.(?:[cm]?[jt]sx?|vue|svelte)$/.test(path)) continue;
    const text = gitSync(folder, ["cat-file", "blob", blob]).toString();
    const language = languageIdOf(path, text);
    const [now, before] = [hideSecretsInPlace(text, language).text, base.hideSecretsInPlace(text, language).text];
    tally.files++;
    for (const { start, end } of literalsOf(text)) {
      const isRedacted = now.slice(start, end) !== text.slice(start, end);
      const wasRedacted = before.slice(start, end) !== text.slice(start, end);
      tally.literals++;
      if (isRedacted) tally.redacted++;
      if (isRedacted === wasRedacted) continue;
      const line = text.slice(0, start).split("\n").length;
      (isRedacted ? tally.newlyRedacted : tally.newlyShown).push(`${path}:${line}: ${text.slice(start, end)}`);
    }
  }
  return tally;
}
