import { isScript, type NameTable, type NameUse } from "../../../names/index.ts";
import { Edit, escapedPattern, getOrInsert, nameWords, type TextEdit } from "../../../text/index.ts";
import type { WorkspaceTexts } from "../../engine/text-index.ts";
import type { NextEditContext, Proposal } from "../next-edit-provider.ts";
import type { EditedFile } from "./changed-texts.ts";
import type { MemberOrigin, MemberRename, MemberTargets, Rename } from "./rename.ts";

/** The dependencies of {@link RenamedMembers}. */
export interface RenamedMembersParts {
  /** Returns the renames in the recent edits. */
  renamesAt(context: NextEditContext): FoundRenames;
  tableOf(path: string, language: string, text: string): NameTable | undefined;
  /** Resolves members by a type checker. */
  readonly targets: MemberTargets;
}

/** The renames in the recent edits, and the edited files. */
export interface FoundRenames {
  readonly renames: readonly Rename[];
  readonly edited: readonly EditedFile[];
}

/**
 * Removes from proposed edits the places that refer to another member with the same old name than
 * the renamed one, as far as a type checker can tell.
 *
 * Names that the checker cannot resolve, such as members of `any`, stay. After two different
 * members were renamed in the same way, others may follow, and all places stay.
 */
export class RenamedMembers {
  readonly #parts: RenamedMembersParts;
  readonly #found = new WeakMap<NextEditContext, FoundRenames & { readonly past: ReadonlyMap<string, string> }>();

  constructor(parts: RenamedMembersParts) {
    this.#parts = parts;
  }

  /**
   * Returns the proposal without places of other members; `undefined` where no place is left.
   * Rejects with the signal's reason.
   */
  async without<One extends Proposal>(
    context: NextEditContext,
    proposal: One,
    { signal }: { readonly signal: AbortSignal },
  ): Promise<One | undefined> {
    const { path, edit } = proposal;
    if (edit === undefined || !isScript(path)) return proposal;
    const kept: TextEdit[] = [];
    for (const one of edit.edits) if (!(await this.#isOther(context, path, one, signal))) kept.push(one);
    const [first, last] = [kept[0], kept.at(-1)];
    if (first === undefined || last === undefined) return undefined;
    if (kept.length === edit.edits.length) return proposal;
    return { ...proposal, edit: Edit.of(kept), place: { start: first.start, end: last.end } };
  }

  async #isOther(context: NextEditContext, path: string, edit: TextEdit, signal: AbortSignal): Promise<boolean> {
    const text = context.files.textOf(path);
    if (text === undefined) return false;
    const { renames, edited, past } = this.#renamesAt(context);
    const replaced = text.slice(edit.start, edit.end);
    const table = this.#parts.tableOf(path, context.files.languageOf(path), text);
    const file = edited.find((one) => one.path === path);
    for (const { from, to, origins } of memberRenames(renames)) {
      if (!replaced.includes(from) || !edit.text.includes(to)) continue;
      const uses = table?.named(from).filter((use) => isMemberUse(use) && isWithin(use, edit)) ?? [];
      if (uses.length === 0) continue;
      const target = await this.#parts.targets.targetIn({ name: from, origins, path, past }, { signal });
      if (target === undefined || target.renamedCount > 1) continue;
      for (const use of uses) {
        const start = file === undefined ? use.start : file.startBefore(use);
        if (start === undefined) continue;
        const isMeant = target.of(start) ?? (isOwnDeclaration(use) ? false : undefined);
        if (isMeant === false) return true;
      }
    }
    return false;
  }

  #renamesAt(context: NextEditContext) {
    return getOrInsert(this.#found, context, () => {
      const { renames, edited } = this.#parts.renamesAt(context);
      return { renames, edited, past: new Map(edited.map(({ path, before }) => [path, before])) };
    });
  }
}

/**
 * Groups renamed members by old and new name, with all places where they were. Private `#` names
 * are left out, because they exist in their class alone.
 */
function memberRenames(renames: readonly Rename[]) {
  const groups = new Map<string, { readonly from: string; readonly to: string; readonly origins: MemberOrigin[] }>();
  for (const rename of renames) {
    if (rename.kind !== "member" || rename.from.startsWith("#")) continue;
    const { from, to, origins } = rename;
    const key = `${from} ${to}`;
    const group = groups.get(key) ?? { from, to, origins: [] };
    group.origins.push(...origins);
    groups.set(key, group);
  }
  return groups.values();
}

function isMemberUse({ role }: NameUse): boolean {
  return role === "member" || role === "key" || role === "member-declares";
}

/**
 * Whether a use is a declaration for which the checker has no reference unless it overrides another
 * one.
 */
function isOwnDeclaration({ role, owner }: NameUse): boolean {
  return role === "member-declares" || (role === "key" && owner?.kind === "here");
}

function isWithin(use: NameUse, { start, end }: TextEdit): boolean {
  return start <= use.start && use.end <= end;
}

/** The most files that are read before a name counts as common. */
const maxFiles = 60;

/**
 * Estimates the likelihood that a member with an unknown owner is the renamed one, by how many
 * other declarations of the name remain. Valid for one state of the workspace.
 */
export class UnresolvedMembers {
  readonly #parts: { readonly files: WorkspaceTexts; textOf(path: string): string | undefined };
  readonly #known = new Map<string, number>();

  constructor(parts: { readonly files: WorkspaceTexts; textOf(path: string): string | undefined }) {
    this.#parts = parts;
  }

  /** Returns the likelihood, in [0, 1]. */
  of({ from, isDeclared }: MemberRename): number {
    return getOrInsert(this.#known, from, () => this.#guess(from, isDeclared ? 0 : 1));
  }

  #guess(name: string, own: number): number {
    // A private name is visible in its class only.
    if (name.startsWith("#")) return 1;
    if (common.has(name)) return 0.1;
    const paths = this.#parts.files.containing([name]);
    if (paths.length > maxFiles) return 0.1;
    const declared = new RegExp(
      `(?:^|[{;,(])[ \\t]*(?:(?:public|private|protected|static|readonly|abstract|override|async|get|set|declare)[ \\t]+)*${escapedPattern(name)}[?!]?\\s*(?::|\\((?=[^()]*\\)\\s*[:{])|<)`,
      "gm",
    );
    let others = 0;
    for (const path of paths) others += this.#parts.textOf(path)?.match(declared)?.length ?? 0;
    const rest = Math.max(0, others - own);
    const words = nameWords(name).length;
    const byCount = rest === 0 ? 0.85 : rest === 1 ? 0.5 : rest < 4 ? 0.3 : 0.15;
    return words > 1 || rest === 0 ? byCount : byCount * 0.7;
  }
}

/** Members of built-in objects. Source: ECMA-262, and the most common ones of the DOM. */
const common: ReadonlySet<string> = new Set(
  (
    "length name message stack cause push pop shift unshift slice splice concat join reverse sort map filter reduce forEach find findIndex some every " +
    "includes indexOf lastIndexOf keys values entries get set has add delete clear size then catch finally call apply bind toString valueOf constructor " +
    "prototype next return throw done value test exec match replace split trim start end index input log error warn info debug resolve reject all race " +
    "parse stringify id type data target key code event parent children node path text on off emit close open read write"
  ).split(" "),
);
