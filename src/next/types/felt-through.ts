import type { CodeBlock, FileState } from "../../codebase/index.ts";
import type { WorkspaceTexts } from "../workspace-texts.ts";
import { type FeltChange, filesThatFeel } from "./files-that-feel.ts";

/** A change of names, and of which declarations it is. */
export interface DeclaredChange extends FeltChange {
  /** The names of the declarations that changed, exported or not; `names` has what others say of it, also of members. */
  readonly declared: ReadonlySet<string>;
}

/** Where is looked, and how far. */
export interface FeltThroughParts {
  readonly files: Pick<WorkspaceTexts, "open" | "saying" | "textOf">;
  readonly stateOf: (path: string) => FileState;
  /** The most files that are told. */
  readonly limit: number;
  /** Those that may feel the change at all; all may unless told. */
  readonly reach?: readonly string[] | undefined;
}

/** Through how many files one after the other a change is followed. */
const maxSteps = 3;

/** In how many files of one step is looked what they give on: each is read by a parser. */
const maxGivers = 12;

/**
 * The other files that may feel a change of declarations, those that name them first, and then those that know them by something else: by a type that extends or
 * holds one, a function that takes one, or another name, in the same file or in files in between. Inside bodies nothing is followed.
 */
export function filesThatFeelThrough(change: DeclaredChange, parts: FeltThroughParts): readonly string[] {
  const { files, stateOf, limit, reach } = parts;
  const found = new Set<string>();
  let step: readonly DeclaredChange[] = [withGivenOn(change, stateOf(change.path))];
  for (let count = 0; count < maxSteps && step.length > 0; count += 1) {
    const next: DeclaredChange[] = [];
    for (const one of step) {
      // The same change comes to a file along one way.
      const others = filesThatFeel(one, files, { limit: Math.max(limit, maxGivers), reach }).filter(
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

/** A change with the declarations of its own file that say one of those that changed. Others name what of all these is exported. */
function withGivenOn({ path, names, declared }: DeclaredChange, state: FileState): DeclaredChange {
  const all = new Set([...declared, ...namesGivingOn(state, declared)]);
  const own = new Set(state.blocks.flatMap(({ isExported, simpleName }) => (isExported ? [] : simpleName)));
  return { path, names: new Set([...names, ...[...all].filter((name) => !own.has(name))]), declared: all };
}

/** The names of declarations that say one of `names` where others see it, or say one that does; and other names that a file gives those. */
export function namesGivingOn({ text, blocks }: FileState, names: ReadonlySet<string>): ReadonlySet<string> {
  const given = new Set<string>();
  const says = (said: string) => said.match(word)?.some((name) => names.has(name) || given.has(name)) === true;
  for (const [, name, other] of text.matchAll(
    /(?<![\p{ID_Continue}$])([\p{ID_Continue}$]+)\s+as\s+([\p{ID_Continue}$]+)/gu,
  ))
    if (names.has(name!)) given.add(other!);
  const seen = blocks.filter(isNamed).map(({ simpleName, signature }) => ({
    simpleName,
    said: signature.map(({ start, end }) => text.slice(start, end)).join("\n"),
  }));
  for (let size = -1; size !== given.size; ) {
    size = given.size;
    for (const { simpleName, said } of seen)
      if (!names.has(simpleName) && !given.has(simpleName) && says(said)) given.add(simpleName);
  }
  return given;
}

const word = /[\p{ID_Start}$_][\p{ID_Continue}$]*/gu;

function isNamed({ kind, simpleName }: CodeBlock): boolean {
  return simpleName !== "" && !/^(import|statement|test)$/.test(kind);
}
