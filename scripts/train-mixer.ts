/**
 * Trains the weights that the built-in model's mixer starts from:
 * `npm run train:mixer -- FOLDER...`.
 *
 * `bench/README.md` describes the training. Nothing of the folders' text goes into the weights'
 * file.
 */
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { initialWeights } from "../src/model/builtin/mixer.ts";
import { collectFolder } from "./train/collect-folder.ts";
import { evaluate, type FitFigures, fitWeights } from "./train/fit-weights.ts";
import { Rows } from "./train/rows.ts";
import { seededRandom } from "./train/seeded-random.ts";
import { joinWeights, readWeights, writeWeights } from "./train/weights-file.ts";
import { printWeightsModule, roundedWeights } from "./train/weights-module.ts";

const usage = `npm run train:mixer -- FOLDER... [options]
  FOLDER             a git repository, bare or not, or any folder with source; all give equally many rows
  --held-out FOLDER  is not learnt from, only judged; may be given several times
  --rows N           rows to learn from, one a token; default: 120,000, at about 4 kB of memory each
  --epochs N         times that all rows are gone through; default: 8
  --members N        mixers that are trained, each from a beginning of its own, and then agree; default: 1
  --batch N          rows a step; default: 32
  --rate X           the highest learning rate; default: 0.0015
  --decay X          weight decay, as a share of the learning rate; default: 0.01
  --warm-up N        steps until the highest learning rate is reached; default: 200
  --seed N           default: 1; the same folders, options and seed give the same weights
  --out FILE         the module to write; default: src/model/builtin/start-weights.ts
  --raw FILE         also writes the weights as raw 32-bit floats, little-endian
  --from FILE        trains nothing, and writes the module from such a file, or from several: one a member
  --initial          trains nothing, and writes the module with the weights that training starts from`;

const { values, positionals: folders } = parseArgs({
  allowPositionals: true,
  options: {
    "held-out": { type: "string", multiple: true, default: [] },
    rows: { type: "string", default: "120000" },
    epochs: { type: "string", default: "8" },
    members: { type: "string", default: "1" },
    batch: { type: "string", default: "32" },
    rate: { type: "string", default: "0.0015" },
    decay: { type: "string", default: "0.01" },
    "warm-up": { type: "string", default: "200" },
    seed: { type: "string", default: "1" },
    out: { type: "string", default: fileURLToPath(new URL("../src/model/builtin/start-weights.ts", import.meta.url)) },
    raw: { type: "string" },
    from: { type: "string", multiple: true },
    initial: { type: "boolean", default: false },
  },
});
const numbers = {
  rows: Number(values.rows),
  epochs: Number(values.epochs),
  members: Number(values.members),
  batch: Number(values.batch),
  learningRate: Number(values.rate),
  weightDecay: Number(values.decay),
  warmUp: Number(values["warm-up"]),
  seed: Number(values.seed),
};
const isTraining = values.from === undefined && !values.initial;
if (isTraining === (folders.length === 0) || Object.values(numbers).some((value) => !(value >= 0))) {
  console.error(usage);
  process.exit(2);
}

const startMs = performance.now();
const { weights, origin } = values.initial
  ? { weights: initialWeights(numbers.seed), origin: "By `npm run train:mixer -- --initial`: nothing is trained yet." }
  : values.from !== undefined
    ? { weights: joinWeights(values.from.map(readWeights)), origin: "By `npm run train:mixer -- --from FILE`." }
    : await train();
writeFileSync(values.out, printWeightsModule(weights, origin));
if (values.raw !== undefined) writeWeights(values.raw, weights);
console.log(`${weights.length} weights written to ${values.out}`);

async function train(): Promise<{ readonly weights: Float32Array; readonly origin: string }> {
  const heldOut = values["held-out"];
  const rows = await collect("learnt", folders, numbers.rows);
  const unseen = await collect("held out", heldOut, Math.ceil(numbers.rows / 5));
  if (rows.length === 0) throw new Error("the folders hold no line to learn from");
  const members = Array.from({ length: numbers.members }, (_, member) => {
    const seed = numbers.seed + member;
    console.log(`member ${member + 1} of ${numbers.members}`);
    return fitWeights(rows, { ...numbers, seed, onEpoch: (...epoch) => printEpoch(unseen, ...epoch) });
  });
  const fitted = joinWeights(members);
  const judge = unseen.length === 0 ? rows : unseen;
  console.log(`as 32-bit floats ${print(evaluate(judge, fitted))}`);
  console.log(`as 16-bit floats ${print(evaluate(judge, roundedWeights(fitted)))}`);
  const { rows: wanted, epochs, members: count, batch, learningRate, weightDecay, warmUp, seed } = numbers;
  const options = `--rows ${wanted} --epochs ${epochs} --members ${count} --batch ${batch} --rate ${learningRate}`;
  const origin = `By \`npm run train:mixer -- FOLDER... ${options}
 * --decay ${weightDecay} --warm-up ${warmUp} --seed ${seed}\`, on ${rows.length} tokens of ${folders.length} folders.`;
  return { weights: fitted, origin };
}

function printEpoch(unseen: Rows, epoch: number, figures: FitFigures, present: Float32Array): void {
  const judged = unseen.length === 0 ? "" : `   held out ${print(evaluate(unseen, present))}`;
  console.log(`epoch ${epoch + 1}  ${print(figures)}${judged}   ${seconds()}`);
}

/** Collects about `wanted` rows, equally many from each folder. */
async function collect(title: string, from: readonly string[], wanted: number): Promise<Rows> {
  const rows = new Rows();
  for (const folder of from) {
    const before = rows.length;
    const share = Math.round(wanted / from.length);
    // Each folder has its own chance, so that leaving one out changes nothing about the others.
    const kind = await collectFolder(rows, folder, { rows: share, random: seededRandom(numbers.seed) });
    const name = folder.split(/[\\/]/).filter(Boolean).slice(-2).join("/");
    console.log(`${title}: ${rows.length - before} rows of the ${kind} ${name}   ${seconds()}`);
  }
  if (rows.length > 0) console.log(`${title}: ${rows.length} rows, ${(rows.byteLength / 1e6).toFixed(0)} MB`);
  return rows;
}

function print({ bits, hits }: FitFigures): string {
  return `${bits.toFixed(4)} bits, ${(100 * hits).toFixed(2)} % right`;
}

function seconds(): string {
  return `${((performance.now() - startMs) / 1000).toFixed(0)} s`;
}
