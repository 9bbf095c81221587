import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { shownModelName } from "../../model/index.ts";
import type { SampleCompletion } from "../../server/index.ts";
import { languageById } from "../../syntax/index.ts";
import { Lines } from "../../text/index.ts";
import { joinPath, readSource, type WorkspaceFile, walkWorkspace } from "../../workspace/index.ts";
import { disk, toPortablePath } from "../../workspace/node/index.ts";
import type { CompleteReport } from "../complete/complete.ts";
import type { EngineReport } from "../complete/complete-by-engine.ts";
import { printPlace } from "../complete/print-completion.ts";
import { printable, styled, type Terminal } from "../terminal/terminal.ts";

/** What a completion is requested with. */
export interface SampleOptions {
  /** The workspace: an absolute path. */
  readonly root: string;
  /** Whether the person trusts the workspace's configuration. */
  readonly trust: boolean;
  /** The model whose completion is wanted, as it is named in reports. */
  readonly model: string;
  /** The models that may complete; `undefined` for those of the settings. */
  readonly only: readonly string[] | undefined;
}

/**
 * Completes a line of the workspace as `emend complete` would, with the settings that are on the
 * disk; in a folder without sources, a line of the examples. The files that were saved last come
 * first, and those of tests last. The first place that the wanted model completes within
 * {@link most} counts, else the first that any does, with the reason why the wanted one does not.
 * `undefined` where there is no place.
 */
export async function completeSample(
  { root, trust, model, only }: SampleOptions,
  terminal: Terminal,
): Promise<SampleCompletion | undefined> {
  const { complete } = await import("../complete/complete.ts");
  const deadline = terminal.now() + most.searchMs;
  const sampleAt = async (place: SamplePlace, models: readonly string[] | undefined) => {
    let out = "";
    const bytes = new TextEncoder().encode(place.text);
    const captured: Terminal = {
      ...terminal,
      ...{ out: (text: string) => (out += text), err: () => {}, readInput: async () => bytes, isWatched: false },
    };
    const options = {
      ...{ json: true, stdin: true, all: false, explain: false, cache: true, model: models, trust },
      ...{ workspace: place.root, maxLines: undefined, minProbability: undefined },
    };
    await complete(`${place.file}:${place.line}:${place.column}`, options, captured);
    return toSample(place, JSON.parse(out) as CompleteReport | EngineReport, terminal);
  };
  let best: { readonly place: SamplePlace; readonly sample: SampleCompletion } | undefined;
  for (const place of await findPlaces(root, terminal.signal)) {
    const sample = await sampleAt(place, only);
    if (sample.model === model) return sample;
    if (best?.sample.model === undefined) best = { place, sample };
    if (terminal.now() > deadline) break;
  }
  if (best === undefined || model === "builtin") return best?.sample;
  // Alone, the wanted model completes after all, or the reason why not is its own.
  const own = await sampleAt(best.place, [model]);
  if (own.model === model || best.sample.model === undefined) return own;
  const reason = own.reason ?? "it was too slow";
  const shown = `${best.sample.shown}\n${printable(`None by ${shownModelName(model)}: ${reason}`)}`;
  return { ...best.sample, reason, shown };
}

function toSample(place: SamplePlace, report: CompleteReport | EngineReport, terminal: Terminal): SampleCompletion {
  const { file, line, column, isExample, text, offset } = place;
  const { colour } = terminal;
  const base = { file, line, column, isExample, text: report.text };
  const lines = `${printPlace({ text, offset, ghost: report.text, colour })}\n${printable(`The rest of the line was left out for this sample: ${place.lineText}`)}`;
  if (report.kind === "no-suggestion") {
    const reason = "noSuggestion" in report ? report.noSuggestion.sentence : `${report.reason}`;
    return { ...base, reason, shown: `${lines}\n${styled("No suggestion", "bold", colour)}: ${printable(reason)}` };
  }
  const model = "model" in report ? report.model : "builtin";
  return { ...base, model, shown: `${lines}\n${styled(`by ${printable(model)}`, "bold", colour)}` };
}

/** A place behind a sign after which something has to follow, whose line is there in the file. */
interface SamplePlace extends Pick<SampleCompletion, "file" | "line" | "column" | "isExample"> {
  readonly root: string;
  /** The text of the file without the rest of the line. */
  readonly text: string;
  readonly offset: number;
  /** The whole line as it is in the file, without its indentation. */
  readonly lineText: string;
}

/** Bounds of the search: files that are looked at, places that are tried, and milliseconds. */
const most = { files: 5_000, places: 6, placesInFile: 3, searchMs: 12_000 };

async function findPlaces(root: string, signal: AbortSignal): Promise<readonly SamplePlace[]> {
  const own = await placesIn(root, signal);
  if (own.length > 0) return own;
  const examples = toPortablePath(fileURLToPath(new URL("../../../examples", import.meta.url)));
  const found = existsSync(examples) ? await placesIn(examples, signal) : [];
  return found.map((place) => ({ ...place, isExample: true }));
}

async function placesIn(root: string, signal: AbortSignal): Promise<readonly SamplePlace[]> {
  const files: WorkspaceFile[] = [];
  for await (const item of walkWorkspace(root, { fileSystem: disk, signal })) {
    if (item.kind === "file" && isCode(item)) files.push(item);
    if (files.length === most.files) break;
  }
  const places: SamplePlace[] = [];
  const order = (one: WorkspaceFile, other: WorkspaceFile) =>
    Number(isOfTests(one)) - Number(isOfTests(other)) || other.mtimeMs - one.mtimeMs;
  for (const { path } of files.toSorted(order)) {
    const answer = await readSource(root, path, { fileSystem: disk, signal });
    if (answer.kind !== "source") continue;
    const found = placesOf(answer.text).slice(0, most.placesInFile);
    places.push(...found.map((place) => ({ root, file: joinPath(root, path), isExample: false, ...place })));
    if (places.length >= most.places) break;
  }
  return places;
}

function isCode({ language, size }: WorkspaceFile): boolean {
  const known = languageById(language);
  if (known === undefined) return false;
  const { isProse, json, grammar, lineComments } = known;
  return !isProse && json === undefined && grammar !== undefined && lineComments.length > 0 && size < 100_000;
}

function isOfTests({ path }: WorkspaceFile): boolean {
  return /(^|[./_-])(tests?|specs?|fixtures?|e2e)([./_-]|$)/.test(path);
}

/**
 * The places of a text behind a sign after which something has to follow: those of indented lines,
 * which are in a function or class, before others, and the middle of the file first.
 */
function placesOf(text: string): readonly Omit<SamplePlace, "root" | "file" | "isExample">[] {
  const lines = Lines.of(text);
  const middle = lines.count / 2;
  const places = Array.from({ length: lines.count }, (_, line) => {
    const content = text.slice(lines.start(line), lines.end(line));
    const before = lineToFill.exec(content)?.[0];
    if (before === undefined) return [];
    const offset = lines.start(line) + before.length;
    const without = text.slice(0, offset) + text.slice(lines.end(line));
    return [{ line: line + 1, column: before.length + 1, offset, text: without, lineText: content.trim() }];
  });
  const isOutermost = ({ text, offset, column }: (typeof places)[number][number]) =>
    /\S/.test(text.charAt(offset - column + 1));
  return places
    .flat()
    .toSorted(
      (one, other) =>
        Number(isOutermost(one)) - Number(isOutermost(other)) ||
        Math.abs(one.line - middle) - Math.abs(other.line - middle),
    );
}

/** The part of a line up to a `return`, `=` or bracket that a name or number follows. */
const lineToFill = /^\s*(?=[\p{L}_$])[^"'`#/]{0,60}?(?: = |\breturn |\()(?=[\p{L}\d_$][^"'`#]{5,60}$)/u;
