import { detectFormat, type FormatName } from "../formats/index.ts";
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
