import type { FlagSetting } from "../config/index.ts";
import { parseModelName } from "../model/index.ts";
import { exitCodes } from "./exit-codes.ts";
import { CommandFailure } from "./failure.ts";

/** What `--model` says, given once or more often, as a setting: the models in order of preference. */
export function modelFlags(names: readonly string[] | undefined): readonly FlagSetting[] {
  return names === undefined ? [] : [{ flag: "--model", path: ["model"], value: names }];
}

/**
 * Throws a {@link CommandFailure} for a name that cannot be read, with what to write instead: whoever names a model for
 * one command wants that one and no other. A server goes on with what it has.
 */
export function checkModelNames(names: readonly string[] = []): void {
  for (const name of names) {
    const [issue] = parseModelName(name).issues;
    if (issue !== undefined) throw new CommandFailure("usage", issue.message, { exitCode: exitCodes.usage });
  }
}
