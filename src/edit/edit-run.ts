import { type AnswerPart, contentOf, type EditFormat, fileLines, LineTable, type Refusal } from "../formats/index.ts";
import { type ChatMessage, type Model, ModelError } from "../model/index.ts";
import { composeWorkspaceEdits, emptyWorkspaceEdit, type FileTexts, type WorkspaceEdit } from "../text/index.ts";
import type { AddedIssue } from "./added-issues.ts";
import { type Attempt, isNoWorse, outcomeOf } from "./attempt.ts";
import { textsAfter } from "./changed-files.ts";
import type { EditEngineParts } from "./edit-engine-parts.ts";
import { EditJudge, placeBeside, type Round } from "./edit-judge.ts";
import type { EditEvent, EditOutcome } from "./edit-outcome.ts";
import { editPrompt } from "./edit-prompt.ts";
import type { EditRequest } from "./edit-request.ts";
import { editedLines, type LineRange, lineFinder } from "./line-range.ts";
import { type Heard, listen } from "./listen.ts";
import { mendPrompt } from "./mend-prompt.ts";
import { mendRange } from "./mend-range.ts";
import { readMended } from "./read-mended.ts";
import { refusalPrompt } from "./refusal-prompt.ts";
import { withoutEchoes } from "./without-echoes.ts";

/** A question to a model: for edits, or for the lines of a block that a change broke. */
type Task = EditsTask | BlockTask;

interface EditsTask {
  readonly kind: "edits";
  readonly why: Why;
  readonly format: EditFormat;
  readonly messages: readonly ChatMessage[];
  readonly round: Round;
}

interface BlockTask {
  readonly kind: "block";
  readonly why: Why;
  readonly messages: readonly ChatMessage[];
  /** What is to be mended. */
  readonly attempt: Attempt;
  readonly issue: AddedIssue;
  readonly block: LineRange;
}

type Why = "first" | "refused" | "broken" | "failed-check";

/** What came of a question. */
interface Answered {
  readonly attempt: Attempt;
  readonly heard: Heard;
  /** Why the answer to a question for a block was no help. */
  readonly unhelpful?: { readonly message: string; readonly lines: readonly string[] };
}

/** How an {@link EditRun} is made. */
export interface EditRunOptions {
  readonly parts: EditEngineParts;
  readonly request: EditRequest;
  readonly chat: NonNullable<Model["chat"]>;
  readonly format: EditFormat;
  /** What files are asked for in as a last resort. */
  readonly wholeFormat: EditFormat;
  readonly signal: AbortSignal | undefined;
}

/** One instruction on its way to an outcome: asks, listens, judges, and asks again with what is wrong. */
export class EditRun {
  readonly #options: EditRunOptions;
  readonly #judge: EditJudge;
  readonly #known: ReadonlyMap<string, string>;
  #retriesLeft: number;
  #continuationsLeft = 2;
  #asks = 0;
  #best: Attempt | undefined;

  constructor(options: EditRunOptions) {
    const { parts, request, signal } = options;
    this.#options = options;
    this.#known = new Map(request.files.map(({ path, language }) => [path, language]));
    this.#judge = new EditJudge(parts, this.#known, signal);
    this.#retriesLeft = Math.min(Math.max(request.maxRetries ?? 3, 0), 10);
  }

  async *run(): AsyncGenerator<EditEvent, EditOutcome> {
    for (let task: Task | undefined = this.#firstTask(); task !== undefined; ) {
      yield { kind: "asking", ask: ++this.#asks, why: task.why };
      let heard: Heard;
      try {
        heard = yield* this.#ask(task);
      } catch (error) {
        if (this.#best === undefined || !(error instanceof ModelError)) throw error;
        // What there is already is worth more than the failure to better it.
        const warning = `The model could not be asked again: ${error.message}`;
        return outcomeOf({ ...this.#best, warnings: [...this.#best.warnings, warning] }, this.#asks);
      }
      const answered: Answered = await this.#answer(task, heard);
      const { attempt } = answered;
      if (this.#best === undefined || isNoWorse(attempt, this.#best)) this.#best = attempt;
      yield { kind: "judged", outcome: outcomeOf(attempt, this.#asks) };
      task = await this.#nextTask(task, answered);
    }
    return outcomeOf(this.#best!, this.#asks);
  }

  async *#ask(task: Task): AsyncGenerator<EditEvent, Heard> {
    const { chat, signal } = this.#options;
    const read =
      task.kind === "block" ? undefined : () => task.format.read({ paths: [...shownTexts(task.round).keys()] });
    const mayContinue = () => this.#continuationsLeft > 0;
    const hearing = listen({ chat, messages: task.messages, read, mayContinue, signal });
    const previews = new Previews(task);
    try {
      for (;;) {
        const step = await hearing.next();
        if (step.done) return step.value;
        if (step.value.kind === "text") yield step.value;
        else if (step.value.kind === "continuing") {
          this.#continuationsLeft--;
          yield { kind: "asking", ask: ++this.#asks, why: "continued" };
        } else {
          const edit = previews.tryShow(step.value.parts);
          if (edit !== undefined) yield { kind: "preview", edit };
        }
      }
    } finally {
      await hearing.return({ answer: "", parts: [], end: "cut" });
    }
  }

  async #answer(task: Task, heard: Heard): Promise<Answered> {
    const attempt = task.kind === "edits" ? await this.#judgeEdits(task, heard) : task.attempt;
    if (task.kind === "edits") return { attempt: await this.#finished(attempt), heard };

    if (heard.end === "declined") return { attempt: { ...attempt, isFinal: true }, heard };
    const { issue, block } = task;
    const lines = fileLines(issue.file.after);
    const mended = readMended(heard.answer, issue.path, lines.slice(block.start, block.end), heard.end === "cut");
    if (mended.kind === "refused") return { attempt, heard, unhelpful: { message: mended.refusal.message, lines: [] } };
    let unhelpful: Answered["unhelpful"];
    // What repeats the lines around the block often parses; those lines would be there twice.
    for (const written of [...withoutEchoes(mended.lines, lines, block), mended.lines]) {
      const tried = await this.#judge.mend(attempt, issue, block, written);
      if ("kind" in tried) unhelpful ??= { message: tried.message, lines: written };
      else if (tried.edit.changes.length === 0) unhelpful ??= { message: "It takes the change back.", lines: written };
      else if (!isProgress(attempt, tried, block.start + written.length)) {
        unhelpful ??= { message: tried.issues[0]!.issue.message, lines: written };
      } else {
        const leniences = [...tried.leniences, ...mended.leniences];
        const warnings = written === mended.lines ? tried.warnings : [...tried.warnings, leftOut(issue.path)];
        return { attempt: await this.#finished({ ...tried, leniences, warnings }), heard };
      }
    }
    return { attempt, heard, ...(unhelpful && { unhelpful }) };
  }

  async #judgeEdits({ round }: EditsTask, heard: Heard): Promise<Attempt> {
    const content = contentOf(heard.parts);
    if (heard.end !== "declined") return this.#judge.judge(content, round);
    const refusals: readonly Refusal[] = [...content.refusals.filter(({ kind }) => kind !== "no-edits"), declined];
    return { ...(await this.#judge.judge({ ...content, saysNoChange: false, refusals }, round)), isFinal: true };
  }

  async #finished(attempt: Attempt): Promise<Attempt> {
    const isReady = attempt.refusals.length === 0 && attempt.issues.length === 0 && attempt.isFinal !== true;
    return isReady ? this.#judge.finish(attempt) : attempt;
  }

  #firstTask(): EditsTask {
    const { request, format } = this.#options;
    const files = new Map(request.files.map(({ path, text }) => [path, text]));
    return this.#editsTask("first", format, { format: format.name, files, base: emptyWorkspaceEdit });
  }

  /** What to ask next, or `undefined` where nothing is left to be asked. */
  async #nextTask(task: Task, answered: Answered): Promise<Task | undefined> {
    const { attempt, heard } = answered;
    const { request, wholeFormat } = this.#options;
    const isBroken = attempt.refusals.length > 0 || attempt.issues.length > 0;
    if (attempt.isFinal || !(isBroken || attempt.report !== undefined) || this.#retriesLeft === 0) return undefined;
    this.#retriesLeft--;
    const { files, edit } = attempt;
    if (isBroken && this.#retriesLeft === 0 && request.allowsWholeFiles && attempt.format !== wholeFormat.name) {
      const why = attempt.refusals.length > 0 ? "refused" : "broken";
      const round = { format: wholeFormat.name, files, base: emptyWorkspaceEdit, standing: attempt };
      return this.#editsTask(why, wholeFormat, round);
    }
    if (attempt.refusals.length > 0 && task.kind === "edits") {
      const { format, round } = task;
      const { refusals, placed } = attempt;
      const told = { answer: heard.answer, refusals, placedCount: placed.length, format, files: shownTexts(round) };
      const messages = [...task.messages, ...refusalPrompt(told)];
      return { ...task, why: "refused", messages, round: { ...round, earlier: attempt } };
    }
    if (attempt.issues.length > 0) return this.#blockTask(attempt, answered.unhelpful);
    const format = task.kind === "edits" ? task.format : this.#options.format;
    const round = { format: format.name, files, base: edit, standing: attempt };
    return this.#editsTask("failed-check", format, round, attempt.report);
  }

  #editsTask(why: Why, format: EditFormat, round: Round, report?: string): EditsTask {
    const { instruction, context } = this.#options.request;
    const files = Array.from(shownTexts(round), ([path, text]) => ({ path, text }));
    const request = { instruction, files, ...(context && { context }), ...(report !== undefined && { report }) };
    return { kind: "edits", why, format, messages: editPrompt(request, format), round };
  }

  async #blockTask(attempt: Attempt, earlier: Answered["unhelpful"]): Promise<BlockTask> {
    const { syntax } = this.#options.parts;
    const issue = attempt.issues[0]!;
    const { file, openerLine } = issue;
    const block = await mendRange({ ...file, suspectLine: issue.suspectLine, openerLine }, syntax);
    const lines = fileLines(file.after);
    // What is missing at the end of a text is missing behind its last line.
    const suspectLine = Math.min(issue.suspectLine, lines.length - 1);
    const complaint = { line: Math.min(firstLineOf(issue), lines.length - 1), text: issue.issue.message };
    const remarks = [
      ...(openerLine === undefined || openerLine === suspectLine ? [] : [{ line: openerLine, text: "opened here" }]),
      { line: suspectLine, text: "the mistake is probably here" },
    ];
    const messages = mendPrompt({
      instruction: this.#options.request.instruction,
      path: issue.path,
      lines,
      block,
      linesBefore: linesBefore(issue, block),
      edited: editedLines(file.after, file.edit),
      remarks,
      complaint,
      ...(earlier && { earlier }),
    });
    return { kind: "block", why: "broken", messages, attempt, issue, block };
  }
}

const declined: Refusal = {
  kind: "declined",
  message: "The model, or whoever runs it, would not answer.",
  row: undefined,
  path: undefined,
};

function leftOut(path: string): string {
  return `The lines that mended ${path} repeated lines around them, which were left out.`;
}

/** The files as a model is shown them. */
function shownTexts({ files, base }: Round): FileTexts {
  return textsAfter(files, base);
}

/** Whether mended lines, which end in front of line `end`, made a file less broken, or broken behind them only. */
function isProgress(before: Attempt, after: Attempt, end: number): boolean {
  if (after.issues.length !== before.issues.length) return after.issues.length < before.issues.length;
  const first = after.issues[0];
  return (
    first !== undefined &&
    first.path === before.issues[0]!.path &&
    firstLineOf(first) >= end &&
    first.openerLine === undefined
  );
}

function firstLineOf({ file, issue }: AddedIssue): number {
  return lineFinder(file.after)(issue.range).start;
}

/** The lines of the text before the change that stood where a block of the text after it stands. */
function linesBefore({ file }: AddedIssue, block: LineRange): readonly string[] {
  const { before, after, edit } = file;
  const lines = LineTable.of(after);
  const range = edit
    .invert(before)
    .mapRange({ start: lines.start(block.start), end: lines.start(block.end) }, "include");
  const { start, end } = lineFinder(before)(range);
  return fileLines(before).slice(start, end);
}

/** Shows what an answer does while it comes. */
class Previews {
  readonly #task: Task;
  #shown = 0;

  constructor(task: Task) {
    this.#task = task;
  }

  /**
   * The edit of all that was read so far, if there are more asks than before.
   *
   * All of them are placed each time, so that long answers are shown in steps that grow with them.
   */
  tryShow(parts: readonly AnswerPart[]): WorkspaceEdit | undefined {
    const task = this.#task;
    if (task.kind !== "edits") return undefined;
    const asks = parts.flatMap((part) => (part.kind === "ask" ? [part.ask] : []));
    if (asks.length <= this.#shown * (this.#shown < 32 ? 1 : 1.25)) return undefined;
    this.#shown = asks.length;
    const { base, earlier } = task.round;
    return composeWorkspaceEdits(base, placeBeside(earlier?.placed ?? [], { asks }, shownTexts(task.round)).edit);
  }
}
