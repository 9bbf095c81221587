import type { FlagSetting } from "../../config/index.ts";
import { type FormatName, formats } from "../../formats/index.ts";
import { exitCodes } from "../terminal/exit-codes.ts";
import { CommandFailure } from "../terminal/failure.ts";

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

/** The value of `--format` as a setting. */
export function formatFlags(name: string | undefined): readonly FlagSetting[] {
  return name === undefined ? [] : [{ flag: "--format", path: ["edit", "format"], value: editFormatOf(name) }];
}
