import { withoutRepeatedContext } from "../answers/index.ts";
import { hideSecrets, messageLanguage } from "../context/index.ts";
import { contentOf, type EditFormat, fileLines, LineTable, type Refusal } from "../formats/index.ts";
import { type ChatMessage, type Model, ModelError } from "../model/index.ts";
import type { Syntax } from "../syntax/index.ts";
import { emptyWorkspaceEdit, type FileTexts } from "../text/index.ts";
import { type Attempt, isNoWorse, outcomeOf, withFirstRows } from "./attempt.ts";
import { textsAfter } from "./changed-files.ts";
import { EditChecker, type Round } from "./edit-checker.ts";
import type { EditEngineParts } from "./edit-engine-parts.ts";
import { type EditEvent, type EditOutcome, type FilePlace, printFilePlace } from "./edit-outcome.ts";
import { editPrompt } from "./edit-prompt.ts";
import type { EditRequest } from "./edit-request.ts";
import { editedLines, type LineRange, lineFinder } from "./line-range.ts";
import { Previews } from "./previews.ts";
import { type ReadAnswer, readAnswers } from "./read-answers.ts";
import { tryReadDialect } from "./read-dialect.ts";
import type { AddedIssue } from "./repair/added-issues.ts";
import { repairPrompt } from "./repair/repair-prompt.ts";
import { repairRange } from "./repair/repair-range.ts";
import { readRepaired } from "./repair/repaired-block.ts";
import { refusalPrompt } from "./retry-prompt.ts";

/** One request to a model: for edits, or for the lines of a block that a change broke. */
type Task = EditsTask | BlockTask;

interface EditsTask {
  readonly kind: "edits";
  readonly why: Why;
  readonly format: EditFormat;
  readonly messages: readonly ChatMessage[];
  readonly round: Round;
}

interface BlockTask extends BlockQuestion {
  readonly kind: "block";
  readonly why: Why;
  /** The attempt whose broken block is to be repaired. */
  readonly attempt: Attempt;
}

type Why = "first" | "refused" | "broken" | "failed-verification";

/** The result of one request. */
interface Answered {
  readonly attempt: Attempt;
  readonly received: ReadAnswer;
  /** Why the answer to a request for a block could not be used. */
  readonly unhelpful?: { readonly message: string; readonly lines: readonly string[] };
}

/** The options of an {@link EditRun}. */
export interface EditRunOptions {
  readonly parts: EditEngineParts;
  readonly request: EditRequest;
  readonly chat: NonNullable<Model["chat"]>;
  readonly format: EditFormat;
  /** The format of the last resort, which requests complete files. */
  readonly wholeFormat: EditFormat;
  readonly signal: AbortSignal | undefined;
}

/**
 * Runs one instruction to its outcome: sends requests, reads and checks the answers, and retries
 * with what is wrong.
 */
export class EditRun {
  readonly #options: EditRunOptions;
  readonly #checker: EditChecker;
  #retriesLeft: number;
  #continuationsLeft = 2;
  #requestCount = 0;
  /** Warnings about answers that were cut off. */
  readonly #cuts: string[] = [];
  #best: Attempt | undefined;

  constructor(options: EditRunOptions) {
    const { parts, request, signal } = options;
    this.#options = options;
    this.#checker = new EditChecker(parts, request.files, signal);
    this.#retriesLeft = Math.min(Math.max(Math.trunc(request.maxRetries ?? 3), 0), 10);
  }

  /**
   * Yields the events of the requests and returns the outcome. To be called once.
   *
   * Rejects with a {@link ModelError} where the first request fails; where a later one fails,
   * returns the best attempt so far, with a warning. Rejects with the signal's reason on abort.
   */
  async *run(): AsyncGenerator<EditEvent, EditOutcome> {
    for (let task: Task | undefined = this.#firstTask(); task !== undefined; ) {
      yield { kind: "asking", request: ++this.#requestCount, why: task.why };
      let received: ReadAnswer;
      try {
        received = yield* this.#sendRequest(task);
      } catch (error) {
        if (this.#best === undefined || !(error instanceof ModelError)) throw error;
        // Return the best attempt so far instead of failing when a retry cannot reach the model.
        const warning = `A further request to the model failed, so the best answer so far is used: ${error.message}`;
        return this.#outcomeOf({ ...this.#best, warnings: [...this.#best.warnings, warning] });
      }
      const answered: Answered = await this.#answer(task, received);
      const { attempt } = answered;
      if (this.#best === undefined || isNoWorse(attempt, this.#best)) this.#best = attempt;
      yield { kind: "judged", outcome: this.#outcomeOf(attempt) };
      task = await this.#nextTask(task, answered);
    }
    return this.#outcomeOf(this.#best!);
  }

  #outcomeOf(attempt: Attempt): EditOutcome {
    return outcomeOf({ ...attempt, warnings: [...this.#cuts, ...attempt.warnings] }, this.#requestCount);
  }

  async *#sendRequest(task: Task): AsyncGenerator<EditEvent, ReadAnswer> {
    const { chat, signal } = this.#options;
    const read =
      task.kind === "block" ? undefined : () => task.format.read({ paths: [...shownTexts(task.round).keys()] });
    const mayContinue = () => this.#continuationsLeft > 0;
    const answerEvents = readAnswers({ chat, messages: task.messages, read, mayContinue, signal });
    const previews = task.kind === "edits" ? new Previews(task.round) : undefined;
    try {
      for (;;) {
        const step = await answerEvents.next();
        if (step.done) return step.value;
        if (step.value.kind === "text") yield step.value;
        else if (step.value.kind === "continuing") {
          this.#continuationsLeft--;
          const at = previews?.placeOf(step.value.partial);
          this.#cuts.push(wasContinued(step.value.brokenBy, at));
          yield { kind: "asking", request: ++this.#requestCount, why: "continued", ...(at && { at }) };
        } else {
          const preview = previews?.tryShow(step.value);
          if (preview !== undefined) yield { kind: "preview", ...preview };
        }
      }
    } finally {
      await answerEvents.return({ answer: "", parts: [], end: "cut", brokenBy: undefined });
    }
  }

  async #answer(task: Task, received: ReadAnswer): Promise<Answered> {
    if (task.kind === "block") {
      if (received.brokenBy !== undefined) this.#cuts.push(received.brokenBy.message);
      return this.#checkBlock(task, received);
    }
    const attempt = withBrokenConnection(await this.#checkEdits(task, received), received.brokenBy);
    return { attempt: await this.#checker.finish(attempt), received: received };
  }

  async #checkBlock({ attempt, issue, block }: BlockTask, received: ReadAnswer): Promise<Answered> {
    if (received.end === "declined") return { attempt: { ...attempt, isFinal: true }, received: received };
    const lines = fileLines(issue.file.after);
    const repaired = readRepaired(
      received.answer,
      issue.file.path,
      lines.slice(block.start, block.end),
      received.end === "cut",
    );
    if (repaired.kind === "refused")
      return { attempt, received: received, unhelpful: { message: repaired.refusal.message, lines: [] } };
    let unhelpful: Answered["unhelpful"];
    // Lines that repeat the context around the block often parse, although those lines would then
    // exist twice.
    for (const written of [...withoutRepeatedContext(repaired.lines, lines, block), repaired.lines]) {
      const tried = await this.#checker.repairBlock(attempt, issue, block, written);
      if ("kind" in tried) unhelpful ??= { message: tried.message, lines: written };
      else if (tried.edit.changes.length === 0) unhelpful ??= { message: "It takes the change back.", lines: written };
      else if (!isProgress(attempt, tried, block.start + written.length)) {
        unhelpful ??= { message: tried.issues[0]!.message, lines: written };
      } else {
        const normalizations = [...tried.normalizations, ...repaired.normalizations];
        const warnings = written === repaired.lines ? tried.warnings : [...tried.warnings, leftOut(issue.file.path)];
        return { attempt: await this.#checker.finish({ ...tried, normalizations, warnings }), received: received };
      }
    }
    return { attempt, received: received, ...(unhelpful && { unhelpful }) };
  }

  async #checkEdits({ round }: EditsTask, received: ReadAnswer): Promise<Attempt> {
    const content = contentOf(received.parts);
    if (received.end === "declined") {
      const refusals = [...content.refusals.filter(({ kind }) => kind !== "no-edits"), declined];
      return {
        ...(await this.#checker.checkAnswer({ ...content, declaresNoChange: false, refusals }, round)),
        isFinal: true,
      };
    }
    const answer = { text: received.answer, paths: [...shownTexts(round).keys()], isCut: received.end === "cut" };
    const dialect = tryReadDialect(answer, { format: round.format, content });
    if (dialect === undefined) return withFirstRows(await this.#checker.checkAnswer(content, round), received.answer);
    return this.#checker.checkAnswer(dialect.content, { ...round, format: dialect.format });
  }

  #firstTask(): EditsTask {
    const { request, format } = this.#options;
    const files = new Map(request.files.map(({ path, text }) => [path, text]));
    return this.#editsTask("first", format, { format: format.name, files, base: emptyWorkspaceEdit });
  }

  /** The next request, or `undefined` when the attempt is good, final, or no retry is left. */
  async #nextTask(task: Task, answered: Answered): Promise<Task | undefined> {
    const { attempt, received, unhelpful } = answered;
    const { request, wholeFormat } = this.#options;
    const isBroken = attempt.refusals.length > 0 || attempt.issues.length > 0;
    if (attempt.isFinal || !(isBroken || attempt.report !== undefined) || !(this.#retriesLeft > 0)) return undefined;
    this.#retriesLeft--;
    const { files, edit } = attempt;
    if (isBroken && this.#retriesLeft === 0 && request.allowsWholeFiles && attempt.format !== wholeFormat.name) {
      const why = attempt.refusals.length > 0 ? "refused" : "broken";
      const round = { format: wholeFormat.name, files, base: emptyWorkspaceEdit, fallback: attempt };
      return this.#editsTask(why, wholeFormat, round);
    }
    if (attempt.refusals.length > 0 && task.kind === "edits") {
      const { format, round } = task;
      const { refusals, placed } = attempt;
      const refusedAnswer = {
        answer: received.answer,
        refusals,
        placedCount: placed.length,
        format,
        files: shownTexts(round),
      };
      const messages = [...task.messages, ...refusalPrompt(refusedAnswer)];
      return { ...task, why: "refused", messages, round: { ...round, earlier: attempt } };
    }
    if (attempt.issues[0] !== undefined) {
      const blockRequest = { instruction: request.instruction, ...(unhelpful && { earlier: unhelpful }) };
      const question = await blockQuestion(attempt.issues[0], blockRequest, this.#options.parts.syntax);
      return { kind: "block", why: "broken", attempt, ...question };
    }
    const format = task.kind === "edits" ? task.format : this.#options.format;
    const round = { format: format.name, files, base: edit, fallback: attempt };
    return this.#editsTask("failed-verification", format, round, attempt.report);
  }

  #editsTask(why: Why, format: EditFormat, round: Round, report?: string): EditsTask {
    const { instruction, context, newPaths = [] } = this.#options.request;
    const shown = shownTexts(round);
    const files = Array.from(shown, ([path, text]) => ({ path, text }));
    const request = {
      ...{ instruction, files, newPaths: newPaths.filter((path) => !shown.has(path)) },
      ...(context && { context }),
      ...(report !== undefined && { report: hideSecrets(report, messageLanguage).text }),
    };
    return { kind: "edits", why, format, messages: editPrompt(request, format), round };
  }
}

const declined: Refusal = {
  kind: "declined",
  message: "The model refused to answer.",
  row: undefined,
  path: undefined,
};

/** Names a broken connection before what the format misses in the cut-off answer. */
function withBrokenConnection(attempt: Attempt, error: ModelError | undefined): Attempt {
  if (error === undefined || attempt.refusals.length === 0) return attempt;
  const refusal: Refusal = { kind: "broken-connection", message: error.message, row: undefined, path: undefined };
  return { ...attempt, refusals: [refusal, ...attempt.refusals] };
}

function wasContinued(brokenBy: ModelError | undefined, at: FilePlace | undefined): string {
  const where = at === undefined ? "" : ` at ${printFilePlace(at)}`;
  const cut = brokenBy === undefined ? "reached the model's limit" : "was cut off by a broken connection";
  return `The answer ${cut}${where}, and the model continued it from there.`;
}

function leftOut(path: string): string {
  return `The repaired lines of ${path} repeated the lines around them, which were left out.`;
}

/** The files as shown to the model: the texts of the round with its base change applied. */
function shownTexts({ files, base }: Round): FileTexts {
  return textsAfter(files, base);
}

/**
 * Whether repaired lines, which end before line `end`, leave fewer errors, or only errors after
 * them.
 */
function isProgress(before: Attempt, after: Attempt, end: number): boolean {
  if (after.issues.length !== before.issues.length) return after.issues.length < before.issues.length;
  const first = after.issues[0];
  return (
    first !== undefined &&
    first.file.path === before.issues[0]!.file.path &&
    firstLineOf(first) >= end &&
    // An unclosed bracket that is reported at the end of the file may have been opened in the
    // block.
    (first.openerLine ?? end) >= end
  );
}

function firstLineOf(issue: AddedIssue): number {
  return lineFinder(issue.file.after)(issue).start;
}

/** A request to a model for the lines of a block that a change broke. */
interface BlockQuestion {
  readonly issue: AddedIssue;
  /** The block, in lines of the text after the change, from 0. */
  readonly block: LineRange;
  readonly messages: readonly ChatMessage[];
}

/**
 * What the prompt for a block contains besides the code: the instruction, and what was wrong with
 * an earlier answer.
 */
interface BlockRequest {
  readonly instruction: string;
  readonly earlier?: { readonly message: string; readonly lines: readonly string[] };
}

/** Builds the request for the smallest block around the fault behind an error. */
async function blockQuestion(
  issue: AddedIssue,
  { instruction, earlier }: BlockRequest,
  syntax: Syntax,
): Promise<BlockQuestion> {
  const { file, suspectLine, openerLine } = issue;
  const block = await repairRange({ ...file, suspectLine, openerLine }, syntax);
  const lines = fileLines(file.after);
  // An error at the end of a text is shown on its last line.
  const clipped = (line: number) => Math.min(line, lines.length - 1);
  const messages = repairPrompt({
    instruction,
    ...(earlier && { earlier: { ...earlier, message: hideSecrets(earlier.message, messageLanguage).text } }),
    ...{ path: file.path, lines, block },
    linesBefore: linesBefore(issue, block),
    edited: editedLines(file.after, file.edit),
    remarks: [
      ...(openerLine === undefined || openerLine === suspectLine ? [] : [{ line: openerLine, text: "opened here" }]),
      { line: clipped(suspectLine), text: "the mistake is probably here" },
    ],
    complaint: {
      line: clipped(lineFinder(file.after)(issue).start),
      text: hideSecrets(issue.message, messageLanguage).text,
    },
  });
  return { issue, block, messages };
}

/** The lines of the text before the change that the block replaced. */
function linesBefore({ file }: AddedIssue, block: LineRange): readonly string[] {
  const { before, after, edit } = file;
  const lines = LineTable.of(after);
  const range = { start: lines.start(block.start), end: lines.start(block.end) };
  const { start, end } = lineFinder(before)(edit.invert(before).mapRange(range, "include"));
  return fileLines(before).slice(start, end);
}
