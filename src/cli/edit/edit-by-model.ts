import {
  EditEngine,
  type EditEngineParts,
  type EditEvent,
  type EditRequest,
  type EditVerification,
  type Preview,
  printFilePlace,
} from "../../edit/index.ts";
import type { Model } from "../../model/index.ts";
import { FallbackChat, openChatModels } from "../../server/session/index.ts";
import { openSyntax } from "../../syntax/node/index.ts";
import { type FileTexts, toWorkspaceDiff, workspaceEdit } from "../../text/index.ts";
import { NamedModels } from "../named-models.ts";
import { type ExitCode, exitCodes } from "../terminal/exit-codes.ts";
import { CommandFailure } from "../terminal/failure.ts";
import { diffRows } from "../terminal/print-diff.ts";
import { printable, styled, type Terminal } from "../terminal/terminal.ts";
import { type EditTask, editOutside } from "./edit-task.ts";
import type { LiveView } from "./live-view.ts";
import { reviewEdit } from "./review-edit.ts";

/**
 * Carries out an instruction with the first model that answers, shows the progress, and reviews the
 * outcome.
 *
 * Throws a {@link CommandFailure} where no model can be opened, and a `ModelError` where the last
 * of them does not answer the first request. Rejects with the signal's reason on abort.
 */
export async function editByModel(task: EditTask, terminal: Terminal): Promise<ExitCode> {
  const { request, root, options } = task;
  const { outcome, notes, model } = await requestModel(task, terminal, (parts) =>
    new EditEngine(parts).run(request, { signal: terminal.signal }),
  );
  return reviewEdit(outcome, { root, instruction: request.instruction, notes, model, options }, terminal);
}

/** The outcome of a request to a model. */
export interface ModelOutcome<Outcome> {
  readonly outcome: Outcome;
  /** The name of the model that answered. */
  readonly model: string;
  /** Further notes for a person or a program, one line each. */
  readonly notes: readonly string[];
}

/**
 * Runs `carryOut` with the first model that answers, and shows the progress. Throws a {@link
 * CommandFailure} where no model can be opened. Rejects as `carryOut` does, and with the signal's
 * reason on abort.
 */
export async function requestModel<Outcome>(
  task: EditTask,
  terminal: Terminal,
  carryOut: (parts: EditEngineParts & { readonly model: Model }) => AsyncGenerator<EditEvent, Outcome>,
): Promise<ModelOutcome<Outcome>> {
  const { request, settings, options } = task;
  await using named = new NamedModels({ environment: terminal.environment });
  using syntax = openSyntax();
  using chats = await openChatModels(settings, (name, one) => named.open(name, one));
  if (chats.models.length === 0) throw noModel([...task.notes, ...chats.issues]);
  const notes = [...task.notes, ...(settings.modelNames.length > 1 ? chats.issues : [])];
  // Loaded here, because the widths of characters take about 50 ms of processor time to load.
  const { openLiveView } = await import("./live-view.ts");
  const view = openLiveView(options.json ? { ...terminal, isWatched: false } : terminal);
  using progress = new EditProgress(request, terminal, view);
  const model = new FallbackChat({
    models: chats.models,
    onFallback: (_, error, next) => {
      const note = `${error.message} ${next} is used instead.`;
      notes.push(note);
      progress.note(note);
    },
  });
  const outside = await editOutside(task, terminal);
  notes.push(...outside.notes);
  const { verify, ...parts } = outside.parts;
  const events = carryOut({ model, syntax, ...parts, ...(verify && { verify: progress.watching(verify) }) });
  const outcome = await progress.follow(events, model);
  terminal.signal.throwIfAborted();
  return { outcome, notes, model: model.name };
}

function noModel(issues: readonly string[]): CommandFailure {
  const message = `${issues.join(" ")} Run \`emend setup\`, which finds one, or name a chat model with --model, such as --model ollama:qwen2.5-coder:7b, or permanently as \`edit.model\` in emend.config.json. Without a model, --prompt prints a prompt for any chat, and --answer FILE applies its answer.`;
  return new CommandFailure("no-model", message, { exitCode: exitCodes.failed });
}

/**
 * The progress of an edit on the terminal: the diff of the answer so far, the model, and why it is
 * requested.
 */
class EditProgress implements Disposable {
  readonly #view: LiveView;
  readonly #terminal: Pick<Terminal, "colour">;
  readonly #files: FileTexts;
  readonly #maxRetries: number;
  #status = "";
  #retries = 0;
  #characters = 0;
  #preview: Preview | undefined;

  constructor({ files, maxRetries = 3 }: EditRequest, terminal: Pick<Terminal, "colour">, view: LiveView) {
    this.#terminal = terminal;
    this.#files = new Map(files.map(({ path, text }) => [path, text]));
    this.#maxRetries = maxRetries;
    this.#view = view;
  }

  async follow<Outcome>(
    events: AsyncGenerator<EditEvent, Outcome>,
    model: { readonly name: string },
  ): Promise<Outcome> {
    for (;;) {
      const step = await events.next();
      if (step.done) return step.value;
      this.#receive(step.value, model.name);
    }
  }

  /** Wraps the verification command so that the progress shows while it runs. */
  watching(verify: EditVerification): EditVerification {
    return (edit, options) => {
      this.#status = "Verifying…";
      this.#characters = 0;
      this.#show(true);
      return verify(edit, options);
    };
  }

  /** Shows a message at once, such as that another model is used. */
  note(message: string): void {
    this.#status = message;
    this.#show(true);
  }

  [Symbol.dispose](): void {
    this.#view.close();
  }

  #receive(event: EditEvent, model: string): void {
    switch (event.kind) {
      case "asking":
        if (event.why !== "first" && event.why !== "continued") this.#retries++;
        if (event.why !== "continued") this.#characters = 0;
        this.#status = `${model} ${reasons[event.why]}${this.#detailOf(event)}`;
        break;
      case "text":
        this.#characters += event.text.length;
        break;
      case "preview":
        this.#preview = event;
        break;
      case "judged":
        break;
    }
    this.#show(event.kind === "asking");
  }

  #detailOf({ why, at }: Extract<EditEvent, { kind: "asking" }>): string {
    if (why === "first") return "";
    if (why !== "continued") return ` (${this.#retries} of ${this.#maxRetries})`;
    return at === undefined ? "" : ` at ${printFilePlace(at)}`;
  }

  #show(isLasting: boolean): void {
    this.#view.show((height) => this.#rows(height), { isLasting });
  }

  #rows(height: number): readonly string[] {
    const { colour } = this.#terminal;
    const room = { height: height - 1, colour };
    const rows = this.#preview === undefined ? [] : liveDiff(this.#files, this.#preview, room);
    const progressText = this.#characters === 0 ? "" : `, ${this.#characters.toLocaleString("en")} characters so far`;
    return [...rows, styled(`${printable(this.#status)}${progressText}`, "dim", colour)];
  }
}

const reasons: Readonly<Record<Extract<EditEvent, { kind: "asking" }>["why"], string>> = {
  first: "is answering",
  refused: "is repairing its answer, of which a part could not be used",
  broken: "is repairing lines that would break the syntax",
  "failed-verification": "is repairing the change, because the verification failed",
  continued: "is continuing its answer, which was cut off",
};

/** How much of a diff is shown. */
interface LiveDiffOptions {
  /** The most rows. */
  readonly height: number;
  readonly colour: boolean;
}

/** The number of rows below the model's place in the answer, where there is room. */
const rowsBehind = 3;

/**
 * The rows of a diff for a terminal, without line breaks; of more than `height` rows, those around
 * the line where the model is writing, or else the last ones.
 */
export function liveDiff(files: FileTexts, { edit, at }: Preview, options: LiveDiffOptions): readonly string[] {
  const rows: string[] = [];
  let end: number | undefined;
  for (const change of edit.changes) {
    const diff = toWorkspaceDiff(files, workspaceEdit([change]));
    if (change.uri === at?.path)
      end = rows.length + rowsUpTo(diff, at.line) + Math.min(rowsBehind, options.height >> 2);
    rows.push(...diffRows(diff, options.colour).map((row) => row.slice(0, -1)));
  }
  const last = Math.min(Math.max(end ?? rows.length, options.height), rows.length);
  return rows.slice(Math.max(0, last - options.height), last);
}

/**
 * The number of rows of one file's diff before line `line` of the old text, with the lines inserted
 * there.
 */
function rowsUpTo(diff: string, line: number): number {
  let count = 0;
  let old: number | undefined;
  for (const [i, row] of diff.split("\n").entries()) {
    const hunk = /^@@ -(\d+)(?:,(\d+))? /.exec(row);
    if (hunk !== null) {
      // The header of a hunk without old lines has the number of the line before it.
      old = Number(hunk[1]) - (hunk[2] === "0" ? 0 : 1);
      if (old > line) return count;
    } else if (old === undefined || !/^[ +-]/.test(row)) {
      continue;
    } else if (!row.startsWith("+")) {
      if (old === line) return count;
      old++;
    }
    count = i + 1;
  }
  return count;
}
