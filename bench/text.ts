/**
 * How long the operations of `emend/text` take on large texts.
 *
 * Prints a table of medians in milliseconds; `--json FILE` writes the same figures. Run with
 * `npx tsx bench/text.ts`.
 */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { seededRandom, shuffle } from "../scripts/train/seeded-random.ts";
import { applyFilePatch } from "../src/text/apply-file-patch.ts";
import { Edit } from "../src/text/edit.ts";
import { Lines } from "../src/text/lines.ts";
import { minimalEdit } from "../src/text/minimal-edit.ts";
import { parseUnifiedDiff } from "../src/text/parse-unified-diff.ts";
import { toUnifiedDiff, tryDiffFile } from "../src/text/unified-diff.ts";

interface Measured {
  readonly name: string;
  readonly medianMs: number;
  readonly slowestMs: number;
  readonly runs: number;
}

const lineCount = 100_000;
const random = seededRandom(1);
const text = Array.from({ length: lineCount }, (_, i) => lineOf(i)).join("");
const lines = Lines.of(text);
const thousand = replaceLines(1_000);
const otherThousand = replaceLines(1_000);
const three = replaceLines(3);
const afterThousand = thousand.apply(text);
const afterOne = replaceLines(1).apply(text);
const afterThree = three.apply(text);
const patch = tryDiffFile({ before: text, after: afterThousand, path: "big.ts" })!;
const patchText = toUnifiedDiff({ before: text, after: afterThousand, path: "big.ts" });
const shuffled = shuffle(
  Array.from({ length: lineCount }, (_, i) => lineOf(i)),
  random,
).join("");
const unrelated = Array.from({ length: lineCount }, (_, i) => `other ${i}\n`).join("");
const oneLine = text.replaceAll("\n", " ");
const fewLetters = (length: number) => Array.from({ length }, () => `${"ab".charAt(random() * 2)}\n`).join("");
const [noiseBefore, noiseAfter] = [fewLetters(lineCount), fewLetters(lineCount)];

const measured = [
  measure("apply 1,000 edits", () => thousand.apply(text)),
  measure("invert 1,000 edits", () => thousand.invert(text)),
  measure("compose 1,000 edits with 1,000", () => thousand.compose(otherThousand.rebase(thousand, "mine-first"))),
  measure("try to rebase 1,000 edits past 3", () => thousand.tryRebase(three)),
  measure("normalize 1,000 edits", () => thousand.normalize(text)),
  measure("map 100,000 offsets past 3 edits", () => {
    for (let i = 0; i < lineCount; i++) three.mapOffset(lines.start(i), "after");
  }),
  measure("find the lines", () => Lines.of(text)),
  measure("find the lines after 3 edits", () => lines.apply(three)),
  measure("find the line of 100,000 offsets", () => {
    for (let i = 0; i < lineCount; i++) lines.lineAt((i * 7919) % text.length);
  }),
  measure("minimal edit, 1 changed line", () => minimalEdit(text, afterOne)),
  measure("minimal edit, 3 changed lines", () => minimalEdit(text, afterThree)),
  measure("minimal edit, 1,000 changed lines", () => minimalEdit(text, afterThousand)),
  measure("minimal edit, 1,000 changes on one long line", () => minimalEdit(oneLine, thousand.apply(oneLine))),
  measure("minimal edit, all lines shuffled", () => minimalEdit(text, shuffled, { unit: "line" }), 3),
  measure(
    "minimal edit, two sorts of lines at random",
    () => minimalEdit(noiseBefore!, noiseAfter!, { unit: "line" }),
    3,
  ),
  measure("minimal edit, nothing in common", () => minimalEdit(text, unrelated), 3),
  measure("write a patch of 1,000 changed lines", () =>
    toUnifiedDiff({ before: text, after: afterThousand, path: "big.ts" }),
  ),
  measure("read a patch of 1,000 changed lines", () => parseUnifiedDiff(patchText)),
  measure("apply a patch of 1,000 changed lines", () => applyFilePatch(patch, text)),
];

console.log(`${lineCount.toLocaleString("en")} lines, ${(text.length / 1e6).toFixed(1)} million code units\n`);
for (const { name, medianMs, slowestMs } of measured) {
  console.log(
    `${name.padEnd(48)} ${medianMs.toFixed(2).padStart(9)} ms   slowest ${slowestMs.toFixed(2).padStart(9)} ms`,
  );
}
const { json } = parseArgs({ options: { json: { type: "string" } } }).values;
if (json !== undefined) {
  const size = { lineCount, codeUnits: text.length };
  writeFileSync(json, `${JSON.stringify({ bench: "text", node: process.version, ...size, measured }, undefined, 2)}\n`);
}

function measure(name: string, act: () => unknown, runs = 11): Measured {
  act();
  const times = Array.from({ length: runs }, () => {
    const start = performance.now();
    act();
    return performance.now() - start;
  }).sort((a, b) => a - b);
  return { name, medianMs: times[runs >> 1]!, slowestMs: times.at(-1)!, runs };
}

function lineOf(index: number): string {
  return `${"  ".repeat(index % 5)}const value${index} = compute(${index % 97}, name${index % 13});\n`;
}

/** Replaces a word on each of `count` lines, evenly spread from a random line on. */
function replaceLines(count: number): Edit {
  const step = Math.floor(lineCount / count);
  const first = Math.floor(random() * step);
  return Edit.of(
    Array.from({ length: count }, (_, i) => {
      const start = text.indexOf("compute", lines.start(first + i * step));
      return { start, end: start + "compute".length, text: `calculate${i % 7}` };
    }),
  );
}
