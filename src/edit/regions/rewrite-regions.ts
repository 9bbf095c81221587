import { hideSecrets, messageLanguage } from "../../context/index.ts";
import { fileLines, type Normalization } from "../../formats/index.ts";
import {
  type ChatMessage,
  type ContextText,
  type Model,
  ModelError,
  promptLimits,
  type RedactedText,
} from "../../model/index.ts";
import {
  byteOrderMark,
  Edit,
  EmendError,
  Lines,
  type TextRange,
  type WorkspaceEdit,
  withLineFeeds,
  workspaceEdit,
} from "../../text/index.ts";
import { type Attempt, outcomeOf } from "../attempt.ts";
import { EditChecker } from "../edit-checker.ts";
import type { EditEngineParts } from "../edit-engine-parts.ts";
import type { EditEvent } from "../edit-outcome.ts";
import type { EditFile } from "../edit-request.ts";
import { lineFinder } from "../line-range.ts";
import type { AddedIssue } from "../repair/added-issues.ts";
import { printRegionChange, printRegionEnd } from "./print-region.ts";
import { writeByChat } from "./region-by-chat.ts";
import { writeByFill } from "./region-by-fill.ts";
import type { RegionAround, RegionGuideAnswer, RegionGuides } from "./region-guides.ts";
import { findRegionProblem, regionPlace, sortedRegions, withLineEndingsOf } from "./region-place.ts";
import { type RegionQuestion, regionPrompt } from "./region-prompt.ts";
import type { RegionChange } from "./region-reader.ts";
import type {
  NoTextReason,
  RegionAnswer,
  RegionEvent,
  RegionReport,
  RegionTask,
  RewriteOutcome,
  WrittenRegion,
} from "./region-text.ts";

/**
 * Whether the language's grammar constrains new text. `auto`: where possible. `always`: fails where
 * it is not possible.
 */
export type RegionGuidance = "auto" | "always" | "off";

/** A request to rewrite regions of a file. */
export interface RewriteRequest {
  readonly file: EditFile;
  /** The regions in any order, in UTF-16 code units; an empty range is a place for new text. */
  readonly ranges: readonly TextRange[];
  /** The instruction in the person's own words and language. */
  readonly instruction: string;
  /** Texts that the model may read and not change. */
  readonly context?: readonly ContextText[];
  /** Whether a grammar constrains the text; the default is `auto`. */
  readonly guidance?: RegionGuidance;
  /** The most requests for each region, repairs included; 4 by default. */
  readonly maxRequests?: number;
  /**
   * The most bytes of each new text, in UTF-8; the default is 16,000 plus three times the size of
   * the old text.
   */
  readonly maxBytes?: number;
  /**
   * The most tokens of the file that are shown; 12,000 by default, at most half of the model's
   * context.
   */
  readonly maxShownTokens?: number;
}

/** The dependencies of {@link rewriteRegions}. */
export interface RewriteParts extends Omit<EditEngineParts, "model"> {
  /** The model; its `chat` is used, or else its `fill`. */
  readonly model: Model;
  /** Creates the guides; without them, no grammar constrains the text. */
  readonly guides?: Pick<RegionGuides, "open">;
}

/**
 * Rewrites regions of a file by an instruction, one after the other, and nothing else of it:
 *
 * ```
 * region -> guide -> question -> stream -> guided text -> edit -> syntax check -> format -> check
 * -> offer
 * ```
 *
 * Where the language has a grammar, new text is constrained to what can stand between both sides,
 * while later regions may still become anything. In other languages it is not, and the report
 * contains that. The language's own parser then checks the whole file; errors are sent back to the
 * model. Nothing is written to disk.
 *
 * Rejects with `ModelError` where the model cannot be used, and with the signal's own reason when
 * that aborts.
 */
export async function* rewriteRegions(
  request: RewriteRequest,
  parts: RewriteParts,
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): AsyncGenerator<EditEvent, RewriteOutcome> {
  signal?.throwIfAborted();
  const problem = findRegionProblem(request.file.text, request.ranges);
  if (problem !== undefined) return { kind: "bad-region", problem };
  return yield* new Rewriting(request, parts, signal).run();
}

/**
 * The messages for the first region, for pasting into a chat. Throws `EmendError` with code
 * `bad-region` for invalid regions.
 */
export function rewritePrompt(request: RewriteRequest): readonly ChatMessage[] {
  const { file, ranges, instruction, context, maxShownTokens = defaultMaxShownTokens } = request;
  const problem = findRegionProblem(file.text, ranges);
  if (problem !== undefined) throw new EmendError("bad-region", problem.message);
  const regions = sortedRegions(ranges);
  const { isLines } = regionPlace(file.text, regions[0]!);
  const { path, language, text } = file;
  return regionPrompt({ instruction, path, language, text, regions, index: 0, isLines, context, maxShownTokens });
}

const defaultMaxRequests = 4;
const defaultMaxBytes = 16_000;
const defaultMaxShownTokens = 12_000;

/** The state of one region. */
interface RegionState {
  readonly range: TextRange;
  /** The new text, with the file's line endings; the old text until it is written. */
  readonly text: string;
  readonly report?: RegionReport;
}

class Rewriting {
  readonly #request: RewriteRequest;
  readonly #parts: RewriteParts;
  readonly #signal: AbortSignal | undefined;
  readonly #maxRequests: number;
  readonly #checker: EditChecker;
  readonly #regions: RegionState[];
  #requestCount = 0;

  constructor(request: RewriteRequest, parts: RewriteParts, signal: AbortSignal | undefined) {
    this.#request = request;
    this.#parts = parts;
    this.#signal = signal;
    this.#checker = new EditChecker(parts, [request.file], signal);
    this.#maxRequests = Math.max(1, Math.trunc(request.maxRequests ?? defaultMaxRequests));
    this.#regions = sortedRegions(request.ranges).map((range) => ({
      range,
      text: request.file.text.slice(range.start, range.end),
    }));
  }

  async *run(): AsyncGenerator<EditEvent, RewriteOutcome> {
    for (const index of this.#regions.keys()) {
      const failure = yield* this.#write(index, this.#maxRequests);
      if (failure !== undefined) return failure;
    }
    for (;;) {
      const attempt = await this.#checkEdit(this.#edit());
      const issue = attempt.issues[0];
      const index = issue === undefined ? undefined : this.#regionOf(issue.start);
      const left = index === undefined ? 0 : this.#maxRequests - this.#regions[index]!.report!.requests;
      if (issue === undefined || index === undefined || left <= 0)
        return this.#checked(await this.#checker.finish(attempt));
      yield { kind: "judged", outcome: outcomeOf(attempt, this.#requestCount) };
      const failure = yield* this.#write(index, left, parserErrorOf(issue));
      // Keep the text that exists when a repair fails.
      if (failure !== undefined) return this.#checked(attempt);
    }
  }

  #checked(attempt: Attempt): RewriteOutcome {
    const regions = this.#regions.map(({ report }) => report!);
    return { kind: "judged", outcome: outcomeOf(attempt, this.#requestCount), regions };
  }

  /** Writes one region. Returns `undefined` on success, or why it failed. */
  async *#write(
    index: number,
    maxRequests: number,
    complaint?: RedactedText,
  ): AsyncGenerator<EditEvent, Exclude<RewriteOutcome, { kind: "judged" }> | undefined> {
    const { guidance = "auto", maxBytes = this.#defaultBytes(index) } = this.#request;
    const { range, report } = this.#regions[index]!;
    const opened = await this.#openGuide(index, maxBytes);
    if (opened.kind === "no-guide" && guidance === "always")
      return { kind: "no-grammar", range, reason: opened.reason };
    const question = await this.#question(index, complaint);
    const place = regionPlace(question.text, question.regions[index]!);
    const guide = opened.kind === "guide" ? opened.guide : undefined;
    const task: RegionTask = {
      question: { ...question, isLines: place.isLines },
      place,
      guide,
      maxRequests,
      maxBytes,
      signal: this.#signal,
    };
    const { result, requests, refusals } = yield* this.#follow(this.#writeRegion(task), index);
    const failed = (reason: NoTextReason, lastAnswer: string) =>
      ({ kind: "no-text", range, reason, answer: lastAnswer, requests, refusals }) as const;
    if (!result.isWritten) return failed(result.reason, result.lastAnswer);
    const written = await this.#bestEnd(index, result);
    if (written === undefined) return failed("nothing-fits", result.text);
    const { text, kind, changes, ending } = written;
    this.#regions[index] = {
      range,
      text: withLineEndingsOf(text, this.#request.file.text),
      report: {
        ...{ range, kind, changes, ...(ending !== undefined && { ending }) },
        constraint: opened.kind === "guide" ? { kind: "grammar" } : { kind: "none", reason: opened.reason },
        requests: (report?.requests ?? 0) + requests,
        refusals: [...(report?.refusals ?? []), ...refusals],
      },
    };
    return undefined;
  }

  /**
   * Chooses the end of a text that the model did not end: the first one without syntax errors, or
   * else the first one without invisible characters; `undefined` if all have some.
   */
  async #bestEnd(index: number, written: WrittenRegion): Promise<WrittenRegion | undefined> {
    if (written.otherEnds === undefined) return written;
    let first: WrittenRegion | undefined;
    for (const end of firstOf(maxEnds, written, written.otherEnds())) {
      if (unseen.test(end.ending ?? "")) continue;
      first ??= end;
      const { issues } = await this.#checkEdit(this.#edit(index, end.text));
      if (issues.length === 0) return end;
    }
    return first;
  }

  #writeRegion(task: RegionTask): AsyncGenerator<RegionEvent, RegionAnswer> {
    const { model } = this.#parts;
    if (model.chat !== undefined) return writeByChat(model.chat.bind(model), task);
    const { fill } = model;
    if (fill === undefined) throw new ModelError("unsupported", `${model.name} neither chats nor fills.`);
    return writeByFill(Object.assign(Object.create(model), { fill: fill.bind(model) }), task);
  }

  async *#follow(
    events: AsyncGenerator<RegionEvent, RegionAnswer>,
    index: number,
  ): AsyncGenerator<EditEvent, RegionAnswer> {
    const { path, text } = this.#request.file;
    const { range } = this.#regions[index]!;
    const at = { path, line: Lines.of(text).lineAt(range.start) };
    try {
      for (;;) {
        const step = await events.next();
        if (step.done) return step.value;
        const event = step.value;
        if (event.kind === "asking") yield { kind: "asking", request: ++this.#requestCount, why: event.why, at };
        else if (event.kind === "text") yield event;
        else yield { kind: "preview", edit: this.#edit(index, this.#withOldLines(index, event.text)), at };
      }
    } finally {
      await events.return({
        result: { isWritten: false, reason: "cut-off", lastAnswer: "" },
        requests: 0,
        refusals: [],
      });
    }
  }

  #checkEdit(edit: WorkspaceEdit): Promise<Attempt> {
    const { path, text } = this.#request.file;
    return this.#checker.checkEdit(edit, { files: new Map([[path, text]]), ...this.#notes() });
  }

  /** The edit so far, with `text` for the region `index`. */
  #edit(index?: number, text = ""): WorkspaceEdit {
    const { path, text: before } = this.#request.file;
    const edits = this.#regions.map((region, other) => ({
      ...region.range,
      text: other === index ? withLineEndingsOf(text, before) : region.text,
    }));
    const edit = Edit.of(edits).normalize(before);
    return workspaceEdit(edit.isEmpty ? [] : [{ kind: "edit", uri: path, edit }]);
  }

  /**
   * A partial text followed by the rest of the old lines, of which only as many disappear as new
   * ones have arrived.
   */
  #withOldLines(index: number, soFar: string): string {
    const { start, end } = this.#regions[index]!.range;
    const old = withLineFeeds(this.#request.file.text.slice(start, end)).split(/(?<=\n)/);
    const isLine = soFar === "" || soFar.endsWith("\n");
    return isLine ? soFar + old.slice(soFar.split("\n").length - 1).join("") : soFar;
  }

  /** The file with the current texts of its regions, and their ranges in it. */
  #now(): { readonly text: string; readonly ranges: readonly TextRange[] } {
    const { text } = this.#request.file;
    let now = "";
    let end = 0;
    const ranges = this.#regions.map(({ range, text: written }) => {
      now += text.slice(end, range.start);
      const start = now.length;
      now += written;
      end = range.end;
      return { start, end: now.length };
    });
    return { text: now + text.slice(end), ranges };
  }

  async #openGuide(index: number, maxBytes: number): Promise<RegionGuideAnswer> {
    const { guides } = this.#parts;
    const { guidance, file } = this.#request;
    if (guidance === "off") return { kind: "no-guide", reason: "off" };
    if (guides === undefined) return { kind: "no-guide", reason: "no-grammar" };
    const { text, ranges } = this.#now();
    const first = text.startsWith(byteOrderMark) ? byteOrderMark.length : 0;
    const behindAsItIs = text.slice(ranges[index]!.end);
    const open = ranges.filter((_, other) => other > index && this.#regions[other]!.report === undefined);
    const around: RegionAround = {
      before: text.slice(first, Math.max(first, ranges[index]!.start)),
      behind: [ranges[index]!, ...open].map(({ end }, hole) => text.slice(end, open[hole]?.start)),
      ...(open.length > 0 && { behindAsItIs }),
    };
    const opened = await guides.open(file.language, around, { maxBytes, signal: this.#signal });
    this.#signal?.throwIfAborted();
    return opened;
  }

  async #question(index: number, complaint: RedactedText | undefined): Promise<Omit<RegionQuestion, "isLines">> {
    const { file, instruction, context } = this.#request;
    const options = { language: file.language, ...(this.#signal && { signal: this.#signal }) };
    const { contextTokens = Number.POSITIVE_INFINITY, counter } = await promptLimits(this.#parts.model, options);
    const { maxShownTokens = Math.min(defaultMaxShownTokens, Math.floor(contextTokens / 2)) } = this.#request;
    const { text, ranges } = this.#now();
    return {
      ...{ instruction, path: file.path, language: file.language, text, regions: ranges, index, context },
      ...{ complaint, maxShownTokens, counter },
    };
  }

  #defaultBytes(index: number): number {
    const { range } = this.#regions[index]!;
    const old = this.#request.file.text.slice(range.start, range.end);
    return defaultMaxBytes + 3 * new TextEncoder().encode(old).length;
  }

  /**
   * The index of the last region that starts at or before an offset of the current text; 0 if none
   * does.
   */
  #regionOf(offset: number): number {
    const { ranges } = this.#now();
    return Math.max(
      0,
      ranges.findLastIndex(({ start }) => start <= offset),
    );
  }

  /** The normalizations and warnings of all regions. */
  #notes(): Pick<Attempt, "normalizations" | "warnings"> {
    const { path, text } = this.#request.file;
    const lines = Lines.of(text);
    const normalizations: Normalization[] = [];
    const warnings: string[] = [];
    for (const { report } of this.#regions) {
      if (report === undefined) continue;
      const line = lines.lineAt(report.range.start);
      for (const change of report.changes) {
        const kind = normalizationKinds[change];
        const message = printRegionChange(change, line);
        if (kind === undefined) warnings.push(message);
        else normalizations.push({ kind, message, row: undefined, path });
      }
      const end = report.changes.includes("cut-closers") ? undefined : printRegionEnd(report, line);
      if (end !== undefined) warnings.push(end);
    }
    return { normalizations, warnings };
  }
}

/** The parser's error and its line, for the prompt. */
function parserErrorOf(issue: AddedIssue): RedactedText {
  const { file, message } = issue;
  const { start } = lineFinder(file.after)(issue);
  const line = fileLines(file.after)[start] ?? "";
  return hideSecrets(`line ${start + 1}, \`${line.trim()}\`: ${message}`, messageLanguage).text;
}

/** Invisible characters, which a shortest ending may contain in a literal. */
const unseen = /(?![\n\t])[\p{Cc}\p{Cf}]/u;

/** The most other ends of a text that are checked. */
const maxEnds = 12;

function* firstOf<T>(most: number, first: T, others: Iterable<T>): Generator<T> {
  yield first;
  let left = most;
  for (const other of others) {
    if (left-- === 0) return;
    yield other;
  }
}

/** The normalization kinds of changes; changes without one become warnings. */
const normalizationKinds: Readonly<Partial<Record<RegionChange, Normalization["kind"]>>> = {
  "bare-answer": "fence",
  "cut-marks": "marks",
  indented: "indentation",
};
