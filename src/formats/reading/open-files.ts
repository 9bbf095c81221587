import { type FileChange, type FileTexts, type WorkspaceEdit, workspaceEdit } from "../../text/index.ts";
import type { EditOperation } from "../edit-operation.ts";
import type { OperationNormalization, OperationRefusal } from "../placing/operation-outcome.ts";
import { WorkingText } from "../placing/working-text.ts";
import { nearestPath, normalizedPath, suffixMatch, tryRestoreBackslashes, unsafePathMessage } from "./path-match.ts";

/** A file that operations refer to. */
export interface OpenFile {
  /** The path before the answer; `undefined` for a file that the answer creates. */
  readonly pathBefore: string | undefined;
  /** The current path. */
  readonly path: string;
  readonly text: WorkingText;
  /** Whether an operation removed it. */
  readonly isGone: boolean;
}

/** What the path of an operation resolves to. */
export type PathOutcome =
  | { readonly kind: "file"; readonly file: OpenFile; readonly normalizations: readonly OperationNormalization[] }
  /** There is no such file; one may be created at `path`. */
  | { readonly kind: "none"; readonly path: string; readonly refusal: OperationRefusal }
  | { readonly kind: "refused"; readonly refusal: OperationRefusal };

/**
 * The files of a request while operations are applied: opened on first use; created, moved and
 * removed.
 */
export class OpenFiles {
  readonly #files: FileTexts;
  readonly #all: Mutable<OpenFile>[] = [];
  /** The file of each path; the old path of a moved file still refers to it. */
  readonly #byPath = new Map<string, Mutable<OpenFile>>();

  constructor(files: FileTexts) {
    this.#files = files;
  }

  /** Finds the file that an operation means. */
  resolve(operation: EditOperation): PathOutcome {
    // A file to remove or move must be named, even if it is the only one.
    if (operation.path === undefined)
      return this.#only({ isNamed: operation.kind === "remove" || operation.kind === "move" });
    const path = normalizedPath(operation.path);
    const written = this.#tryOpen(operation.path);
    const exact = written ?? (path === undefined ? undefined : this.#tryOpen(path));
    // The old path of a moved file means that file, unless a new one is to be created there.
    const isFree = operation.kind === "create" && path !== undefined && !this.has(path);
    if (exact !== undefined && !isFree) {
      const isOther = written === undefined && operation.path.includes("\\");
      return { kind: "file", file: exact, normalizations: isOther ? [takenFor(operation.path, exact.path)] : [] };
    }
    const composed = path?.normalize("NFC");
    const [alike, ...others] = this.#paths().filter((one) => one !== path && one.normalize("NFC") === composed);
    const spelled = alike === undefined || others.length > 0 ? undefined : this.#tryOpen(alike);
    if (spelled !== undefined)
      return { kind: "file", file: spelled, normalizations: [takenFor(operation.path, alike!)] };

    const match = suffixMatch(operation.path, this.#paths(), { isLoose: provesItself(operation) });
    const file = match === undefined ? undefined : this.#tryOpen(match);
    if (file !== undefined && operation.kind !== "create") {
      return { kind: "file", file, normalizations: [takenFor(operation.path, match!)] };
    }
    const restored = operation.kind === "create" ? undefined : tryRestoreBackslashes(operation.path.trim());
    const meant = restored === undefined ? undefined : this.resolve({ ...operation, path: restored });
    if (meant?.kind === "file") return meant;
    if (path === undefined) {
      return { kind: "refused", refusal: { kind: "unsafe-path", message: unsafePathMessage(operation.path) } };
    }
    return { kind: "none", path, refusal: this.#unknown(operation.path) };
  }

  /** Whether a file currently has this path. */
  has(path: string): boolean {
    return this.#tryOpen(path)?.path === path;
  }

  /** Creates a file at a free path. */
  create(path: string): OpenFile {
    return this.#open(path, { pathBefore: undefined, path, text: new WorkingText(""), isGone: false });
  }

  /** Removes a file. */
  remove(file: OpenFile): void {
    (file as Mutable<OpenFile>).isGone = true;
  }

  /** Moves a file to a free path. */
  move(file: OpenFile, path: string): void {
    (file as Mutable<OpenFile>).path = path;
    this.#byPath.set(path, file);
  }

  /** All changes of the files. */
  toWorkspaceEdit(): WorkspaceEdit {
    return workspaceEdit(this.#all.flatMap(changeOf));
  }

  #only({ isNamed }: { readonly isNamed: boolean }): PathOutcome {
    const there = this.#paths();
    const file = there.length === 1 && !isNamed ? this.#tryOpen(there[0]!) : undefined;
    if (file !== undefined) return { kind: "file", file, normalizations: [] };
    const message = `The answer does not say which file it means${there.length === 0 ? "" : `: ${listed(there)}`}.`;
    return { kind: "refused", refusal: { kind: "unknown-file", message } };
  }

  #unknown(path: string): OperationRefusal {
    const gone = this.#byPath.get(path)?.isGone === true;
    if (gone) return { kind: "unknown-file", message: `${path} has been removed by the same answer.` };
    const known = this.#paths();
    const namesakes = known.filter((one) => `/${one}`.endsWith(`/${path}`));
    const near = nearestPath(path, known);
    const nearest = near === undefined ? "" : ` The nearest is ${near}.`;
    const hint = namesakes.length > 1 ? ` Files of that name are ${listed(namesakes)}.` : nearest;
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

  /** The paths of the current files. */
  #paths(): readonly string[] {
    const paths = new Set(this.#files.keys());
    for (const path of this.#byPath.keys()) paths.delete(path);
    for (const file of this.#all) if (!file.isGone) paths.add(file.path);
    return [...paths];
  }
}

function takenFor(written: string, path: string): OperationNormalization {
  return { kind: "path", message: `${written} is taken for ${path}.` };
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

function changeOf({ pathBefore, path, text, isGone }: OpenFile): readonly FileChange[] {
  if (pathBefore === undefined) return isGone ? [] : [{ kind: "create", uri: path, text: text.text }];
  if (isGone) return [{ kind: "delete", uri: pathBefore }];
  const edit = text.toEdit();
  if (path === pathBefore) return [{ kind: "edit", uri: path, edit }];
  return [{ kind: "rename", uri: pathBefore, uriAfter: path, edit }];
}

/** Whether an operation is located by text, so that a wrong file would be detected. */
function provesItself(operation: EditOperation): boolean {
  if (operation.kind === "block") return operation.search.some((line) => /\w/.test(line));
  if (operation.kind === "string") return /\w/.test(operation.search);
  return operation.kind === "elided" || (operation.kind === "lines" && operation.anchors.length > 0);
}

function listed(paths: readonly string[]): string {
  return paths.length > 5 ? `${paths.slice(0, 5).join(", ")} and ${paths.length - 5} more` : paths.join(", ");
}
