import type { TextGuide } from "./text-guide.ts";
/** What may stand behind a dot. */
export type MemberAnswer =
  /** These names, which are those of `of`: a type or a namespace, as it is printed for a person. */
  | { readonly kind: "names"; readonly of: string; readonly names: readonly string[] }
  /** Any name, as far as types tell; or no member is there. */
  | { readonly kind: "any" }
  /** Unknown, for this reason. */
  | { readonly kind: "unknown"; readonly why: string };

/** Knows the types of a text: of the text before a dot the members. */
export interface MemberSource {
  /**
   * The names that may stand between `before`, which ends behind a dot and white space, and
   * `behind`. Never rejects.
   */
  membersBetween(before: string, behind: string): Promise<MemberAnswer>;
}

/** A name that is no member of the text before its dot. */
export interface UnknownMember {
  /**
   * Where the name begins, in UTF-16 units from the start of the answer; below 0 where it begins
   * before the hole.
   */
  readonly offset: number;
  readonly name: string;
  /** Whose member it is not. */
  readonly of: string;
  /** Those that there are, sorted. */
  readonly names: readonly string[];
}

/** What {@link Members} judge. */
export interface MembersOptions {
  /** The text before the hole. */
  readonly before: string;
  /** The text behind it. */
  readonly behind: string;
  readonly source: MemberSource;
  /**
   * A shortest text that ends what begins with `text`. With it types are asked about a whole file:
   * where the hole is to open a bracket, all that is behind it would be read as something else.
   */
  readonly endingOf?: (text: string) => string | undefined;
}

/**
 * Judges the members that a text in a hole names, by their types.
 *
 * Types are asked for ahead by {@link prepare}, since that takes time; a dot that was not asked
 * about counts as one behind which any name may stand. Law: where a text names no unknown member,
 * neither does any of its beginnings.
 *
 * Source: monitor-guided decoding, Agrawal et al. 2023.
 */
export class Members {
  /** Why members are unknown, each reason once. */
  readonly unknown = new Set<string>();
  readonly #options: MembersOptions;
  /** The dot, and what there is of its name, that the text before the hole ends with. */
  readonly #lead: string;
  /** By all that is before a name, from the start of the lead. */
  readonly #answers = new Map<string, MemberAnswer & { readonly sorted?: readonly string[] }>();

  constructor(options: MembersOptions) {
    this.#options = options;
    this.#lead = /[.?]*\s*#?[\p{ID_Continue}$\u200c\u200d]*$/u.exec(options.before.slice(-maxLead))![0];
  }

  /** Asks for what must be known of `text` and its beginnings. */
  async prepare(text: string): Promise<void> {
    const whole = this.#lead + text;
    for (const member of membersIn(whole)) {
      const key = whole.slice(0, member.start);
      if (!this.#answers.has(key)) this.#answers.set(key, await this.#ask(key));
      // The text behind it will not be written.
      if (this.#isUnknown(member, whole)) return;
    }
  }

  /** The first name in `text` that is no member, nor the beginning of one that `text` ends in. */
  tryUnknown(text: string): UnknownMember | undefined {
    const whole = this.#lead + text;
    for (const member of membersIn(whole)) {
      const unknown = this.#isUnknown(member, whole);
      if (unknown !== undefined) return { ...unknown, offset: member.start - this.#lead.length };
    }
    return undefined;
  }

  /** Whether the name that `text` ends in is a whole one, with the text behind the hole. */
  mayEnd(text: string): boolean {
    const whole = this.#lead + text;
    const last = membersIn(whole).at(-1);
    if (last === undefined || !last.isAtEnd) return true;
    const behind = last.name === "" ? /^\s*(#?[\p{ID_Continue}$]*)/u : /^([\p{ID_Continue}$]*)/u;
    const name = last.name + (behind.exec(this.#options.behind.slice(0, maxLead))?.[1] ?? "");
    // A dot without a name is the grammar's business.
    return name === "" || this.#isUnknown({ ...last, name, isAtEnd: false }, whole) === undefined;
  }

  /**
   * What makes the name whole that `text` ends in, shortest first; nothing where it ends in none,
   * or any will do.
   */
  endingsOf(text: string): readonly string[] {
    const whole = this.#lead + text;
    const last = membersIn(whole).at(-1);
    const answer = last?.isAtEnd ? this.#answers.get(whole.slice(0, last.start)) : undefined;
    if (last === undefined || answer?.kind !== "names") return [];
    return answer.names
      .filter((name) => name.startsWith(last.name))
      .map((name) => name.slice(last.name.length))
      .sort((a, b) => a.length - b.length);
  }

  async #ask(key: string): Promise<MemberAnswer & { readonly sorted?: readonly string[] }> {
    const { before, behind, source, endingOf } = this.#options;
    // Any name stands for the one that is to come; of one that begins before the hole nothing has
    // to be added.
    const text = key.length < this.#lead.length ? "" : `${key.slice(this.#lead.length)}_`;
    const ending = endingOf?.(text) ?? "";
    const typed = before.slice(0, before.length - this.#lead.length) + key;
    const answer = await source.membersBetween(typed, ending + behind);
    if (answer.kind === "unknown") this.unknown.add(answer.why);
    return answer.kind === "names" ? { ...answer, sorted: [...new Set(answer.names)].sort() } : answer;
  }

  #isUnknown({ start, name, isAtEnd }: Member, whole: string): Omit<UnknownMember, "offset"> | undefined {
    const answer = this.#answers.get(whole.slice(0, start));
    if (answer?.kind !== "names" || name === "") return undefined;
    const { of, sorted = [] } = answer;
    const at = firstFrom(sorted, name);
    const isKnown = isAtEnd ? sorted[at]?.startsWith(name) === true : sorted[at] === name;
    return isKnown ? undefined : { name, of, names: sorted };
  }
}

/** How many UTF-16 units before and behind a hole a dot and a name may have. */
const maxLead = 500;

/** A name behind a dot. */
interface Member {
  readonly start: number;
  /** Empty where there is none yet. */
  readonly name: string;
  /** Whether it may go on. */
  readonly isAtEnd: boolean;
}

const dotAndName = /(?<!\.)\.(?![.\d])\s*(#?(?:[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*)?)/gu;

/**
 * What may be members, in their order. Dots of strings and comments are among them: a caller that
 * knows types knows better.
 */
function membersIn(text: string): readonly Member[] {
  const all: Member[] = [];
  for (const { index, 0: whole, 1: name = "" } of text.matchAll(dotAndName)) {
    const end = index + whole.length;
    const isAtEnd = end === text.length;
    // A name with an escape in it is not read.
    if ((name === "" && !isAtEnd) || text[end] === "\\") continue;
    all.push({ start: end - name.length, name, isAtEnd });
  }
  return all;
}

/** The index of the first of `sorted` that is not less than `name`. */
function firstFrom(sorted: readonly string[], name: string): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! < name) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** A guide that also lets no member stand behind a dot that is none of the text before it. */
export class MemberGuide implements TextGuide {
  readonly #inner: TextGuide;
  readonly #members: Members;

  constructor(inner: TextGuide, members: Members) {
    this.#inner = inner;
    this.#members = members;
  }

  prepare(text: string): Promise<void> {
    return this.#members.prepare(text);
  }

  allows(text: string): boolean {
    return this.#inner.allows(text) && this.tryUnknownMember(text) === undefined;
  }

  canGoOn(text: string): boolean {
    return this.#inner.canGoOn(text) && this.tryUnknownMember(text) === undefined;
  }

  mayEnd(text: string): boolean {
    return this.#inner.mayEnd(text) && this.tryUnknownMember(text) === undefined && this.#members.mayEnd(text);
  }

  ending(text: string): string | undefined {
    const ending = this.#inner.ending(text);
    if (ending !== undefined && this.mayEnd(text + ending)) return ending;
    for (const name of this.#members.endingsOf(text).slice(0, maxNames)) {
      const rest = this.#inner.allows(text + name) ? this.#inner.ending(text + name) : undefined;
      if (rest !== undefined && this.mayEnd(text + name + rest)) return name + rest;
    }
    return undefined;
  }

  isTrivia(text: string): boolean {
    return this.#inner.isTrivia?.(text) ?? false;
  }

  tryUnknownMember(text: string): UnknownMember | undefined {
    return this.#members.tryUnknown(text);
  }
}

/** How many names are tried for an ending. */
const maxNames = 20;
