import type { OpenTexts } from "../page-services.ts";
import { type ProposedFile, undoOf } from "./proposed-files.ts";

/** The result of an undo. */
export interface UndoneFiles {
  /** The files that have their earlier texts again. */
  readonly undone: readonly ProposedFile[];
  /** The files that have changed since, and keep the change. */
  readonly left: readonly ProposedFile[];
}

/**
 * Restores the earlier texts of changed files. A file that has changed since is left as it is; one
 * that has its earlier text already, such as by Ctrl+Z, counts as undone. The disk follows where it
 * had the change: closed files and open ones without unsaved changes are saved. Rejects with an
 * error for people if the editor refuses, or a file cannot be written.
 */
export async function undoFiles(
  files: readonly ProposedFile[],
  texts: Pick<OpenTexts, "textOf" | "apply" | "unsaved" | "save">,
): Promise<UndoneFiles> {
  const textAt = async (uri: string) => (await texts.textOf(uri)) ?? null;
  const back: ProposedFile[] = [];
  const changed: ProposedFile[] = [];
  const left: ProposedFile[] = [];
  for (const file of files) {
    const { uri, moved, before, after } = file;
    const there = moved && (await textAt(moved.uri));
    const here = await textAt(uri);
    if (here === before && (there ?? null) === null) back.push(file);
    else if ((moved ? there : here) === after) changed.push(file);
    else left.push(file);
  }
  if (changed.length > 0) {
    const unsavedBefore = texts.unsaved.peek();
    const { applied, failureReason } = await texts.apply(undoOf(changed));
    if (!applied) throw new Error(failureReason ?? "The editor could not undo the change.");
    const paths = changed.map(({ path }) => path);
    await texts.save(texts.unsaved.peek().filter((path) => paths.includes(path) && !unsavedBefore.includes(path)));
  }
  return { undone: [...back, ...changed], left };
}

/** Why files were not undone, and what to do, as a text for people. */
export function printLeft(left: readonly ProposedFile[]): string {
  const names = left.map(({ path, moved }) => moved?.path ?? path);
  const isOne = names.length === 1;
  return [
    `${new Intl.ListFormat("en").format(names)} ${isOne ? "has changed since and was" : "have changed since and were"}`,
    `not undone. Take back the later changes and undo again, or restore the lines by hand.`,
  ].join(" ");
}
