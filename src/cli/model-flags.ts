import type { FlagSetting } from "../config/index.ts";
import { parseModelName } from "../model/index.ts";
import { exitCodes } from "./exit-codes.ts";
import { CommandFailure } from "./failure.ts";

/**
 * The models that `--model` names in order of preference: given once or more often, with commas between several, as in
 * `EMEND_MODEL`. Only where the path of a model's file goes on, a comma belongs to it.
 */
export function modelNames(given: readonly string[]): readonly string[] {
  return given.flatMap((text) => {
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

/** What `--model` says as the setting `path`: {@link modelNames}. */
export function modelFlags(
  given: readonly string[] | undefined,
  path: readonly string[] = ["model"],
): readonly FlagSetting[] {
  return given === undefined ? [] : [{ flag: "--model", path, value: modelNames(given) }];
}

/**
 * Throws a {@link CommandFailure} for a name that cannot be read, with what to write instead: whoever names a model for
 * one command wants that one and no other. A server goes on with what it has.
 */
export function checkModelNames(given: readonly string[] = []): void {
  for (const name of modelNames(given)) {
    const [issue] = parseModelName(name).issues;
    if (issue !== undefined) throw new CommandFailure("usage", issue.message, { exitCode: exitCodes.usage });
  }
}

/** Whether the comma before `part` stands in the path of the model's file `before`: no model begins behind it. */
function isInPath(before: string, part: string): boolean {
  return /^\s*gguf:/i.test(before) && part.trim() !== "" && parseModelName(part).name === undefined;
}
