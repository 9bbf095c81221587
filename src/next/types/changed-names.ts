import type { TypeFinding } from "../../codebase/index.ts";
import type { PastEdit } from "../../context/index.ts";
import type { Edit } from "../../text/index.ts";

/** The words that come with a change and those that go with it, none of them on both sides. */
export interface ChangedNames {
  readonly come: ReadonlySet<string>;
  readonly gone: ReadonlySet<string>;
}

/** The names that an edit of a text writes or takes away. */
export function namesOfEdit(text: string, edit: Edit): ChangedNames {
  return changedNames(
    edit.edits.map(({ start, end }) => text.slice(start, end)),
    edit.edits.map((one) => one.text),
  );
}

/** The names that one or another of some edits wrote or took away, and those of them that stood where members do. */
export interface PastNames extends ChangedNames {
  readonly members: ChangedNames;
}

/** The names of edits that were made. */
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
 * Whether a complaint says that a name means nothing, which an edit writes, or of which it takes the meaning away, just as edits before it did. Whoever writes a name in many places
 * declares it there too, and who takes its declaration away takes its uses away, but not all at once. Who renames a parameter says nothing of a member of that name.
 */
export function isOfTheSameChange(
  { code, start, end }: Pick<TypeFinding, "code" | "start" | "end">,
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
 * Whether a complaint was only hidden before: an edit gives a name a meaning again, and what is wrong with that meaning is complained of where the name stands. It is there whoever
 * writes the name, as where a function was renamed and takes another parameter.
 */
export function isLaidBare(
  { code, start }: Pick<TypeFinding, "code" | "start">,
  text: string,
  { come, gone }: { readonly come: ReadonlySet<string>; readonly gone: readonly Pick<TypeFinding, "code">[] },
): boolean {
  if (meaninglessCodes.has(code) || !gone.some((one) => meaninglessCodes.has(one.code))) return false;
  const feed = text.indexOf("\n", start);
  const line = text.slice(text.lastIndexOf("\n", start - 1) + 1, feed < 0 ? text.length : feed);
  for (const name of namesIn([line])) if (come.has(name)) return true;
  return false;
}

/** TypeScript's complaints that a member is not there. */
const memberCodes: ReadonlySet<string> = new Set(["2339", "2551"]);
/** Those that a name, a member, an export or a module is not there. Of an object that may not say a property the object is at fault. */
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

/** A name behind a dot, or where members are declared: at the begin of a line or of braces, or behind what is said of a member. */
const member =
  /(?<=(?:^|[.{;#]|\b(?:public|private|protected|readonly|static|override|abstract|declare|accessor|async|get|set))\s*)(?<![\p{ID_Continue}$])[\p{ID_Start}$_][\p{ID_Continue}$]*/gu;

/** A name and nothing else, or the last of those that a path in quotes is made of. */
const oneName = /^(?:["'`][^"'`]*?)?#?([\p{ID_Start}$_][\p{ID_Continue}$]*)(?:\.[\p{ID_Continue}]+)?["'`]?$/u;
