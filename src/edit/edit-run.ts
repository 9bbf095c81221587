import { contentOf, type EditFormat, fileLines, type Refusal } from "../formats/index.ts";
import { type ChatMessage, type Model, ModelError } from "../model/index.ts";
import { emptyWorkspaceEdit, type FileTexts } from "../text/index.ts";
import type { AddedIssue } from "./added-issues.ts";
import { type Attempt, isNoWorse, outcomeOf } from "./attempt.ts";
import { type BlockQuestion, blockQuestion } from "./block-question.ts";
import { textsAfter } from "./changed-files.ts";
import type { EditEngineParts } from "./edit-engine-parts.ts";
import { EditJudge, type Round } from "./edit-judge.ts";
import type { EditEvent, EditOutcome, FilePlace } from "./edit-outcome.ts";
import { editPrompt } from "./edit-prompt.ts";
import type { EditRequest } from "./edit-request.ts";
import { withWords } from "./first-rows.ts";
import { lineFinder } from "./line-range.ts";
import { type Heard, listen } from "./listen.ts";
import { Previews } from "./previews.ts";
import { printFilePlace } from "./print-file-place.ts";
import { tryReadDialect } from "./read-dialect.ts";
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

interface BlockTask extends BlockQuestion {
  readonly kind: "block";
  readonly why: Why;
  /** What is to be mended. */
  readonly attempt: Attempt;
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
  #retriesLeft: number;
  #continuationsLeft = 2;
  #asks = 0;
  /** What is to be told of the answers that a limit cut off. */
  readonly #continued: string[] = [];
  #best: Attempt | undefined;

  constructor(options: EditRunOptions) {
    const { parts, request, signal } = options;
    this.#options = options;
    this.#judge = new EditJudge(parts, request.files, signal);
    this.#retriesLeft = Math.min(Math.max(Math.trunc(request.maxRetries ?? 3), 0), 10);
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
        return this.#outcomeOf({ ...this.#best, warnings: [...this.#best.warnings, warning] });
      }
      const answered: Answered = await this.#answer(task, heard);
      const { attempt } = answered;
      if (this.#best === undefined || isNoWorse(attempt, this.#best)) this.#best = attempt;
      yield { kind: "judged", outcome: this.#outcomeOf(attempt) };
      task = await this.#nextTask(task, answered);
    }
    return this.#outcomeOf(this.#best!);
  }

  #outcomeOf(attempt: Attempt): EditOutcome {
    return outcomeOf({ ...attempt, warnings: [...this.#continued, ...attempt.warnings] }, this.#asks);
  }

  async *#ask(task: Task): AsyncGenerator<EditEvent, Heard> {
    const { chat, signal } = this.#options;
    const read =
      task.kind === "block" ? undefined : () => task.format.read({ paths: [...shownTexts(task.round).keys()] });
    const mayContinue = () => this.#continuationsLeft > 0;
    const hearing = listen({ chat, messages: task.messages, read, mayContinue, signal });
    const previews = task.kind === "edits" ? new Previews(task.round) : undefined;
    try {
      for (;;) {
        const step = await hearing.next();
        if (step.done) return step.value;
        if (step.value.kind === "text") yield step.value;
        else if (step.value.kind === "continuing") {
          this.#continuationsLeft--;
          const at = previews?.placeOf(step.value.said);
          this.#continued.push(wasContinued(at));
          yield { kind: "asking", ask: ++this.#asks, why: "continued", ...(at && { at }) };
        } else {
          const preview = previews?.tryShow(step.value);
          if (preview !== undefined) yield { kind: "preview", ...preview };
        }
      }
    } finally {
      await hearing.return({ answer: "", parts: [], end: "cut" });
    }
  }

  async #answer(task: Task, heard: Heard): Promise<Answered> {
    if (task.kind === "block") return this.#judgeBlock(task, heard);
    return { attempt: await this.#judge.finish(await this.#judgeEdits(task, heard)), heard };
  }

  async #judgeBlock({ attempt, issue, block }: BlockTask, heard: Heard): Promise<Answered> {
    if (heard.end === "declined") return { attempt: { ...attempt, isFinal: true }, heard };
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
        return { attempt: await this.#judge.finish({ ...tried, leniences, warnings }), heard };
      }
    }
    return { attempt, heard, ...(unhelpful && { unhelpful }) };
  }

  async #judgeEdits({ round }: EditsTask, heard: Heard): Promise<Attempt> {
    const content = contentOf(heard.parts);
    if (heard.end === "declined") {
      const refusals = [...content.refusals.filter(({ kind }) => kind !== "no-edits"), declined];
      return { ...(await this.#judge.judge({ ...content, saysNoChange: false, refusals }, round)), isFinal: true };
    }
    const answer = { text: heard.answer, paths: [...shownTexts(round).keys()], isCut: heard.end === "cut" };
    const dialect = tryReadDialect(answer, { format: round.format, content });
    if (dialect === undefined) return withWords(await this.#judge.judge(content, round), heard.answer);
    return this.#judge.judge(dialect.content, { ...round, format: dialect.format });
  }

  #firstTask(): EditsTask {
    const { request, format } = this.#options;
    const files = new Map(request.files.map(({ path, text }) => [path, text]));
    return this.#editsTask("first", format, { format: format.name, files, base: emptyWorkspaceEdit });
  }

  /** What to ask next, or `undefined` where nothing is left to be asked. */
  async #nextTask(task: Task, answered: Answered): Promise<Task | undefined> {
    const { attempt, heard, unhelpful } = answered;
    const { request, wholeFormat } = this.#options;
    const isBroken = attempt.refusals.length > 0 || attempt.issues.length > 0;
    if (attempt.isFinal || !(isBroken || attempt.report !== undefined) || !(this.#retriesLeft > 0)) return undefined;
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
    if (attempt.issues[0] !== undefined) {
      const said = { instruction: request.instruction, ...(unhelpful && { earlier: unhelpful }) };
      const question = await blockQuestion(attempt.issues[0], said, this.#options.parts.syntax);
      return { kind: "block", why: "broken", attempt, ...question };
    }
    const format = task.kind === "edits" ? task.format : this.#options.format;
    const round = { format: format.name, files, base: edit, standing: attempt };
    return this.#editsTask("failed-check", format, round, attempt.report);
  }

  #editsTask(why: Why, format: EditFormat, round: Round, report?: string): EditsTask {
    const { instruction, context, newPaths = [] } = this.#options.request;
    const shown = shownTexts(round);
    const files = Array.from(shown, ([path, text]) => ({ path, text }));
    const request = {
      ...{ instruction, files, newPaths: newPaths.filter((path) => !shown.has(path)) },
      ...(context && { context }),
      ...(report !== undefined && { report }),
    };
    return { kind: "edits", why, format, messages: editPrompt(request, format), round };
  }
}

const declined: Refusal = {
  kind: "declined",
  message: "The model, or whoever runs it, would not answer.",
  row: undefined,
  path: undefined,
};

function wasContinued(at: FilePlace | undefined): string {
  const where = at === undefined ? "" : ` at ${printFilePlace(at)}`;
  return `The answer reached the model's limit${where}, and was gone on with from there.`;
}

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
    // What is open at the end of the file may have been opened in the block.
    (first.openerLine ?? end) >= end
  );
}

function firstLineOf({ file, issue }: AddedIssue): number {
  return lineFinder(file.after)(issue.range).start;
}
