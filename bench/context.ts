/**
 * What finding similar snippets and making whole prompts cost: `npm run bench:context [-- CORPUS]`.
 *
 * `bench/README.md` describes what is measured.
 */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import {
  CodeIndex,
  type OpenFile,
  openTokenCounter,
  PromptBuilder,
  type PromptSettings,
  type SimilarityMode,
  SimilarSnippets,
} from "../src/context/index.ts";
import { type Bar, passes, printBars } from "./bar.ts";
import { makeCorpus, readCorpus } from "./context/corpus.ts";
import { cpuMsOf } from "./context/cpu-ms.ts";
import { mean } from "./percentile.ts";

const { values, positionals } = parseArgs({ allowPositionals: true, options: { json: { type: "string" } } });
const [file] = positionals;
const corpus = file === undefined ? makeCorpus() : readCorpus(file);
const counter = await openTokenCounter("o200k_base");
const maxTokens = 7_692;
const bars: Bar[] = [...similarBars("plain-jaccard"), ...similarBars("weighted"), ...promptBars()];
console.log(
  `${corpus.neighbours.length} neighbours of ${Math.round(mean(corpus.neighbours.map(({ text }) => text.length)))} characters`,
);
console.log(printBars(bars));
const windows = checkWindows();
if (values.json !== undefined) {
  const content = { bench: "context", node: process.version, corpus: file ?? "made", bars, windows };
  writeFileSync(values.json, `${JSON.stringify(content, undefined, 2)}\n`);
}
process.exitCode = bars.every(passes) ? 0 : 1;

/** The windows as they should be, where the corpus has some that are known. */
function checkWindows(): readonly string[] {
  const found = new SimilarSnippets({ mode: "plain-jaccard" }).find(
    corpus.text.slice(0, corpus.offset),
    corpus.neighbours,
  );
  const shown = found.map(({ path, lines, score }) => `${path} [${lines.start}, ${lines.end}) ${score.toFixed(4)}`);
  if (corpus.known === undefined) return shown;
  const isSame =
    shown.every((line, i) => line.startsWith(`${corpus.known![i]} `)) && shown.length === corpus.known.length;
  console.log(`windows of plain Jaccard: ${shown.join("  ")}   ${isSame ? "as Copilot's" : "NOT as Copilot's"}`);
  if (!isSame) process.exitCode = 1;
  return shown;
}

function similarBars(mode: SimilarityMode): Bar[] {
  const { text, offset, neighbours } = corpus;
  const before = (call: number) => text.slice(0, offset - (call % 40));
  const changed = (call: number) => neighbours.map((one) => edited(one, call));
  const states = Array.from({ length: 200 }, (_, call) => changed(call));
  const search = () => new SimilarSnippets({ mode });

  const all = search();
  const allMs = cpuMsOf((call) => all.find(before(call), states[call % states.length]!), 40);
  const none = search();
  const noneMs = cpuMsOf((call) => none.find(before(call), neighbours));
  const one = search();
  const current = neighbours.slice();
  const oneMs = cpuMsOf((call) => {
    const which = call % current.length;
    current[which] = states[call % states.length]![which]!;
    one.find(before(call), current);
  });
  return [
    bar(`similar snippets, ${mode}, all changed, ms`, allMs, 4.3),
    bar(`similar snippets, ${mode}, none changed, ms`, noneMs, 0.89),
    bar(`similar snippets, ${mode}, one changed, ms`, oneMs, 1.19),
  ];
}

function promptBars(): Bar[] {
  const long = corpus.text.repeat(Math.ceil(57_000 / corpus.text.length)).slice(0, 57_000);
  const index = new CodeIndex();
  for (const one of corpus.neighbours) index.set(one.path, one.language, one.text);
  const measure = (text: string, offset: number, settings: Partial<PromptSettings>) => {
    const builder = new PromptBuilder({ index, settings });
    return cpuMsOf((call) => {
      // One more character of a name at every call, as people type.
      const typed = "alphabetical".slice(0, call % 12);
      const document = {
        uri: "file:///w/subject.ts",
        language: corpus.language,
        version: call,
        text: text.slice(0, offset) + typed + text.slice(offset),
      };
      builder.assemble({
        ...{ document, path: corpus.path, offset: offset + typed.length, counter },
        budget: { maxTokens, suffixShare: 0.15 },
        openDocuments: corpus.neighbours,
      });
    });
  };
  const asSeed = { retrieval: false, similarity: "plain-jaccard" } as const;
  const middle = long.lastIndexOf("\n", 40_000) + 3;
  return [
    bar("prompt, 9.5k characters, open files only, ms", measure(corpus.text, corpus.offset, asSeed), 1.29),
    bar("prompt, 57k characters, open files only, ms", measure(long, middle, asSeed), 1.29),
    bar("prompt, 9.5k characters, all sources, ms", measure(corpus.text, corpus.offset, {}), 5),
    bar("prompt, 57k characters, all sources, ms", measure(long, middle, {}), 5),
  ];
}

function edited(one: OpenFile, call: number): OpenFile {
  // A flat string, as an editor's text is, and not one that is put together when it is first read.
  return { ...one, text: Buffer.from(`${one.text}// ${call}\n`).toString() };
}

function bar(name: string, value: number, limit: number): Bar {
  return { name, value, bar: limit, sense: "at-most" };
}
