import {
  type EditCheck,
  EditEngine,
  type EditEngineParts,
  type EditEvent,
  type EditRequest,
  type Preview,
  printFilePlace,
} from "../edit/index.ts";
import type { Model } from "../model/index.ts";
import { FallbackChat, openChatModels } from "../server/session/index.ts";
import { openSyntax } from "../syntax/node/index.ts";
import type { FileTexts } from "../text/index.ts";
import type { AskedEdit } from "./edit-options.ts";
import { editOutside } from "./edit-outside.ts";
import { type ExitCode, exitCodes } from "./exit-codes.ts";
import { CommandFailure } from "./failure.ts";
import { liveDiff } from "./live-diff.ts";
import { type LiveView, openLiveView } from "./live-view.ts";
import { NamedModels } from "./named-models.ts";
import { reviewEdit } from "./review-edit.ts";
import { printable, styled, type Terminal } from "./terminal.ts";

/** Has the first model that answers carry out an instruction, while a person watches, and reviews what came of it. */
export async function editByModel(asked: AskedEdit, terminal: Terminal): Promise<ExitCode> {
  const { request, root, options } = asked;
  const { outcome, notes, model } = await askModel(asked, terminal, (parts) =>
    new EditEngine(parts).run(request, { signal: terminal.signal }),
  );
  return reviewEdit(outcome, { root, instruction: request.instruction, notes, model, options }, terminal);
}

/** What a model made of an instruction. */
export interface Asked<Outcome> {
  readonly outcome: Outcome;
  /** Who answered. */
  readonly model: string;
  /** What a person or a program should know besides, one line each. */
  readonly notes: readonly string[];
}

/** Has the first model that answers do what `carryOut` says, while a person watches. */
export async function askModel<Outcome>(
  asked: AskedEdit,
  terminal: Terminal,
  carryOut: (parts: EditEngineParts & { readonly model: Model }) => AsyncGenerator<EditEvent, Outcome>,
): Promise<Asked<Outcome>> {
  const { request, settings, options } = asked;
  const named = new NamedModels({ environment: terminal.environment });
  const syntax = openSyntax();
  try {
    const chats = await openChatModels(settings, (name, one) => named.open(name, one));
    if (chats.models.length === 0) throw noModel([...asked.notes, ...chats.issues]);
    const notes = [...asked.notes, ...(settings.modelNames.length > 1 ? chats.issues : [])];
    const progress = new EditProgress(request, options.json ? { ...terminal, isWatched: false } : terminal);
    const model = new FallbackChat({
      models: chats.models,
      onFallback: (_, error, next) => {
        const note = `${error.message} ${next} is asked instead.`;
        notes.push(note);
        progress.note(note);
      },
    });
    let outcome: Outcome;
    try {
      const outside = await editOutside(asked, terminal);
      notes.push(...outside.notes);
      const { check, ...parts } = outside.parts;
      const events = carryOut({ model, syntax, ...parts, ...(check && { check: progress.watching(check) }) });
      outcome = await progress.follow(events, model);
    } finally {
      progress.close();
      chats[Symbol.dispose]();
    }
    terminal.signal.throwIfAborted();
    return { outcome, notes, model: model.name };
  } finally {
    syntax[Symbol.dispose]();
    await named[Symbol.asyncDispose]();
  }
}

function noModel(issues: readonly string[]): CommandFailure {
  const message = `${issues.join(" ")} Name a model that chats with --model, such as --model ollama:qwen2.5-coder:7b, or for good as \`edit.model\` in emend.config.json. Without one, --prompt prints what to paste into any chat, and --answer FILE takes what it says.`;
  return new CommandFailure("no-model", message, { exitCode: exitCodes.failed });
}

/** What a person sees while a model answers: what its answer does as far as it has come, and who is asked and why. */
class EditProgress {
  readonly #view: LiveView;
  readonly #terminal: Terminal;
  readonly #files: FileTexts;
  readonly #maxRetries: number;
  #status = "";
  #retries = 0;
  #characters = 0;
  #preview: Preview | undefined;

  constructor({ files, maxRetries = 3 }: EditRequest, terminal: Terminal) {
    this.#terminal = terminal;
    this.#files = new Map(files.map(({ path, text }) => [path, text]));
    this.#maxRetries = maxRetries;
    this.#view = openLiveView(terminal);
  }

  async follow<Outcome>(
    events: AsyncGenerator<EditEvent, Outcome>,
    model: { readonly name: string },
  ): Promise<Outcome> {
    for (;;) {
      const step = await events.next();
      if (step.done) return step.value;
      this.#take(step.value, model.name);
    }
  }

  /** The check, shown while it runs. */
  watching(check: EditCheck): EditCheck {
    return (edit, options) => {
      this.#status = "The check runs…";
      this.#characters = 0;
      this.#show(true);
      return check(edit, options);
    };
  }

  /** Something happened on the way that a person should know at once. */
  note(message: string): void {
    this.#status = message;
    this.#show(true);
  }

  close(): void {
    this.#view.close();
  }

  #take(event: EditEvent, model: string): void {
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
    const said = this.#characters === 0 ? "" : `, ${this.#characters.toLocaleString("en")} characters so far`;
    return [...rows, styled(`${printable(this.#status)}${said}`, "dim", colour)];
  }
}

const reasons: Readonly<Record<Extract<EditEvent, { kind: "asking" }>["why"], string>> = {
  first: "is asked",
  refused: "is asked to mend its answer, of which a part could not be used",
  broken: "is asked to mend lines that would break the syntax",
  "failed-check": "is asked to mend the change, since the check is not content",
  continued: "is asked to go on, since its answer was cut off",
};
