import type { FlagSetting } from "../config/index.ts";
import { parseModelName } from "../model/index.ts";
import { exitCodes } from "./terminal/exit-codes.ts";
import { CommandFailure } from "./terminal/failure.ts";

/**
 * The models of `--model` in order of preference: the option may be repeated, and separates names
 * by commas, like `EMEND_MODEL`. A comma within the path of a model's file belongs to the path.
 */
export function modelNames(values: readonly string[]): readonly string[] {
  return values.flatMap((text) => {
    const names: string[] = [];
    for (const part of text.split(",")) {
      const before = names.at(-1);
      if (before === undefined || !isInPath(before, part)) names.push(part);
      else names[names.length - 1] = `${before},${part}`;
    }
    const trimmed = names.map((name) => name.trim()).filter((name) => name !== "");
    return trimmed.length === 0 ? [text] : trimmed;
  });
}

/**
 * The values of `--model` as one setting at `path`, in order of preference; see {@link modelNames}.
 * Empty where the option is not given.
 */
export function modelFlags(
  values: readonly string[] | undefined,
  path: readonly string[] = ["model"],
): readonly FlagSetting[] {
  return values === undefined ? [] : [{ flag: "--model", path, value: modelNames(values) }];
}

/**
 * Throws a {@link CommandFailure} for the first malformed name, with what to write instead, since a
 * model named for one command must not be replaced by another. A server, in contrast, continues
 * with the models that it has.
 */
export function checkModelNames(values: readonly string[] = []): void {
  for (const name of modelNames(values)) {
    const [issue] = parseModelName(name).issues;
    if (issue !== undefined) throw new CommandFailure("usage", issue.message, { exitCode: exitCodes.usage });
  }
}

/**
 * Whether the comma before `part` belongs to the path of the model file `before`: no model's name
 * follows it.
 */
function isInPath(before: string, part: string): boolean {
  return /^\s*gguf:/i.test(before) && part.trim() !== "" && parseModelName(part).name === undefined;
}
