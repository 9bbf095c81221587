import { fileLines, type Lenience } from "../formats/index.ts";
import { type ChatMessage, type ContextText, type Model, ModelError } from "../model/index.ts";
import {
  byteOrderMark,
  Edit,
  EmendError,
  Lines,
  type TextRange,
  type WorkspaceEdit,
  workspaceEdit,
} from "../text/index.ts";
import type { AddedIssue } from "./added-issues.ts";
import { type Attempt, outcomeOf } from "./attempt.ts";
import type { EditEngineParts } from "./edit-engine-parts.ts";
import { EditJudge } from "./edit-judge.ts";
import type { EditEvent } from "./edit-outcome.ts";
import type { EditFile } from "./edit-request.ts";
import { lineFinder } from "./line-range.ts";
import { printRegionChange, printRegionEnd } from "./print-region.ts";
import { writeByChat } from "./region-by-chat.ts";
import { writeByFill } from "./region-by-fill.ts";
import type { RegionAround, RegionGuideAnswer, RegionGuides } from "./region-guides.ts";
import { findRegionProblem, regionPlace, sortedRegions, withLineEndingsOf, withLineFeeds } from "./region-place.ts";
import { type RegionQuestion, regionPrompt } from "./region-prompt.ts";
import type { RegionChange } from "./region-reader.ts";
import type { NoTextReason, RegionAnswer, RegionEvent, RegionTask, WrittenRegion } from "./region-text.ts";
import type { RegionReport, RewriteOutcome } from "./rewrite-outcome.ts";

/** Whether new text is held to the language's grammar. `auto`: where that can be. `always`: nothing is written otherwise. */
export type RegionGuidance = "auto" | "always" | "off";

/** Regions of a file that are to be rewritten, and how. */
export interface RewriteRequest {
  readonly file: EditFile;
  /** The regions in any order, in UTF-16 units; an empty one is a place where something is to be put. */
  readonly ranges: readonly TextRange[];
  /** What is to be done, in the person's own words and language. */
  readonly instruction: string;
  /** Texts to be read only. */
  readonly context?: readonly ContextText[];
  /** `auto` unless told. */
  readonly guidance?: RegionGuidance;
  /** The most requests for each region, those to mend it included; 4 unless told. */
  readonly maxRequests?: number;
  /** The most bytes of UTF-8 of each new text; 16,000 and three times what stands there unless told. */
  readonly maxBytes?: number;
  /** The most tokens of the file that a model is shown; 12,000 unless told, and half of the model's context at most. */
  readonly maxShownTokens?: number;
}

/** What regions are rewritten with: the world outside. */
export interface RewriteParts extends Omit<EditEngineParts, "model"> {
  /** Its chat face is used, or else its fill face. */
  readonly model: Model;
  /** Makes the guides; nothing is held to a grammar without. */
  readonly guides?: Pick<RegionGuides, "open">;
}

/**
 * Rewrites regions of a file as an instruction says, one after the other, and nothing else of it:
 *
 * ```
 * region -> guide -> question -> stream -> guided text -> edit -> syntax check -> format -> check -> offer
 * ```
 *
 * Where the language has a grammar, no answer can break the syntax: the text is held to what may stand between both sides,
 * while the regions behind may still become anything. In other languages it is not, and the report says so. The language's
 * own parser judges the whole; what it finds goes back to the model. It writes nothing.
 *
 * Rejects with `ModelError` where the model cannot be asked, and with the signal's own reason when that aborts.
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

/** What a model is told first, to be pasted into any chat. Throws `EmendError` `bad-region` where no region can be asked for. */
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

/** A region on its way. */
interface RegionState {
  readonly range: TextRange;
  /** What is to stand there, with the file's line endings; what stood there until it is written. */
  readonly text: string;
  readonly report?: RegionReport;
}

class Rewriting {
  readonly #request: RewriteRequest;
  readonly #parts: RewriteParts;
  readonly #signal: AbortSignal | undefined;
  readonly #maxRequests: number;
  readonly #judge: EditJudge;
  readonly #regions: RegionState[];
  #asks = 0;

  constructor(request: RewriteRequest, parts: RewriteParts, signal: AbortSignal | undefined) {
    this.#request = request;
    this.#parts = parts;
    this.#signal = signal;
    this.#judge = new EditJudge(parts, [request.file], signal);
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
      const attempt = await this.#judgeEdit(this.#edit());
      const issue = attempt.issues[0];
      const index = issue === undefined ? undefined : this.#regionOf(issue.issue.range.start);
      const left = index === undefined ? 0 : this.#maxRequests - this.#regions[index]!.report!.requests;
      if (issue === undefined || index === undefined || left <= 0)
        return this.#judged(await this.#judge.finish(attempt));
      yield { kind: "judged", outcome: outcomeOf(attempt, this.#asks) };
      const failure = yield* this.#write(index, left, complaintOf(issue));
      // What there is already is worth more than the failure to better it.
      if (failure !== undefined) return this.#judged(attempt);
    }
  }

  #judged(attempt: Attempt): RewriteOutcome {
    const regions = this.#regions.map(({ report }) => report!);
    return { kind: "judged", outcome: outcomeOf(attempt, this.#asks), regions };
  }

  /** Has a region written; gives why it was not. */
  async *#write(
    index: number,
    maxRequests: number,
    complaint?: string,
  ): AsyncGenerator<EditEvent, Exclude<RewriteOutcome, { kind: "judged" }> | undefined> {
    const { guidance = "auto", maxBytes = this.#defaultBytes(index) } = this.#request;
    const { range, report } = this.#regions[index]!;
    const opened = await this.#openGuide(index, maxBytes);
    if (opened.kind === "no-guide" && guidance === "always") return { kind: "not-held", range, reason: opened.reason };
    const question = this.#question(index, complaint);
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
    const { result, requests, refusals } = yield* this.#follow(this.#ask(task), index);
    const failed = (reason: NoTextReason, said: string) =>
      ({ kind: "no-text", range, reason, said, requests, refusals }) as const;
    if (!result.isWritten) return failed(result.reason, result.said);
    const written = await this.#bestEnd(index, result);
    if (written === undefined) return failed("nothing-fits", result.text);
    const { text, kind, changes, ending } = written;
    this.#regions[index] = {
      range,
      text: withLineEndingsOf(text, this.#request.file.text),
      report: {
        ...{ range, kind, changes, ...(ending !== undefined && { ending }) },
        held: opened.kind === "guide" ? { kind: "grammar" } : { kind: "none", reason: opened.reason },
        requests: (report?.requests ?? 0) + requests,
        refusals: [...(report?.refusals ?? []), ...refusals],
      },
    };
    return undefined;
  }

  /**
   * The first of the ends of a text, where the model did not end it, that the language's parser takes, too, or else the first
   * without characters that nobody sees.
   */
  async #bestEnd(index: number, written: WrittenRegion): Promise<WrittenRegion | undefined> {
    if (written.otherEnds === undefined) return written;
    let first: WrittenRegion | undefined;
    for (const end of firstOf(maxEnds, written, written.otherEnds())) {
      if (unseen.test(end.ending ?? "")) continue;
      first ??= end;
      const { issues } = await this.#judgeEdit(this.#edit(index, end.text));
      if (issues.length === 0) return end;
    }
    return first;
  }

  #ask(task: RegionTask): AsyncGenerator<RegionEvent, RegionAnswer> {
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
        if (event.kind === "asking") yield { kind: "asking", ask: ++this.#asks, why: event.why, at };
        else if (event.kind === "text") yield event;
        else yield { kind: "preview", edit: this.#edit(index, this.#withOldLines(index, event.text)), at };
      }
    } finally {
      await events.return({ result: { isWritten: false, reason: "cut-off", said: "" }, requests: 0, refusals: [] });
    }
  }

  #judgeEdit(edit: WorkspaceEdit): Promise<Attempt> {
    const { path, text } = this.#request.file;
    return this.#judge.judgeEdit(edit, { files: new Map([[path, text]]), ...this.#told() });
  }

  /** The edit so far, with `text` for one of the regions. */
  #edit(index?: number, text = ""): WorkspaceEdit {
    const { path, text: before } = this.#request.file;
    const edits = this.#regions.map((region, other) => ({
      ...region.range,
      text: other === index ? withLineEndingsOf(text, before) : region.text,
    }));
    const edit = Edit.of(edits).normalize(before);
    return workspaceEdit(edit.isEmpty ? [] : [{ kind: "edit", uri: path, edit }]);
  }

  /** A text that is being written, with the old lines behind it: no more of them are gone than new ones have come. */
  #withOldLines(index: number, soFar: string): string {
    const { start, end } = this.#regions[index]!.range;
    const old = withLineFeeds(this.#request.file.text.slice(start, end)).split(/(?<=\n)/);
    const isLine = soFar === "" || soFar.endsWith("\n");
    return isLine ? soFar + old.slice(soFar.split("\n").length - 1).join("") : soFar;
  }

  /** The file as it is now, and where its regions are in it. */
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
    const opened = await guides.open(file.language, around, { maxBytes });
    this.#signal?.throwIfAborted();
    return opened;
  }

  #question(index: number, complaint: string | undefined): Omit<RegionQuestion, "isLines"> {
    const { file, instruction, context, maxShownTokens = this.#defaultShown() } = this.#request;
    const { text, ranges } = this.#now();
    return {
      ...{ instruction, path: file.path, language: file.language, text, regions: ranges, index, context },
      ...{ complaint, maxShownTokens },
    };
  }

  #defaultBytes(index: number): number {
    const { range } = this.#regions[index]!;
    const old = this.#request.file.text.slice(range.start, range.end);
    return defaultMaxBytes + 3 * new TextEncoder().encode(old).length;
  }

  #defaultShown(): number {
    const { contextTokens } = this.#parts.model;
    return contextTokens === undefined ? defaultMaxShownTokens : Math.min(defaultMaxShownTokens, contextTokens >> 1);
  }

  /** The last region that starts at or before an offset of the text as it is now, or else the first. */
  #regionOf(offset: number): number {
    const { ranges } = this.#now();
    return Math.max(
      0,
      ranges.findLastIndex(({ start }) => start <= offset),
    );
  }

  /** What a person should know of the edit. */
  #told(): Pick<Attempt, "leniences" | "warnings"> {
    const { path, text } = this.#request.file;
    const lines = Lines.of(text);
    const leniences: Lenience[] = [];
    const warnings: string[] = [];
    for (const { report } of this.#regions) {
      if (report === undefined) continue;
      const line = lines.lineAt(report.range.start);
      for (const change of report.changes) {
        const kind = lenienceKinds[change];
        const message = printRegionChange(change, line);
        if (kind === undefined) warnings.push(message);
        else leniences.push({ kind, message, row: undefined, path });
      }
      const end = report.changes.includes("cut-closers") ? undefined : printRegionEnd(report, line);
      if (end !== undefined) warnings.push(end);
    }
    return { leniences, warnings };
  }
}

/** What a parser says of the file with its new texts, and of which line. */
function complaintOf({ file, issue }: AddedIssue): string {
  const { start } = lineFinder(file.after)(issue.range);
  const line = fileLines(file.after)[start] ?? "";
  return `line ${start + 1}, \`${line.trim()}\`: ${issue.message}`;
}

/** Characters that nobody sees: a shortest ending may hold them in a literal. */
const unseen = /(?![\n\t])[\p{Cc}\p{Cf}]/u;

/** How many other ends of a text are tried. */
const maxEnds = 12;

function* firstOf<T>(most: number, first: T, others: Iterable<T>): Generator<T> {
  yield first;
  let left = most;
  for (const other of others) {
    if (left-- === 0) return;
    yield other;
  }
}

/** Those that a person should look at have none. */
const lenienceKinds: Readonly<Partial<Record<RegionChange, Lenience["kind"]>>> = {
  "bare-answer": "fence",
  "cut-marks": "marks",
  indented: "indentation",
};
