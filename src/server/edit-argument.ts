import type { Range } from "vscode-languageserver";
import { isPosition } from "./check-params.ts";
import { wrongParams } from "./request-error.ts";

/** The argument of `emend.edit` and `emend.editPrompt`. The latter takes no notice of what is about an answer. */
export interface EditArgument {
  /** What is to be done, in any language. May be missing where there is an answer. */
  readonly instruction?: string;
  /**
   * The documents that may be changed, open or not; unless told the one that was looked at last, or those that the answer
   * names.
   */
  readonly uris?: readonly string[];
  /** The lines of the first document that the instruction is about. */
  readonly range?: Range;
  /** The regions of the one document that are rewritten, each by itself and nothing else, under the language's grammar. */
  readonly regions?: readonly Range[];
  /** A name for the work: `emend/edit/preview` then tells how it comes on, under this name. */
  readonly preview?: string;
  /** What any chat said, in any format: no model is asked. */
  readonly answer?: string;
  /** Whether the client applies the change itself, once the person says yes: nothing is handed to the editor. */
  readonly isReviewed?: boolean;
}

/** The argument, if it is one; throws a `ResponseError` `InvalidParams` that says what is wrong with it. */
export function readEditArgument(command: string, value: unknown): EditArgument {
  const argument = (typeof value === "object" && value !== null ? value : {}) as EditArgument;
  const { instruction, uris, range, regions, preview, answer, isReviewed } = argument;
  const isSaid = typeof instruction === "string" && instruction.trim() !== "";
  if (!isSaid && !(instruction === undefined && answer !== undefined)) {
    throw wrongParams(`${command} takes an object with \`instruction\`, a text that says what is to be done.`);
  }
  if (uris !== undefined && !(Array.isArray(uris) && uris.length > 0 && uris.every((uri) => typeof uri === "string"))) {
    throw wrongParams("`uris` is a list of the addresses of documents.");
  }
  if (range !== undefined && !isRange(range))
    throw wrongParams("`range` is a range of the protocol, with `start` and `end`.");
  if (regions !== undefined) checkRegions(argument);
  if (preview !== undefined && (typeof preview !== "string" || preview === ""))
    throw wrongParams("`preview` is a name for the work, under which it is told how it comes on.");
  if (answer !== undefined && (typeof answer !== "string" || answer.trim() === ""))
    throw wrongParams("`answer` is what a chat said. Paste it.");
  if (isReviewed !== undefined && typeof isReviewed !== "boolean") throw wrongParams("`isReviewed` is true or false.");
  return argument;
}

function checkRegions({ instruction, uris, range, regions, answer }: EditArgument): void {
  const areRanges = Array.isArray(regions) && regions.length > 0 && regions.every((region) => isRange(region));
  if (!areRanges) throw wrongParams("`regions` is a list of ranges of the protocol, with `start` and `end`.");
  if (range !== undefined || (uris !== undefined && uris.length > 1)) {
    throw wrongParams("`regions` are those of one document, without a `range`: nothing else of it is changed.");
  }
  if (answer === undefined) return;
  if (regions.length > 1) throw wrongParams("An answer is the new text of one region. Give one in `regions`.");
  if (instruction === undefined) throw wrongParams("Say in `instruction` what is to be done in the region.");
}

function isRange(value: Partial<Range> | null): value is Range {
  return isPosition(value?.start) && isPosition(value?.end);
}
