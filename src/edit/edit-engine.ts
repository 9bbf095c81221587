import { chooseFormat, type FormatChoice, type FormatName, formatNamed } from "../formats/index.ts";
import { ModelError } from "../model/index.ts";
import { emptyWorkspaceEdit } from "../text/index.ts";
import { outcomeOf } from "./attempt.ts";
import type { EditEngineParts } from "./edit-engine-parts.ts";
import { EditJudge } from "./edit-judge.ts";
import type { EditEvent, EditOutcome } from "./edit-outcome.ts";
import type { EditRequest } from "./edit-request.ts";
import { EditRun } from "./edit-run.ts";
import { withWords } from "./first-rows.ts";
import { readAs, readUnknown } from "./read-dialect.ts";

/** An answer that is there already, such as one that was pasted from a chat. */
export interface GivenAnswer {
  readonly text: string;
  /** The format that it is in; `detect` tells it by its marks. */
  readonly format: FormatName | "detect";
  /** Whether it is known to have been cut off. */
  readonly isCut?: boolean;
}

/**
 * Turns instructions into edits that fit the files and parse:
 *
 * ```
 * instruction + files -> prompt -> stream -> edits -> boundary check -> syntax check -> repair -> format -> check -> offer
 * ```
 *
 * It writes nothing. What was refused, what does not parse and what the check reports goes back to the model, as often as
 * the request allows; the best attempt is kept.
 */
export class EditEngine {
  readonly #parts: EditEngineParts;

  constructor(parts: EditEngineParts) {
    this.#parts = parts;
  }

  /**
   * Carries out an instruction: tells what happens, and returns the outcome. Whatever the model answers has one.
   *
   * Rejects with `ModelError` where the model cannot be asked at all, and with the signal's own reason when that aborts.
   */
  async *run(
    request: EditRequest,
    { signal }: { readonly signal?: AbortSignal } = {},
  ): AsyncGenerator<EditEvent, EditOutcome> {
    const { model } = this.#parts;
    if (model?.chat === undefined) {
      const who = model === undefined ? "There is no model to ask" : `${model.name} does not chat`;
      throw new ModelError("unsupported", `${who}: edits need a model that chats.`);
    }
    signal?.throwIfAborted();
    const chat = model.chat.bind(model);
    const format = formatNamed(this.formatFor(request).format);
    const options = { parts: this.#parts, request, chat, format, wholeFormat: formatNamed("whole"), signal };
    return yield* new EditRun(options).run();
  }

  /** The format that the model is asked to answer in, and why. */
  formatFor({ format, files }: Pick<EditRequest, "format" | "files">): FormatChoice {
    if (format !== "auto") return { format, reason: "It was asked for." };
    const { model } = this.#parts;
    return chooseFormat({ files, ...(model && { model: model.name }) });
  }

  /** What an answer to a request comes to, judged as {@link run} judges what a model says. Nobody is asked again. */
  async judgeAnswer(
    request: Pick<EditRequest, "files">,
    answer: GivenAnswer,
    { signal }: { readonly signal?: AbortSignal } = {},
  ): Promise<EditOutcome> {
    signal?.throwIfAborted();
    const files = new Map(request.files.map(({ path, text }) => [path, text]));
    const judge = new EditJudge(this.#parts, request.files, signal);
    const written = { text: answer.text, paths: [...files.keys()], isCut: answer.isCut ?? false };
    const { format, content } =
      answer.format === "detect"
        ? readUnknown(written, {
            expected: this.formatFor({ ...request, format: "auto" }).format,
            files: request.files,
          })
        : readAs(answer.format, written);
    const attempt = await judge.judge(content, { format, files, base: emptyWorkspaceEdit });
    return outcomeOf(withWords(await judge.finish(attempt), answer.text), 0);
  }
}
