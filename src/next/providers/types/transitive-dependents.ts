import type { CodeBlock, FileState } from "../../../codebase/index.ts";
import type { WorkspaceTexts } from "../../engine/workspace-texts.ts";
import { type ChangedNames, dependentFiles } from "./dependents.ts";

/** A change of names, with the declarations that changed. */
export interface DeclaredChange extends ChangedNames {
  /**
   * The names of the declarations that changed, exported or not; `names` has the names that other
   * files use, those of members included.
   */
  readonly declared: ReadonlySet<string>;
}

/** Where dependents are searched, and how far. */
export interface TransitiveDependentsParts {
  readonly files: Pick<WorkspaceTexts, "open" | "saying" | "textOf">;
  readonly stateOf: (path: string) => FileState;
  /** The most files that are returned. */
  readonly limit: number;
  /** The files that may depend on the change at all. Absent means all. */
  readonly reach?: readonly string[] | undefined;
}

/** The most files that a change passes through, one after the other. */
const maxSteps = 3;

/** The most files of one step that are parsed for what they re-export. */
const maxGivers = 12;

/**
 * Returns the other files that may depend on a change of declarations. First those that use the
 * changed names, then those that use them indirectly: through a type that extends or contains one,
 * a function that takes one, or an alias, in the same file or in files in between. Bodies are not
 * followed.
 */
export function transitiveDependentFiles(change: DeclaredChange, parts: TransitiveDependentsParts): readonly string[] {
  const { files, stateOf, limit, reach } = parts;
  const found = new Set<string>();
  let step: readonly DeclaredChange[] = [withGivenOn(change, stateOf(change.path))];
  for (let count = 0; count < maxSteps && step.length > 0; count += 1) {
    const next: DeclaredChange[] = [];
    for (const one of step) {
      // A file that several changes of this step reach is visited once.
      const others = dependentFiles(one, files, { limit: Math.max(limit, maxGivers), reach }).filter(
        (path) => path !== change.path && !found.has(path),
      );
      for (const path of others) {
        if (found.size >= limit) return [...found];
        found.add(path);
      }
      for (const path of others.slice(0, maxGivers - next.length)) {
        const names = namesGivingOn(stateOf(path), one.declared);
        if (names.size > 0) next.push({ path, names, declared: names });
      }
    }
    step = next;
  }
  return [...found];
}

/**
 * Adds the declarations of the changed file that mention a changed declaration. Other files can use
 * those of them that are exported.
 */
function withGivenOn({ path, names, declared }: DeclaredChange, state: FileState): DeclaredChange {
  const all = new Set([...declared, ...namesGivingOn(state, declared)]);
  const own = new Set(state.blocks.flatMap(({ isExported, simpleName }) => (isExported ? [] : simpleName)));
  return { path, names: new Set([...names, ...[...all].filter((name) => !own.has(name))]), declared: all };
}

/**
 * Returns the names of declarations whose signature mentions one of `names`, directly or through
 * another such declaration, and the aliases (`a as b`) that the file gives to one of `names`.
 */
export function namesGivingOn({ text, blocks }: FileState, names: ReadonlySet<string>): ReadonlySet<string> {
  const given = new Set<string>();
  const mentions = (signatureText: string) =>
    signatureText.match(word)?.some((name) => names.has(name) || given.has(name)) === true;
  for (const [, name, other] of text.matchAll(
    /(?<![\p{ID_Continue}$])([\p{ID_Continue}$]+)\s+as\s+([\p{ID_Continue}$]+)/gu,
  ))
    if (names.has(name!)) given.add(other!);
  const seen = blocks.filter(isNamed).map(({ simpleName, signature }) => ({
    simpleName,
    signatureText: signature.map(({ start, end }) => text.slice(start, end)).join("\n"),
  }));
  for (let size = -1; size !== given.size; ) {
    size = given.size;
    for (const { simpleName, signatureText } of seen)
      if (!names.has(simpleName) && !given.has(simpleName) && mentions(signatureText)) given.add(simpleName);
  }
  return given;
}

const word = /[\p{ID_Start}$_][\p{ID_Continue}$]*/gu;

function isNamed({ kind, simpleName }: CodeBlock): boolean {
  return simpleName !== "" && !/^(import|statement|test)$/.test(kind);
}
