import type { Syntax } from "../../../syntax/index.ts";
import type { NextEditContext } from "../next-edit-provider.ts";
import type { PastChange } from "./past-change.ts";

/** What {@link isBrokenBy} reads. */
export interface BrokenQuestion {
  readonly files: Pick<NextEditContext["files"], "languageOf">;
  readonly syntax: Pick<Syntax, "syntaxErrors">;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Whether one of the changed files has more syntax errors than before: then its code is unfinished.
 * The keys of `changes` are paths. Rejects with the signal's reason.
 */
export async function isBrokenBy(
  changes: ReadonlyMap<string, PastChange>,
  { files, syntax, signal }: BrokenQuestion,
): Promise<boolean> {
  for (const [path, { before, after }] of changes) {
    const language = files.languageOf(path);
    const count = async (text: string) => (await syntax.syntaxErrors({ uri: path, language, text })).length;
    const now = await count(after);
    if (now > 0 && now > (await count(before))) return true;
    signal?.throwIfAborted();
  }
  return false;
}
