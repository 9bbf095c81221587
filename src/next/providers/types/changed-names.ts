import type { TypeDiagnostic } from "../../../codebase/index.ts";
import type { PastEdit } from "../../../context/index.ts";
import type { Edit } from "../../../text/index.ts";

/** The names that a change adds and those that it removes. No name is in both sets. */
export interface ChangedNames {
  readonly come: ReadonlySet<string>;
  readonly gone: ReadonlySet<string>;
}

/** Returns the names that an edit adds to a text or removes from it. */
export function namesOfEdit(text: string, edit: Edit): ChangedNames {
  return changedNames(
    edit.edits.map(({ start, end }) => text.slice(start, end)),
    edit.edits.map((one) => one.text),
  );
}

/**
 * The names that any of several edits added or removed; `members` has those of them in the position
 * of a member.
 */
export interface PastNames extends ChangedNames {
  readonly members: ChangedNames;
}

/** Returns the names that edits of the history added or removed. */
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
 * (earlier edits) both add, or both remove the declaration of. The errors of such a change are
 * intermediate: a person who writes a new name in many places declares it, too, and one who removes
 * a declaration removes its uses, but not all at once.
 *
 * For diagnostics about members, only earlier edits of members count: renaming a parameter does not
 * rename a member of the same name.
 */
export function isOfTheSameChange(
  { code, start, end }: Pick<TypeDiagnostic, "code" | "start" | "end">,
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
export function isLaidBare(
  { code, start }: Pick<TypeDiagnostic, "code" | "start">,
  text: string,
  { come, gone }: { readonly come: ReadonlySet<string>; readonly gone: readonly Pick<TypeDiagnostic, "code">[] },
): boolean {
  if (meaninglessCodes.has(code) || !gone.some((one) => meaninglessCodes.has(one.code))) return false;
  const feed = text.indexOf("\n", start);
  const line = text.slice(text.lastIndexOf("\n", start - 1) + 1, feed < 0 ? text.length : feed);
  for (const name of namesIn([line])) if (come.has(name)) return true;
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

function changedNames(before: readonly string[], after: readonly string[], pattern = anyName): ChangedNames {
  const [old, now] = [namesIn(before, pattern), namesIn(after, pattern)];
  return {
    come: new Set([...now].filter((name) => !old.has(name))),
    gone: new Set([...old].filter((name) => !now.has(name))),
  };
}

function namesIn(texts: readonly string[], pattern = anyName): ReadonlySet<string> {
  return new Set(texts.flatMap((text) => text.match(pattern) ?? []));
}

const anyName = /[\p{ID_Start}$_][\p{ID_Continue}$]*/gu;

/**
 * A name after a dot, or where members are declared: at the start of a line or of braces, or after
 * a modifier.
 */
const member =
  /(?<=(?:^|[.{;#]|\b(?:public|private|protected|readonly|static|override|abstract|declare|accessor|async|get|set))\s*)(?<![\p{ID_Continue}$])[\p{ID_Start}$_][\p{ID_Continue}$]*/gu;

/** A single name, or the last name in a quoted path. */
const oneName =
  /^(?:["'`](?:[^"'`]*?[^"'`\p{ID_Continue}$])?)?#?([\p{ID_Start}$_][\p{ID_Continue}$]*)(?:\.[\p{ID_Continue}]+)?["'`]?$/u;
