import type { NameTable } from "../../../names/index.ts";
import { type PartChange, tryChangePart, tryPartChange } from "../part-change.ts";
import type { EditedFile } from "./changed-texts.ts";
import { type BindingRename, joinedEvidence, type Rename } from "./rename.ts";
import type { ReplacedWord } from "./word-changes.ts";

/** The dependencies of {@link derivedRenames}. */
interface DerivedQuestions {
  tableOf(path: string, text: string): NameTable | undefined;
}

/**
 * How many names must have had the same words replaced before other names follow, and how many
 * letters the words must have.
 */
const minNames = 2;
const minLetters = 4;

/**
 * Yields renames of names that contain words which other names had replaced: after `openCart` and
 * `Cart`, `cartSize`.
 */
export function* derivedRenames(
  renames: readonly Rename[],
  edited: readonly EditedFile[],
  questions: DerivedQuestions,
): Generator<BindingRename> {
  const known = new Set(renames.map(({ from }) => from));
  for (const { change, examples } of partChanges(renames)) {
    const { edits, evidence: first } = examples[0]!;
    const joined = examples.slice(1).reduce((sum, one) => joinedEvidence(sum, one.evidence), first);
    const evidence = { ...joined, sign: "derived", examples: examples.length } as const;
    const others = edited.flatMap((file) => namesWith(change, file, questions)).filter(({ name }) => !known.has(name));
    // Names above an edit were seen by the person and left unchanged.
    const passed = others.filter(({ isAbove }) => isAbove).length;
    if (passed * 2 >= examples.length) continue;
    for (const { path, name, to, scope, kind } of others) {
      yield {
        ...{ kind: "binding", path, scope, isDeclared: false, declares: kind, capturedUses: new Set<number>() },
        ...{ from: name, to, edits, evidence },
      };
    }
  }
}

/**
 * Returns the declarations of a file whose name contains the words of a change, with the new name.
 */
function namesWith(change: PartChange, { path, text, edits }: EditedFile, questions: DerivedQuestions) {
  const table = text.toLowerCase().includes(change.from[0]!) ? questions.tableOf(path, text) : undefined;
  const last = Math.max(...edits.map(({ afterStart }) => afterStart));
  return (table?.bindings ?? []).flatMap(({ name, scope, kind, imported }, index) => {
    const to = imported === undefined ? tryChangePart(name, change) : undefined;
    // A name that already contains the new words is not changed.
    if (to === undefined || change.to.every((word) => name.toLowerCase().includes(word))) return [];
    const declared = table!.named(name).find(({ role, binding }) => role === "declares" && binding === index);
    return [{ path, name, to, scope, kind, isAbove: (declared?.start ?? 0) < last }];
  });
}

/**
 * Returns a key for the change of words between two names; `undefined` where no words were replaced
 * or the replaced ones have fewer than four letters.
 */
export function partKey(from: string, to: string): string | undefined {
  const change = tryPartChange(from, to);
  if (change === undefined || change.from.join("").length < minLetters) return undefined;
  return `${change.from.join(" ")} > ${change.to.join(" ")}`;
}

/**
 * Returns the keys ({@link partKey}) of the changes that at least two different names had, so that
 * others may follow.
 */
export function repeatedParts(replaced: readonly ReplacedWord[]): ReadonlySet<string> {
  const names = new Map<string, Set<string>>();
  for (const { before, after } of replaced) {
    const key = partKey(before.word, after.word);
    if (key !== undefined) names.set(key, (names.get(key) ?? new Set()).add(before.word));
  }
  return new Set([...names.keys()].filter((key) => names.get(key)!.size >= minNames));
}

/** Groups the renames that changed the same words. */
function partChanges(
  renames: readonly Rename[],
): { readonly change: PartChange; readonly examples: readonly Rename[] }[] {
  const groups = new Map<string, { readonly change: PartChange; readonly examples: Map<string, Rename> }>();
  for (const rename of renames) {
    if (rename.kind === "habit" || !isSure.has(rename.evidence.sign)) continue;
    const key = partKey(rename.from, rename.to);
    if (key === undefined) continue;
    const change = tryPartChange(rename.from, rename.to)!;
    const group = groups.get(key) ?? { change, examples: new Map<string, Rename>() };
    if (!group.examples.has(rename.from)) group.examples.set(rename.from, rename);
    groups.set(key, group);
  }
  return [...groups.values()]
    .filter(({ examples }) => examples.size >= minNames)
    .map(({ change, examples }) => ({ change, examples: [...examples.values()] }));
}

const isSure: ReadonlySet<string> = new Set(["declared", "parameter", "import"]);
