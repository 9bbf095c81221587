import { detectFormat, type FormatName, type ShownFile, tryReadPlainFile } from "../formats/index.ts";
import { exitCodes } from "./exit-codes.ts";
import { CommandFailure } from "./failure.ts";

/**
 * The format that an answer is in, by its marks; `told`, which the chat was asked for, where they leave that open. Throws a
 * {@link CommandFailure} that says how to name it where they leave a doubt.
 */
export function formatOfAnswer(answer: string, told?: FormatName): FormatName {
  const found = detectFormat(answer);
  if (found.kind === "format") return found.name;
  const { candidates } = found;
  // An answer in no format at all is for that one to refuse.
  if (told !== undefined && (candidates.length === 0 || candidates.includes(told))) return told;
  const which = candidates.length === 0 ? "It shows the marks of no format." : `It may be ${candidates.join(" or ")}.`;
  const message = `The answer's format is not clear. ${which} Name it with --format.`;
  throw new CommandFailure("format-unclear", message, { exitCode: exitCodes.usage });
}

/** What the reply of a chat answers. */
export interface AskedQuestion {
  /** The format that the person names; `auto` for none. */
  readonly named: FormatName | "auto";
  /** The format that the chat was asked for. */
  readonly told: FormatName;
  readonly files: readonly ShownFile[];
}

/** As {@link formatOfAnswer}, for the reply to a question; `"detect"` where it plainly is the text of the only file. */
export function formatOfReply(reply: string, { named, told, files }: AskedQuestion): FormatName | "detect" {
  if (named !== "auto" && named !== "whole") return named;
  if (tryReadPlainFile(reply, files) !== undefined) return "detect";
  return named === "auto" ? formatOfAnswer(reply, told) : named;
}

/** What to tell where a reply of which nothing could be read may be the text of the only file. */
export function wholeFileHint(reply: string, files: readonly ShownFile[]): readonly string[] {
  const found = detectFormat(reply);
  if (files.length !== 1 || found.kind === "format" || found.candidates.length > 0) return [];
  return [
    `The answer shows the marks of no format. --format whole takes a fenced block for the whole text of ${files[0]!.path}.`,
  ];
}
