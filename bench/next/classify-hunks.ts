import { type CommitFile, isSource, linesOf } from "./commit-hunks.ts";
import { type FileTokens, type HunkPart, hunkParts } from "./hunk-parts.ts";
import { tokensOf } from "./hunk-words.ts";
import { Brackets } from "./signatures.ts";

/**
 * Why a hunk could be known from hunks before it. `bench/README.md` has the definitions in
 * words.
 */
export type HunkKind =
  /** All that changes in it are names, each as a hunk before changed it. */
  | "rename"
  /**
   * It changes the arguments or parameters of a name only whose parameters a hunk before changed.
   */
  | "signature"
  /** It changes or takes out what a hunk before did, the same way. */
  | "repeat"
  /** It puts in, and takes nothing out, what a hunk before did. */
  | "repeated-insertion";

export const hunkKinds: readonly HunkKind[] = ["rename", "signature", "repeat", "repeated-insertion"];

/**
 * The kind of each hunk, in the order of the diff; `undefined` for those that no earlier hunk
 * determines.
 *
 * It looks at words and marks alone, and at all hunks before in the order of the diff. It shares
 * nothing with what proposes edits.
 */
export function classifyHunks(files: readonly CommitFile[]): (HunkKind | undefined)[] {
  const known = new EarlierHunks();
  const kinds: (HunkKind | undefined)[] = [];
  for (const file of files) {
    const tokens = { before: tokensOf(linesOf(file.before)), after: tokensOf(linesOf(file.after)) };
    const brackets = { before: new Brackets(tokens.before), after: new Brackets(tokens.after) };
    const isWhole = file.before === undefined || file.after === undefined;
    for (const { beforeStart, before, afterStart, after } of file.hunks) {
      const lines = {
        ...{ beforeStart, beforeEnd: beforeStart + before.length },
        ...{ afterStart, afterEnd: afterStart + after.length },
      };
      const parts = hunkParts(tokens, lines);
      const hunk = { parts, tokens, brackets, words: new Set(tokensOf(before).map(({ text }) => text)) };
      // A file that comes or goes as a whole follows from nothing, and what is no code is not
      // requested.
      kinds.push(isWhole || !isSource(file.path) ? undefined : known.kindOf(hunk));
      known.add(hunk, isWhole);
    }
  }
  return kinds;
}

interface Hunk {
  readonly parts: readonly HunkPart[];
  readonly tokens: FileTokens;
  readonly brackets: { readonly before: Brackets; readonly after: Brackets };
  /** The tokens of its old lines. */
  readonly words: ReadonlySet<string>;
}

class EarlierHunks {
  /** Names that became others: `old new`. */
  readonly #renamed = new Set<string>();
  readonly #parts = new Map<string, HunkPart[]>();
  readonly #hunks: (readonly HunkPart[])[] = [];
  /** Names of functions with other parameters than before. */
  readonly #signatures = new Set<string>();

  kindOf(hunk: Hunk): HunkKind | undefined {
    const changing = hunk.parts.filter(hasContent);
    if (changing.length === 0) return undefined;
    if (changing.every(isRename) && changing.every((part) => this.#renamed.has(partKey(part)))) return "rename";
    if (hunk.parts.every((part) => this.#isOfSignature(hunk, part))) return "signature";
    if (!hunk.parts.every((part) => this.#isKnown(part, hunk)) && !this.#hunks.some((one) => isSameButNames(one, hunk)))
      return undefined;
    return hunk.parts.some(({ deleted }) => deleted.length > 0) ? "repeat" : "repeated-insertion";
  }

  add({ parts, brackets }: Hunk, isWhole: boolean): void {
    this.#hunks.push(parts);
    for (const part of parts) {
      const key = partKey(part);
      const same = this.#parts.get(key);
      if (same === undefined) this.#parts.set(key, [part]);
      else same.push(part);
      const [old, fresh] = [part.deleted.filter(isName), part.inserted.filter(isName)];
      if (old.length === 1 && fresh.length === 1) this.#renamed.add(`${old[0]} > ${fresh[0]}`);
      if (isWhole) continue;
      for (const side of ["before", "after"] as const) {
        for (const { name, at, isDeclared } of namesAround(brackets[side], part[side])) {
          if (isDeclared && !isChanged(parts, side, at)) this.#signatures.add(name);
        }
      }
    }
  }

  /**
   * Whether the part lies in the brackets of a name whose parameters changed, and that name stays.
   */
  #isOfSignature({ parts, brackets }: Hunk, part: HunkPart): boolean {
    return (["before", "after"] as const).every((side) => {
      if (part[side].start === part[side].end) return true;
      return namesAround(brackets[side], part[side]).some(
        ({ name, at }) => this.#signatures.has(name) && !isChanged(parts, side, at),
      );
    });
  }

  /**
   * Whether a part of a hunk before is the same, at a place that is as like as it has to be: the
   * less a change contains, the more alike its place must be.
   */
  #isKnown(part: HunkPart, { words }: Hunk): boolean {
    const same = this.#parts.get(partKey(part)) ?? [];
    if (!hasContent(part) || part.deleted.some(isName)) return same.length > 0;
    // Whole lines stand before a keyword, such as an import before the next; within a line only a
    // name identifies the place.
    return same.some((other) => hasSameWordBeside(part, other, words.size === 0 ? isWord : isName));
  }
}

/** The names whose brackets all of these tokens stand in. */
function namesAround(brackets: Brackets, { start, end }: HunkPart["before"]) {
  if (start === end) return [];
  const last = new Set(brackets.callsAround(end - 1).map(({ at }) => at));
  return brackets.callsAround(start).filter(({ at }) => last.has(at));
}

function isChanged(parts: readonly HunkPart[], side: "before" | "after", index: number): boolean {
  return parts.some((part) => part[side].start <= index && index < part[side].end);
}

/**
 * Whether two hunks change the same but for names, each of which replaces one other, and none of
 * which comes from nowhere.
 */
function isSameButNames(earlier: readonly HunkPart[], { parts, words }: Hunk): boolean {
  // No earlier line determines which of many like lines are taken out.
  if (earlier.length !== parts.length || parts.every(({ inserted }) => inserted.length === 0)) return false;
  const to = new Map<string, string>();
  const from = new Map<string, string>();
  let isComparable = false;
  for (const [index, part] of parts.entries()) {
    const other = earlier[index]!;
    isComparable ||= hasContent(part) && hasSameWordBeside(part, other, isName);
    for (const side of ["deleted", "inserted"] as const) {
      if (part[side].length !== other[side].length) return false;
      for (const [i, text] of part[side].entries()) {
        const old = other[side][i]!;
        if (old !== text && !(isValue(old) && isValue(text))) return false;
        if ((to.get(old) ?? text) !== text || (from.get(text) ?? old) !== old) return false;
        if (old !== text && !words.has(text)) return false;
        to.set(old, text);
        from.set(text, old);
        isComparable ||= old === text && isName(text) && side === "deleted";
      }
    }
  }
  return isComparable;
}

/** Whether the nearest word on one side is the same, and identifies the place. */
function hasSameWordBeside(one: HunkPart, other: HunkPart, identifiesPlace: (word: string) => boolean): boolean {
  return (["wordBefore", "wordAfter"] as const).some((side) => one[side] === other[side] && identifiesPlace(one[side]));
}

/** Whether one name, and nothing else, becomes another. */
function isRename({ deleted, inserted }: HunkPart): boolean {
  return deleted.length === 1 && inserted.length === 1 && isName(deleted[0]!) && isName(inserted[0]!);
}

/**
 * Whether it is more than brackets, quotes, the text between the items of a list, and the marks of
 * comments.
 */
function hasContent({ deleted, inserted }: HunkPart): boolean {
  return [...deleted, ...inserted].some((text) => !/^[,;()[\]{}'"`/*#]$/.test(text));
}

function partKey({ deleted, inserted }: HunkPart): string {
  return `${deleted.join(" ")} > ${inserted.join(" ")}`;
}

function isWord(text: string): boolean {
  return text !== "";
}

function isName(text: string): boolean {
  return /^[\p{L}_$]/u.test(text) && !keywords.has(text);
}

/** A name or a number: what may differ where two changes are the same. */
function isValue(text: string): boolean {
  return isName(text) || /^\d/.test(text);
}

/**
 * Words that are no one's name in most languages; not those that are methods' names as often, such
 * as `get`.
 */
const keywords = new Set(
  `abstract any as async await boolean break case catch class const continue def default delete do else enum export extends
  false finally fn for func function if implements import in instanceof interface is keyof let nil None null number
  override private protected public readonly return self static string super switch this throw true True False try
  typeof undefined unknown var void while with yield`.split(/\s+/),
);
