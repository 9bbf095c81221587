import type { RenameEvidence } from "./rename-evidence.ts";

/** A name that became another one. */
export type Rename = BindingRename | ModuleRename | MemberRename | HabitRename | MovedModule;

interface RenameParts {
  readonly from: string;
  readonly to: string;
  readonly evidence: RenameEvidence;
  /** The newest edit that speaks for it; renames of one edit are one thing. */
  readonly edit: string;
}

/** Something that a scope of a file makes known. */
export interface BindingRename extends RenameParts {
  readonly kind: "binding";
  readonly path: string;
  /** The scope, as an index in the present table of the file. */
  readonly scope: number;
  /** Whether the new name is declared by now; else only uses have it, and the declaration is still to be renamed. */
  readonly isDeclared: boolean;
  /** What declares it, in the words of the readers. */
  readonly declares: string;
  /** Where uses of it stand that mean something else by now, in the present text. */
  readonly strays: ReadonlySet<number>;
}

/** Something that a module exports: all that is imported from it by the old name is meant. */
export interface ModuleRename extends RenameParts {
  readonly kind: "module";
  /** The file that exports it; or the name of a package that is none of the workspace's, and a file that asks it for something. */
  readonly module: { readonly path: string } | { readonly specifier: string; readonly from: string };
}

/** A member of a class, a type, an enum or an object. */
export interface MemberRename extends RenameParts {
  readonly kind: "member";
  /** What its owner is called, where it has a name, and in which file it is. */
  readonly owner?: string;
  readonly path: string;
  /** Whether the new name is declared by now. */
  readonly isDeclared: boolean;
  /** Whether only its owner knows it, so that no object is made with it. */
  readonly isHidden: boolean;
}

/** A module that is elsewhere now, or some of what it exports: `from` and `to` are the last steps of its names. */
export interface MovedModule extends RenameParts {
  readonly kind: "moved";
  /** The file that is another one now, or that asks for it. */
  readonly path: string;
  /** Paths of files without their endings, or the names that a module has and is none of the workspace's. */
  readonly old: { readonly path: string } | { readonly specifier: string };
  /** The file, or the name. */
  readonly now: { readonly path: string } | { readonly specifier: string };
  /** What of it is elsewhere; all of it unless told. */
  readonly names?: readonly string[];
}

/** What is called so in many places, each in its own scope, such as the same parameter of many functions. */
export interface HabitRename extends RenameParts {
  readonly kind: "habit";
  /** The file of the newest example. */
  readonly path: string;
  /** What declares it, in the words of the readers. */
  readonly declares: string;
  /** What was renamed so, and what was passed over, by what the code around is called; the empty name stands for all. */
  readonly byHost: ReadonlyMap<string, HabitCount>;
}

/** How often something was renamed, and how often it was passed over. */
export interface HabitCount {
  readonly renamed: number;
  readonly passed: number;
}

/** Names a rename: two with the same key are one. */
export function renameKey(rename: Rename): string {
  const names = `${rename.from} ${rename.to}`;
  if (rename.kind === "binding") return `binding ${names} ${rename.path} ${rename.scope}`;
  if (rename.kind === "member") return `member ${names} ${rename.owner ?? ""}`;
  if (rename.kind === "habit") return `habit ${names} ${rename.declares}`;
  if (rename.kind === "moved") return `moved ${JSON.stringify([rename.old, rename.now, rename.names])}`;
  return `module ${names} ${"path" in rename.module ? rename.module.path : rename.module.specifier}`;
}

/** How many things of their own have a member that was renamed alike: each owner counts once, and each edit that tells of none. */
export function memberExamples({ from, to }: MemberRename, all: readonly Rename[]): number {
  return all.reduce((sum, one) => {
    if (one.kind !== "member" || one.from !== from || one.to !== to) return sum;
    return sum + (one.owner === undefined ? one.evidence.examples : 1);
  }, 0);
}
