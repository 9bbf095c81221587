import { type AnswerContent, chooseFormat, type FormatChoice, type FormatName, formatNamed } from "../formats/index.ts";
import { ModelError } from "../model/index.ts";
import { emptyWorkspaceEdit } from "../text/index.ts";
import { outcomeOf, withFirstRows } from "./attempt.ts";
import { EditChecker } from "./edit-checker.ts";
import type { EditEngineParts } from "./edit-engine-parts.ts";
import type { EditEvent, EditOutcome } from "./edit-outcome.ts";
import type { EditRequest } from "./edit-request.ts";
import { EditRun } from "./edit-run.ts";
import { type DialectContent, readAs, readUnknown, type WrittenAnswer } from "./read-dialect.ts";

/** An answer that exists already, such as one pasted from a chat. */
export interface GivenAnswer {
  readonly text: string;
  /** The format of the answer; `detect` recognizes it by its marks. */
  readonly format: FormatName | "detect";
  /** Its content, where it was read already; `format` only names it then. */
  readonly content?: AnswerContent;
  /** Whether the answer is known to be cut off. */
  readonly isCut?: boolean;
}

/**
 * Turns instructions into edits that fit the files and parse:
 *
 * ```
 * instruction + files -> prompt -> stream -> edits -> boundary check -> syntax check -> repair ->
 * format -> check -> offer
 * ```
 *
 * It writes nothing to disk. Refusals, syntax errors and reports of the verification command are
 * sent back to the model, as often as the request allows; the best attempt is kept.
 */
export class EditEngine {
  readonly #parts: EditEngineParts;

  constructor(parts: EditEngineParts) {
    this.#parts = parts;
  }

  /**
   * Carries out an instruction: yields events on the way and returns the outcome. Every answer of a
   * model has an outcome.
   *
   * Rejects with `ModelError` where the model cannot be reached or does not chat, and with the
   * signal's own reason when that aborts.
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

  /** The format that the model is requested to answer in, and the reason for it. */
  formatFor({ format, files }: Pick<EditRequest, "format" | "files">): FormatChoice {
    if (format !== "auto") return { format, reason: "It was asked for." };
    const { model } = this.#parts;
    return chooseFormat({ files, ...(model && { model: model.name }) });
  }

  /**
   * Checks an existing answer to a request in the way {@link run} checks a model's answer. Sends no
   * request to a model. An answer that cannot be used has an outcome too; rejects with the signal's
   * reason on abort.
   */
  async judgeAnswer(
    request: Pick<EditRequest, "files">,
    answer: GivenAnswer,
    { signal }: { readonly signal?: AbortSignal } = {},
  ): Promise<EditOutcome> {
    signal?.throwIfAborted();
    const files = new Map(request.files.map(({ path, text }) => [path, text]));
    const checker = new EditChecker(this.#parts, request.files, signal);
    const written = { text: answer.text, paths: [...files.keys()], isCut: answer.isCut ?? false };
    const { format, content } = this.#contentOf(answer, written, request);
    const attempt = await checker.checkAnswer(content, { format, files, base: emptyWorkspaceEdit });
    return outcomeOf(withFirstRows(await checker.finish(attempt), answer.text), 0);
  }

  #contentOf(answer: GivenAnswer, written: WrittenAnswer, { files }: Pick<EditRequest, "files">): DialectContent {
    const { format, content } = answer;
    if (format === "detect")
      return readUnknown(written, { expected: this.formatFor({ files, format: "auto" }).format, files });
    return content === undefined ? readAs(format, written) : { format, content };
  }
}
