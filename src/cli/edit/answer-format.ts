import type { FlagSetting } from "../../config/index.ts";
import { mayBeWholeFile, printUnclearFormat, type ReplyFormat } from "../../edit/index.ts";
import { type FormatName, formats, type ShownFile } from "../../formats/index.ts";
import { exitCodes } from "../terminal/exit-codes.ts";
import { CommandFailure } from "../terminal/failure.ts";

/**
 * Returns the edit format that an answer was recognized as. Throws a {@link CommandFailure} that
 * suggests `--format` where the format is unclear.
 */
export function clearFormat<Name>(format: ReplyFormat<Name>): Name {
  if (format.kind === "format") return format.name;
  const message = `${printUnclearFormat(format)} Name it with --format.`;
  throw new CommandFailure("format-unclear", message, { exitCode: exitCodes.usage });
}

/**
 * Hints for an answer without a recognized format that may be the new text of the only file; empty
 * otherwise.
 */
export function wholeFileHint(reply: string, files: readonly ShownFile[]): readonly string[] {
  if (!mayBeWholeFile(reply, files)) return [];
  return [
    `The answer has no recognizable edit format. With --format whole, a fenced block is the whole new text of ${files[0]!.path}.`,
  ];
}

/**
 * The format that `--format` names; `auto` by default. Throws a {@link CommandFailure} that lists
 * the formats for an unknown one.
 */
export function editFormatOf(name: string | undefined): FormatName | "auto" {
  if (name === undefined || name === "auto") return "auto";
  const format = formats.find((one) => one.name === name);
  if (format !== undefined) return format.name;
  const message = `There is no format ${name}. Give one of auto, ${formats.map((one) => one.name).join(", ")}.`;
  throw new CommandFailure("usage", message, { exitCode: exitCodes.usage });
}

/**
 * The value of `--format` as a setting; empty where it is `undefined`. Throws as {@link
 * editFormatOf} does: a {@link CommandFailure} for an unknown format.
 */
export function formatFlags(name: string | undefined): readonly FlagSetting[] {
  return name === undefined ? [] : [{ flag: "--format", path: ["edit", "format"], value: editFormatOf(name) }];
}
