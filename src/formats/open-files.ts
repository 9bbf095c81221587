import { type FileChange, type FileTexts, type WorkspaceEdit, workspaceEdit } from "../text/index.ts";
import type { Ask } from "./ask.ts";
import type { AskLenience, AskRefusal } from "./ask-outcome.ts";
import { nearestPath, normalizedPath, suffixMatch } from "./path-match.ts";
import { WorkingText } from "./working-text.ts";

/** A file that asks speak of. */
export interface OpenFile {
  /** Where it was before the answer; `undefined` for one that the answer makes. */
  readonly pathBefore: string | undefined;
  /** Where it is now. */
  readonly path: string;
  readonly text: WorkingText;
  /** Whether an ask has taken it away. */
  readonly isGone: boolean;
}

/** What the path of an ask leads to. */
export type PathOutcome =
  | { readonly kind: "file"; readonly file: OpenFile; readonly leniences: readonly AskLenience[] }
  /** There is no such file; one may be made at `path`. */
  | { readonly kind: "none"; readonly path: string; readonly refusal: AskRefusal }
  | { readonly kind: "refused"; readonly refusal: AskRefusal };

/** The files of a request while asks are placed in them: opened when first named; made, moved and removed. */
export class OpenFiles {
  readonly #files: FileTexts;
  readonly #all: Mutable<OpenFile>[] = [];
  /** What each path means; that of a moved file goes on to mean it. */
  readonly #byPath = new Map<string, Mutable<OpenFile>>();

  constructor(files: FileTexts) {
    this.#files = files;
  }

  /** Finds the file that an ask means. */
  resolve(ask: Ask): PathOutcome {
    // A file that is to go has to be named, even where there is one alone.
    if (ask.path === undefined) return this.#only({ isNamed: ask.kind === "remove" || ask.kind === "move" });
    const path = normalizedPath(ask.path);
    const exact = this.#tryOpen(ask.path) ?? (path === undefined ? undefined : this.#tryOpen(path));
    // The old path of a file that has moved means that file, unless a new one is to be made there.
    const isFree = ask.kind === "create" && path !== undefined && !this.has(path);
    if (exact !== undefined && !isFree) return { kind: "file", file: exact, leniences: [] };

    const match = suffixMatch(ask.path, this.#paths(), { isLoose: provesItself(ask) });
    const file = match === undefined ? undefined : this.#tryOpen(match);
    if (file !== undefined && ask.kind !== "create") {
      return { kind: "file", file, leniences: [{ kind: "path", message: `${ask.path} is taken for ${match}.` }] };
    }
    if (path === undefined) {
      const message = `${ask.path} leads out of the root, or to where nothing may be written.`;
      return { kind: "refused", refusal: { kind: "unsafe-path", message } };
    }
    return { kind: "none", path, refusal: this.#unknown(ask.path) };
  }

  /** Whether there is a file at a path now. */
  has(path: string): boolean {
    return this.#tryOpen(path)?.path === path;
  }

  /** Makes a file where there is none. */
  create(path: string): OpenFile {
    return this.#open(path, { pathBefore: undefined, path, text: new WorkingText(""), isGone: false });
  }

  /** Takes a file away. */
  remove(file: OpenFile): void {
    (file as Mutable<OpenFile>).isGone = true;
  }

  /** Moves a file to a path where there is none. */
  move(file: OpenFile, path: string): void {
    (file as Mutable<OpenFile>).path = path;
    this.#byPath.set(path, file);
  }

  /** All that has become of the files. */
  toWorkspaceEdit(): WorkspaceEdit {
    return workspaceEdit(this.#all.flatMap(changeOf));
  }

  #only({ isNamed }: { readonly isNamed: boolean }): PathOutcome {
    const there = this.#paths();
    const file = there.length === 1 && !isNamed ? this.#tryOpen(there[0]!) : undefined;
    if (file !== undefined) return { kind: "file", file, leniences: [] };
    const message = `The answer does not say which file it means${there.length === 0 ? "" : `: ${listed(there)}`}.`;
    return { kind: "refused", refusal: { kind: "unknown-file", message } };
  }

  #unknown(path: string): AskRefusal {
    const gone = this.#byPath.get(path)?.isGone === true;
    if (gone) return { kind: "unknown-file", message: `${path} has been removed by the same answer.` };
    const near = nearestPath(path, this.#paths());
    const hint = near === undefined ? "" : ` The nearest is ${near}.`;
    return { kind: "unknown-file", message: `There is no file ${path}.${hint}` };
  }

  #tryOpen(path: string): Mutable<OpenFile> | undefined {
    const known = this.#byPath.get(path);
    if (known !== undefined) return known.isGone ? undefined : known;
    const text = this.#files.get(path);
    if (text === undefined) return undefined;
    return this.#open(path, { pathBefore: path, path, text: new WorkingText(text), isGone: false });
  }

  #open(path: string, file: OpenFile): Mutable<OpenFile> {
    this.#all.push(file);
    this.#byPath.set(path, file);
    return file;
  }

  /** The paths of the files that are there now. */
  #paths(): readonly string[] {
    const paths = new Set(this.#files.keys());
    for (const path of this.#byPath.keys()) paths.delete(path);
    for (const file of this.#all) if (!file.isGone) paths.add(file.path);
    return [...paths];
  }
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

function changeOf({ pathBefore, path, text, isGone }: OpenFile): readonly FileChange[] {
  if (pathBefore === undefined) return isGone ? [] : [{ kind: "create", uri: path, text: text.text }];
  if (isGone) return [{ kind: "delete", uri: pathBefore }];
  const edit = text.toEdit();
  if (path === pathBefore) return [{ kind: "edit", uri: path, edit }];
  return [{ kind: "rename", uri: pathBefore, uriAfter: path, edit }];
}

/** Whether an ask finds its place by text, so that a wrong file would be noticed. */
function provesItself(ask: Ask): boolean {
  if (ask.kind === "block") return ask.search.some((line) => /\w/.test(line));
  if (ask.kind === "string") return /\w/.test(ask.search);
  return ask.kind === "elided" || (ask.kind === "lines" && ask.witnesses.length > 0);
}

function listed(paths: readonly string[]): string {
  return paths.length > 5 ? `${paths.slice(0, 5).join(", ")} and ${paths.length - 5} more` : paths.join(", ");
}
