import {
  type FileDiagnostic,
  LibraryDiagnostics,
  OverlayCheck,
  type ParseCache,
  type TypeCheckCache,
} from "../../analysis/index.ts";
import type { AbortOptions } from "../../async/index.ts";
import type { PastEdit } from "../../context/index.ts";
import { anyIdentifier, type Edit, EmendError, type TextRange } from "../../text/index.ts";
import type { WorkspaceTexts } from "../engine/text-index.ts";
import { affectedNames } from "../providers/types/affected-names.ts";
import { dependentFiles } from "../providers/types/dependents.ts";
import { maxTypedCharacters, type PastChange } from "../providers/types/past-change.ts";
import type { EditTypeCheck, TypeVerdict } from "./edit-type-check.ts";

/** The dependencies of {@link TypeErrorCheck}; their owner disposes them. */
interface TypeErrorCheckParts {
  /** The type checker's cache; `undefined` while no checker is running. */
  types(): TypeCheckCache | undefined;
  readonly files: Pick<WorkspaceTexts, "open" | "containing" | "textOf">;
  readonly states: Pick<ParseCache, "blocksOf" | "prepare">;
}

/** The most dependents in which errors are looked for. */
const maxOthers = 4;

/**
 * Compares the errors of a type checker with an edit to those without it: in the edited file first,
 * then in files that use a name whose meaning the edit changes, as an {@link OverlayCheck} does.
 *
 * An edit is unfinished where all its new diagnostics concern names that the user's own recent
 * edits also left undeclared ({@link isOfTheSameChange}). Diagnostics that the edit only uncovers
 * ({@link isOnlyRevealed}) do not count. Measured: other diagnostics in common, of the same kind or
 * words, do not make an edit likelier to be right.
 *
 * Laws: an edit that changes nothing fits and fixes nothing; the result depends only on the texts
 * and the recent edits.
 */
export class TypeErrorCheck implements EditTypeCheck {
  readonly #parts: TypeErrorCheckParts;

  constructor(parts: TypeErrorCheckParts) {
    this.#parts = parts;
  }

  /**
   * Compares the errors with an edit to those without it; `unknown` where no checker knows the
   * file, the checker fails, or the file is too large. Rejects with the signal's reason on abort.
   */
  async judge(
    { path, text, edit, together = new Map(), alike = [] }: Parameters<EditTypeCheck["judge"]>[0],
    { signal }: AbortOptions = {},
  ): Promise<TypeVerdict> {
    const types = this.#parts.types();
    if (types?.knows(path) !== true || text.length > maxTypedCharacters) return { kind: "unknown" };
    const after = edit.apply(text);
    if (after === text && together.size === 0) return { kind: "fits", mended: 0 };
    const without = new Map([[path, text]]);
    const all = new Map([...together, [path, after]]);
    const changes = new Map<string, PastChange>([[path, { before: text, after }]]);
    for (const [file, now] of together)
      if (types.knows(file)) changes.set(file, { before: types.textOf(file)!, after: now });
    const [own, past] = [namesOfEdit(text, edit), namesOfPast(alike)];
    try {
      let fixedCount = 0;
      let left = 0;
      const unfinished: FileDiagnostic[] = [];
      for await (const files of this.#filesToCheck(path, changes, types, signal)) {
        // All files are checked at once. Those behind the first are checked with the edit first, in
        // the state that the checker has: a change of state loses what it computed.
        const isFirst = files[0] === path;
        const checkedFirst = isFirst ? await types.errorsWith(without, files, { signal }) : undefined;
        const now = await types.errorsWith(all, files, { signal });
        const before = checkedFirst ?? (await types.errorsWith(without, files, { signal }));
        const { fresh: came, gone } = this.#compare({ changes, types, before, now });
        for (const file of files) {
          const isIn = (finding: FileDiagnostic) => finding.path === file;
          const present = changes.get(file)?.after ?? types.textOf(file)!;
          const names = { own, past, gone: gone.filter(isIn) };
          const fresh = came.filter((finding) => isIn(finding) && !isOnlyRevealed(finding, present, names));
          const unrelated = fresh.filter((finding) => !isOfTheSameChange(finding, present, names));
          if (unrelated.length > 0) return { kind: "worse", findings: unrelated };
          unfinished.push(...fresh);
          fixedCount += names.gone.length;
          if (file === path)
            left = now.filter((finding) => isIn(finding) && isInLinesOf(edit, present, finding)).length;
        }
      }
      return unfinished.length > 0
        ? { kind: "unfinished", findings: unfinished }
        : { kind: "fits", mended: fixedCount, ...(left > 0 && { left }) };
    } catch (error) {
      signal?.throwIfAborted();
      // A failing checker gives no result; its owner is notified of the failure elsewhere.
      if (error instanceof EmendError) return { kind: "unknown" };
      throw error;
    }
  }

  /** Compares the errors of files with those without the changes. */
  #compare({ changes, types, before, now }: Comparison): ReturnType<OverlayCheck["compare"]> {
    const check = new OverlayCheck({
      ...{ checker: types.view(), before, changed: changes, isApplied: true },
      textOf: (path) => types.textOf(path),
      blocksOf: (path, text) => this.#parts.states.blocksOf(path, text),
      treeOf: () => undefined,
    });
    return check.compare(now);
  }

  /**
   * Whether the type checker reports errors in these files; `false` where no checker knows them or
   * the checker fails. Rejects with the signal's reason on abort.
   */
  async hasErrors(paths: readonly string[], { signal }: AbortOptions = {}): Promise<boolean> {
    const types = this.#parts.types();
    const known = types && paths.filter((path) => types.knows(path));
    if (types === undefined || known === undefined || known.length === 0) return false;
    try {
      const errors = await types.errorsOf(known, { signal });
      const ofLibraries = new LibraryDiagnostics(errors);
      return errors.some((one) => !ofLibraries.has(one));
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof EmendError) return false;
      throw error;
    }
  }

  /**
   * Yields the edited file, then the other changed files, then their dependents. These are computed
   * only where the changed files have no new errors.
   */
  async *#filesToCheck(
    path: string,
    changes: ReadonlyMap<string, PastChange>,
    types: TypeCheckCache,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<readonly string[]> {
    yield [path];
    const others = [...changes.keys()].filter((file) => file !== path);
    if (others.length > 0) yield others;
    await this.#parts.states.prepare(changes, { signal });
    const dependents = this.#dependentsOf(changes).filter((file) => types.knows(file));
    if (dependents.length > 0) yield dependents;
  }

  #dependentsOf(changes: ReadonlyMap<string, PastChange>): readonly string[] {
    const { files, states } = this.#parts;
    const others = new Set<string>();
    for (const [path, { before, after }] of changes) {
      const stateOf = (text: string) => ({ text, blocks: states.blocksOf(path, text) });
      const names = affectedNames(stateOf(before), stateOf(after));
      if (names.size === 0) continue;
      for (const other of dependentFiles({ path, names }, files, maxOthers)) if (!changes.has(other)) others.add(other);
    }
    return [...others].slice(0, maxOthers);
  }
}

/** The errors of some files with changes and without. */
interface Comparison {
  readonly changes: ReadonlyMap<string, PastChange>;
  readonly types: TypeCheckCache;
  readonly before: readonly FileDiagnostic[];
  readonly now: readonly FileDiagnostic[];
}

/** Whether a diagnostic is in a line that an edit changed; `after` is the text after the edit. */
function isInLinesOf(edit: Edit, after: string, { start, end }: TextRange): boolean {
  return edit.rangesAfter().some((range) => {
    const lineEnd = after.indexOf("\n", range.end);
    return start <= (lineEnd < 0 ? after.length : lineEnd) && end > after.lastIndexOf("\n", range.start - 1);
  });
}

/** The names that a change adds and those that it removes. No name is in both sets. */
interface ChangedNames {
  readonly come: ReadonlySet<string>;
  readonly gone: ReadonlySet<string>;
}

/**
 * Returns the names that the replaced and the inserted parts of an edit of `text` do not have in
 * common: those that only come, and those that only go.
 */
export function namesOfEdit(text: string, edit: Edit): ChangedNames {
  return changedNames(
    edit.edits.map(({ start, end }) => text.slice(start, end)),
    edit.edits.map((one) => one.text),
  );
}

/**
 * The names that any of several edits added or removed; a name may be in both sets. `members` has
 * those of them in the position of a member.
 */
interface PastNames extends ChangedNames {
  readonly members: ChangedNames;
}

/**
 * Returns the names that any of these edits added or removed; a name that one edit added and
 * another removed is in both sets.
 */
export function namesOfPast(edits: readonly Pick<PastEdit, "before" | "after">[]): PastNames {
  const all = edits.map(({ before, after }) => changedNames(before, after));
  return { ...together(all), members: together(edits.map(({ before, after }) => changedNames(before, after, member))) };
}

function together(all: readonly ChangedNames[]): ChangedNames {
  return {
    come: new Set(all.flatMap(({ come }) => [...come])),
    gone: new Set(all.flatMap(({ gone }) => [...gone])),
  };
}

/**
 * Whether a diagnostic reports an unresolved name that `own` (the edit under check) and `past`
 * (earlier edits) both add, or both remove the declaration of. `text` is the text that the
 * diagnostic's offsets refer to. The errors of such a change are intermediate: a person who writes
 * a new name in many places declares it, too, and one who removes a declaration removes its uses,
 * but not all at once.
 *
 * For diagnostics about members, only earlier edits of members count: renaming a parameter does not
 * rename a member of the same name.
 */
export function isOfTheSameChange(
  { code, start, end }: Pick<FileDiagnostic, "code" | "start" | "end">,
  text: string,
  { own, past }: { readonly own: ChangedNames; readonly past: PastNames },
): boolean {
  if (!meaninglessCodes.has(code)) return false;
  const name = oneName.exec(text.slice(start, end))?.[1];
  if (name === undefined) return false;
  const { come, gone } = memberCodes.has(code) ? past.members : past;
  return (own.come.has(name) && come.has(name)) || (own.gone.has(name) && gone.has(name));
}

/**
 * Whether a diagnostic was only hidden before: the edit makes an unresolved name resolve, and the
 * diagnostic is about the resolved declaration, in the line of the name. It does
 * not depend on this edit, as where a renamed function also takes another parameter.
 */
function isOnlyRevealed(
  { code, start }: Pick<FileDiagnostic, "code" | "start">,
  text: string,
  { own, gone }: { readonly own: ChangedNames; readonly gone: readonly Pick<FileDiagnostic, "code">[] },
): boolean {
  if (meaninglessCodes.has(code) || !gone.some((one) => meaninglessCodes.has(one.code))) return false;
  const feed = text.indexOf("\n", start);
  const line = text.slice(text.lastIndexOf("\n", start - 1) + 1, feed < 0 ? text.length : feed);
  for (const name of namesIn([line])) if (own.come.has(name)) return true;
  return false;
}

/** TypeScript's codes for a member that does not exist. */
const memberCodes: ReadonlySet<string> = new Set(["2339", "2551"]);
/**
 * TypeScript's codes for an unresolved name, member, export or module. Excess properties of object
 * literals are not included: there the object is at fault.
 */
const meaninglessCodes: ReadonlySet<string> = new Set([
  ...["2304", "2503", "2552", "2662", "2663"],
  ...memberCodes,
  ...["2305", "2614", "2694", "2724"],
  "2307",
]);

function changedNames(before: readonly string[], after: readonly string[], pattern = anyIdentifier): ChangedNames {
  const [old, now] = [namesIn(before, pattern), namesIn(after, pattern)];
  return {
    come: new Set([...now].filter((name) => !old.has(name))),
    gone: new Set([...old].filter((name) => !now.has(name))),
  };
}

function namesIn(texts: readonly string[], pattern = anyIdentifier): ReadonlySet<string> {
  return new Set(texts.flatMap((text) => text.match(pattern) ?? []));
}

/**
 * A name after a dot, or where members are declared: at the start of a line or of braces, or after
 * a modifier.
 */
const member =
  /(?<=(?:^|[.{;#]|\b(?:public|private|protected|readonly|static|override|abstract|declare|accessor|async|get|set))\s*)(?<![\p{ID_Continue}$])[\p{ID_Start}$_][\p{ID_Continue}$]*/gu;

/** A single name, or the last name in a quoted path. */
const oneName =
  /^(?:["'`](?:[^"'`]*?[^"'`\p{ID_Continue}$])?)?#?([\p{ID_Start}$_][\p{ID_Continue}$]*)(?:\.[\p{ID_Continue}]+)?["'`]?$/u;
