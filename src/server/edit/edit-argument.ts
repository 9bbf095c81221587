import type { Range } from "vscode-languageserver";
import { isPosition } from "../check-params.ts";
import { wrongParams } from "../guard.ts";

/**
 * The argument of `emend.edit` and `emend.editPrompt`. `emend.editPrompt` ignores `answer`,
 * `preview` and `isReviewed`.
 */
export interface EditArgument {
  /** What is to be done, in any language. May be missing where there is an `answer`. */
  readonly instruction?: string;
  /**
   * The documents that may be changed, open or not; by default the one that was viewed last, or
   * those that the answer names.
   */
  readonly uris?: readonly string[];
  /** The lines of the first document that the instruction is about. */
  readonly range?: Range;
  /**
   * The regions of the one document that are rewritten, each separately, under the language's
   * grammar. Nothing else is changed.
   */
  readonly regions?: readonly Range[];
  /** A name for this request: progress is sent as `emend/edit/preview` with this name. */
  readonly preview?: string;
  /** The answer of any chat, in any edit format: no model is requested. */
  readonly answer?: string;
  /**
   * Whether the client applies the change itself after a review; the server sends no
   * `workspace/applyEdit` then.
   */
  readonly isReviewed?: boolean;
}

/** Stands for the instruction where an answer was pasted without one. */
export const answerInstruction = "an answer of a chat";

/**
 * Reads the argument of a command. Throws a `ResponseError` with the code `InvalidParams` when it
 * is invalid; the message contains what is required.
 */
export function readEditArgument(command: string, value: unknown): EditArgument {
  const argument = (typeof value === "object" && value !== null ? value : {}) as EditArgument;
  const { instruction, uris, range, regions, preview, answer, isReviewed } = argument;
  const hasInstruction = typeof instruction === "string" && instruction.trim() !== "";
  if (!hasInstruction && !(instruction === undefined && answer !== undefined)) {
    throw wrongParams(`${command} takes an object with \`instruction\`, a string.`);
  }
  if (uris !== undefined && !(Array.isArray(uris) && uris.length > 0 && uris.every((uri) => typeof uri === "string"))) {
    throw wrongParams("`uris` must be a list of URIs of documents.");
  }
  if (range !== undefined && !isRange(range))
    throw wrongParams("`range` must be a range of the protocol, with `start` and `end`.");
  if (regions !== undefined) checkRegions(argument);
  if (preview !== undefined && (typeof preview !== "string" || preview === ""))
    throw wrongParams("`preview` must be a name, which the previews of this request contain.");
  if (answer !== undefined && (typeof answer !== "string" || answer.trim() === ""))
    throw wrongParams("`answer` must be the text of a chat's answer.");
  if (isReviewed !== undefined && typeof isReviewed !== "boolean")
    throw wrongParams("`isReviewed` must be true or false.");
  return argument;
}

function checkRegions({ instruction, uris, range, regions, answer }: EditArgument): void {
  const areRanges = Array.isArray(regions) && regions.length > 0 && regions.every((region) => isRange(region));
  if (!areRanges) throw wrongParams("`regions` must be a list of ranges of the protocol, with `start` and `end`.");
  if (range !== undefined || (uris !== undefined && uris.length > 1)) {
    throw wrongParams("`regions` are for a single document, and cannot be combined with `range`.");
  }
  if (answer === undefined) return;
  if (regions.length > 1)
    throw wrongParams("An `answer` is the new text of one region. Give a single one in `regions`.");
  if (instruction === undefined) throw wrongParams("Give an `instruction` for the region.");
}

function isRange(value: Partial<Range> | null): value is Range {
  return isPosition(value?.start) && isPosition(value?.end);
}
