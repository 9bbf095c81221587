import type { AbortOptions } from "../../../async/index.ts";
import type { NameUse, SharedForm, TemplateForm } from "../../../names/index.ts";
import type { TextEdit } from "../../../text/index.ts";

/** A renamed name, or a moved module. */
export type Rename = BindingRename | ModuleRename | MemberRename | RepeatedRename | MovedModule;

export interface RenameParts {
  readonly from: string;
  readonly to: string;
  readonly evidence: RenameEvidence;
  /** The edits that are evidence for it, the newest first; see `renameChains`. */
  readonly edits: readonly string[];
}

/** A renamed declaration of a scope in a file. */
export interface BindingRename extends RenameParts {
  readonly kind: "binding";
  readonly path: string;
  /** The scope, as an index in the present table of the file. */
  readonly scope: number;
  /**
   * Whether the new name is declared; otherwise only uses have it, and the declaration is still to
   * be renamed.
   */
  readonly isDeclared: boolean;
  /** What declares it, in the words of the readers. */
  readonly declares: string;
  /** The offsets, in the present text, of uses of it that now refer to another declaration. */
  readonly capturedUses: ReadonlySet<number>;
}

/** A renamed export of a module; it concerns everything that imports it by the old name. */
export interface ModuleRename extends RenameParts {
  readonly kind: "module";
  /**
   * The file that exports it; or a module name outside the workspace and a file that imports from
   * it.
   */
  readonly module: { readonly path: string } | { readonly specifier: string; readonly from: string };
}

/** A renamed member of a class, a type, an enum or an object. */
export interface MemberRename extends RenameParts {
  readonly kind: "member";
  /** The name of its owner, where it has one, and the file. */
  readonly owner?: string;
  readonly path: string;
  /** Whether the new name is declared. */
  readonly isDeclared: boolean;
  /** Whether it is private or protected, so that no object literal has it. */
  readonly isHidden: boolean;
  /** Where the old name was, in the texts before the edits. */
  readonly origins: readonly MemberOrigin[];
}

/**
 * A module that moved, or some of its exports that did; `from` and `to` are the last steps of its
 * names.
 */
export interface MovedModule extends RenameParts {
  readonly kind: "moved";
  /** The new path of the file, or the file that imports it. */
  readonly path: string;
  /** The path of a file without its extension, or a module name outside the workspace. */
  readonly old: { readonly path: string } | { readonly specifier: string };
  /** The new file or module name. */
  readonly now: { readonly path: string } | { readonly specifier: string };
  /** The exports that moved. Absent means the whole module. */
  readonly names?: readonly string[];
}

/**
 * A name that was renamed in many places, each in its own scope, such as the same parameter of many
 * functions.
 */
export interface RepeatedRename extends RenameParts {
  readonly kind: "habit";
  /** The file of the newest example. */
  readonly path: string;
  /** What declares it, in the words of the readers. */
  readonly declares: string;
  /**
   * How many were renamed and how many passed over, by the name of the surrounding code; the empty
   * name counts all.
   */
  readonly byHost: ReadonlyMap<string, RepeatedRenameCount>;
}

/** How often a name was renamed, and how often it was passed over. */
export interface RepeatedRenameCount {
  readonly renamed: number;
  readonly passed: number;
}

/** Returns a key that is equal for equal renames. */
export function renameKey(rename: Rename): string {
  const names = `${rename.from} ${rename.to}`;
  if (rename.kind === "binding") return `binding ${names} ${rename.path} ${rename.scope}`;
  if (rename.kind === "member") return `member ${names} ${rename.owner ?? ""}`;
  if (rename.kind === "habit") return `habit ${names} ${rename.declares}`;
  if (rename.kind === "moved") return `moved ${JSON.stringify([rename.old, rename.now, rename.names])}`;
  return `module ${names} ${"path" in rename.module ? rename.module.path : rename.module.specifier}`;
}

/**
 * Counts the owners whose member was renamed in the same way; for edits without a known owner, each
 * edit counts.
 */
export function memberExamples({ from, to }: MemberRename, all: readonly Rename[]): number {
  return all.reduce((sum, one) => {
    if (one.kind !== "member" || one.from !== from || one.to !== to) return sum;
    return sum + (one.owner === undefined ? one.evidence.examples : 1);
  }, 0);
}

/** The evidence for a rename in the edits. */
export interface RenameEvidence {
  readonly sign: RenameSign;
  /** The number of edits that replaced the old name by the new one. */
  readonly examples: number;
  /** The number of them that changed names and nothing else. */
  readonly wholes: number;
  /**
   * The share of the lines around the name that stayed, in [0, 1], in the edit where it is highest.
   */
  readonly kept: number;
  /** The number of edits since the last one that is evidence. */
  readonly since: number;
  /** For imports: whether the name is imported from another module now. */
  readonly isMoved: boolean;
  /** The number of other names that replaced the same one. */
  readonly rivals: number;
}

/**
 * What has the new name.
 *
 * - `declared`: the declaration; nothing around it has the old name any more. `parameter`,
 * `import`: the same for those.
 * - `used`: a use, while the declaration still has the old name. `newly-used`: the same, and no
 * other file contains the new name.
 * - `mended`: a use that did not resolve before and does now.
 * - `missing-export`: an import of a name that its module does not export yet.
 * - `derived`: other names that contain the same words.
 * - `habit`: other declarations of the same name, each in its own scope.
 */
export type RenameSign =
  | "declared"
  | "parameter"
  | "import"
  | "used"
  | "newly-used"
  | "mended"
  | "missing-export"
  | "derived"
  | "habit";

/** The signs, the strongest first. */
const strength: readonly RenameSign[] = [
  "declared",
  "import",
  "parameter",
  "newly-used",
  "mended",
  "used",
  "missing-export",
  "habit",
];

/** Combines the evidence of two edits: the stronger sign, and the sums of their examples. */
export function joinedEvidence(one: RenameEvidence, other: RenameEvidence): RenameEvidence {
  return {
    sign: strength.indexOf(one.sign) <= strength.indexOf(other.sign) ? one.sign : other.sign,
    examples: one.examples + other.examples,
    wholes: one.wholes + other.wholes,
    kept: Math.max(one.kept, other.kept),
    since: Math.min(one.since, other.since),
    isMoved: one.isMoved && other.isMoved,
    rivals: Math.max(one.rivals, other.rivals),
  };
}

/** A name in the text of a file; `start` is its offset. */
export interface MemberPlace {
  readonly path: string;
  readonly start: number;
}

/** Where a renamed member was named: its declaration or a use. */
export interface MemberOrigin extends MemberPlace {
  readonly isUse: boolean;
}

/**
 * Which names in one file refer to a renamed member. Offsets refer to the text before the edits.
 */
export interface MemberTarget {
  /** The number of renamed members; a member and what it overrides count as one. */
  readonly renamedCount: number;
  /**
   * Whether the name that begins at `start` refers to a renamed member; `undefined` where the type
   * checker cannot tell.
   */
  of(start: number): boolean | undefined;
}

/** The input of {@link MemberTargets.targetIn}. */
export interface MemberQuestion {
  readonly name: string;
  /** Where members of this name were renamed, all to the same new name. */
  readonly origins: readonly MemberOrigin[];
  /** The file whose names are resolved. */
  readonly path: string;
  /** The texts of the edited files before the edits. */
  readonly past: ReadonlyMap<string, string>;
}

/** Decides by a type checker which members of a name are the renamed one. */
export interface MemberTargets {
  /**
   * Resolves to `undefined` where the checker does not know the file or does not answer. Rejects
   * with the signal's reason.
   */
  targetIn(question: MemberQuestion, options: AbortOptions): Promise<MemberTarget | undefined>;
}

/** Whether a name is in a form of templates. */
export function isTemplateForm(form: SharedForm | undefined): form is TemplateForm {
  return form?.startsWith("vue-") === true || form?.startsWith("svelte-") === true;
}

/**
 * Returns the edit that renames a use in a form of templates; `undefined` where the form cannot
 * have the new name. The attribute keeps its own name, unless `isKeyToo`.
 */
export function renameInTemplate(
  { name, start, end }: NameUse,
  form: TemplateForm,
  to: string,
  isKeyToo: boolean,
): TextEdit | undefined {
  switch (form) {
    case "vue-tag":
      // Without a hyphen it could be the name of an HTML element.
      return { start, end, text: /.[A-Z]/.test(to) ? hyphenated(to) : to };
    case "vue-directive":
      return /^v[A-Z]/.test(to) ? { start, end, text: hyphenated(to).slice(2) } : undefined;
    default:
      if (isKeyToo) return { start, end, text: to };
      if (form === "svelte-attribute") return { start: start - 1, end, text: `${name}={${to}` };
      return { start: end, end, text: form === "vue-attribute" ? `="${to}"` : `={${to}}` };
  }
}

/** How a template of Vue may write the name of a component or a directive: `MyBox` as `my-box`. */
export function hyphenated(name: string): string {
  return name.replace(/\B[A-Z]/g, "-$&").toLowerCase();
}
