import { mayBeWholeFile, printUnclearFormat, type ReplyFormat } from "../edit/index.ts";
import type { ShownFile } from "../formats/index.ts";
import { exitCodes } from "./exit-codes.ts";
import { CommandFailure } from "./failure.ts";

/** The format that was told of an answer. Throws a {@link CommandFailure} that says how to name it where that is in doubt. */
export function clearFormat<Name>(format: ReplyFormat<Name>): Name {
  if (format.kind === "format") return format.name;
  const message = `${printUnclearFormat(format)} Name it with --format.`;
  throw new CommandFailure("format-unclear", message, { exitCode: exitCodes.usage });
}

/** What to tell where a reply of which nothing could be read may be the text of the only file. */
export function wholeFileHint(reply: string, files: readonly ShownFile[]): readonly string[] {
  if (!mayBeWholeFile(reply, files)) return [];
  return [
    `The answer shows the marks of no format. --format whole takes a fenced block for the whole text of ${files[0]!.path}.`,
  ];
}
