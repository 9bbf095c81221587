import { type CodeBlock, type FileState, mayResolveTo } from "../../../analysis/index.ts";
import { anyIdentifier } from "../../../text/index.ts";
import { folderDistance } from "../../../workspace/index.ts";
import type { WorkspaceTexts } from "../../engine/text-index.ts";

/** The names that changed in a file. */
interface ChangedNames {
  /** The file that changed. */
  readonly path: string;
  readonly names: ReadonlySet<string>;
}

/**
 * Returns the paths of the other files that contain one of the changed names and name a module that
 * may be the changed file, or one that may re-export it. Open files come first, then the nearest
 * folders; at most `limit`.
 */
export function dependentFiles(
  { path, names }: ChangedNames,
  files: Pick<WorkspaceTexts, "open" | "containing" | "textOf">,
  limit: number,
): readonly string[] {
  const paths = new Set([...names].flatMap((name) => files.containing([name])));
  paths.delete(path);
  const isOpen = new Set(files.open);
  const rank = (other: string) => (isOpen.has(other) ? 0 : 1 + folderDistance(path, other));
  const sorted = [...paths]
    .map((other) => ({ other, rank: rank(other) }))
    .sort((one, two) => one.rank - two.rank || (one.other < two.other ? -1 : 1));
  const found: string[] = [];
  for (const { other } of sorted) {
    if (found.length === limit) break;
    if (namesModule(files.textOf(other) ?? "", path)) found.push(other);
  }
  return found;
}

/**
 * Whether the text of a file names a module that may be the file at `path`, or one that may
 * re-export it, after `from`, `import` or `require`: as a string in JavaScript, as a dotted name in
 * other languages.
 */
export function namesModule(text: string, path: string): boolean {
  for (const [, quoted, dotted] of text.matchAll(moduleName))
    if (mayResolveTo(quoted ?? dotted!.replaceAll(".", "/"), path)) return true;
  return false;
}

const moduleName = /\b(?:from|import|require)\s*(?:\(\s*)?(?:["'`]([^"'`\n]+)["'`]|([\w.]+))/g;

/** A change of names, with the declarations that changed. */
interface DeclaredChange extends ChangedNames {
  /**
   * The names of the declarations that changed, exported or not; `names` has the names that other
   * files use, those of members included.
   */
  readonly declared: ReadonlySet<string>;
}

/** Where dependents are searched, and how far. */
interface TransitiveDependentsParts {
  readonly files: Pick<WorkspaceTexts, "open" | "containing" | "textOf">;
  readonly stateOf: (path: string) => FileState;
  /** The most files that are returned. */
  readonly limit: number;
}

/** The most files that a change passes through, one after the other. */
const maxSteps = 3;

/** The most files of one step that are parsed for what they re-export. */
const maxGivers = 12;

/**
 * Returns the other files that may depend on a change of declarations, at most `limit`. First those
 * that use the changed names, then those that use them indirectly: through a type that extends or
 * contains one, a function that takes one, or an alias, in the same file or in files in between.
 * Bodies are not followed.
 */
export function transitiveDependentFiles(change: DeclaredChange, parts: TransitiveDependentsParts): readonly string[] {
  const { files, stateOf, limit } = parts;
  const found = new Set<string>();
  let step: readonly DeclaredChange[] = [withGivenOn(change, stateOf(change.path))];
  for (let count = 0; count < maxSteps && step.length > 0; count += 1) {
    const next: DeclaredChange[] = [];
    for (const one of step) {
      // A file that several changes of this step reach is visited once.
      const others = dependentFiles(one, files, Math.max(limit, maxGivers)).filter(
        (path) => path !== change.path && !found.has(path),
      );
      for (const path of others) {
        if (found.size >= limit) return [...found];
        found.add(path);
      }
      for (const path of others.slice(0, maxGivers - next.length)) {
        const names = namesPassingOn(stateOf(path), one.declared);
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
  const all = new Set([...declared, ...namesPassingOn(state, declared)]);
  const own = new Set(state.blocks.flatMap(({ isExported, simpleName }) => (isExported ? [] : simpleName)));
  return { path, names: new Set([...names, ...[...all].filter((name) => !own.has(name))]), declared: all };
}

/**
 * Returns the names of declarations whose signature mentions one of `names`, directly or through
 * another such declaration, and the aliases (`a as b`) that the file gives to one of `names`.
 */
function namesPassingOn({ text, blocks }: FileState, names: ReadonlySet<string>): ReadonlySet<string> {
  const given = new Set<string>();
  const mentions = (signatureText: string) =>
    signatureText.match(anyIdentifier)?.some((name) => names.has(name) || given.has(name)) === true;
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

function isNamed({ kind, simpleName }: CodeBlock): boolean {
  return simpleName !== "" && !/^(import|statement|test)$/.test(kind);
}
