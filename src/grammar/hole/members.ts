import type { TextGuide, UnknownMember } from "./text-guide.ts";
/** The members that are allowed after a dot. */
export type MemberAnswer =
  /** These names are the members of `of`, a type or a namespace as printed for people. */
  | { readonly kind: "names"; readonly of: string; readonly names: readonly string[] }
  /** Any name is allowed by the types, or there is no member access. */
  | { readonly kind: "any" }
  /** The members are unknown; `why` is the reason, for people. */
  | { readonly kind: "unknown"; readonly why: string };

/** Finds the members of the expression before a dot. */
export interface MemberSource {
  /**
   * The members that are allowed between `before`, which ends after a dot and white space, and
   * `behind`. Never rejects.
   */
  membersBetween(before: string, behind: string): Promise<MemberAnswer>;
}

/** Options of {@link Members}. */
export interface MembersOptions {
  /** The text before the hole. */
  readonly before: string;
  /** The text behind it. */
  readonly behind: string;
  readonly source: MemberSource;
  /**
   * A shortest ending for a text. With it the types are those of a complete file: without it, an
   * open bracket in the hole would change how the suffix is parsed.
   */
  readonly endingOf?: (text: string) => string | undefined;
}

/**
 * Checks the members that a text in a hole names, by types.
 *
 * Types are requested ahead by {@link prepare}, since that takes time; after a dot that was not
 * prepared any name is allowed. Law: where a text names no unknown member, neither does any of its
 * prefixes.
 *
 * Source: monitor-guided decoding, Agrawal et al. 2023.
 */
export class Members {
  /** The distinct reasons why members are unknown. */
  readonly unknown = new Set<string>();
  readonly #options: MembersOptions;
  /** The dot and the partial name at the end of the text before the hole. */
  readonly #lead: string;
  /** Answers, by the text before a name, from the start of the lead. */
  readonly #answers = new Map<string, MemberAnswer & { readonly sorted?: readonly string[] }>();

  constructor(options: MembersOptions) {
    this.#options = options;
    this.#lead = /[.?]*\s*#?[\p{ID_Continue}$\u200c\u200d]*$/u.exec(options.before.slice(-maxLead))![0];
  }

  /** Requests the members for each dot in `text`. */
  async prepare(text: string): Promise<void> {
    const whole = this.#lead + text;
    for (const member of membersIn(whole)) {
      const key = whole.slice(0, member.start);
      if (!this.#answers.has(key)) this.#answers.set(key, await this.#request(key));
      // The text after an unknown member will be refused.
      if (this.#findUnknown(member, whole)) return;
    }
  }

  /** The first name in `text` that is not a member or, at the end of `text`, a prefix of one. */
  tryUnknown(text: string): UnknownMember | undefined {
    const whole = this.#lead + text;
    for (const member of membersIn(whole)) {
      const unknown = this.#findUnknown(member, whole);
      if (unknown !== undefined) return { ...unknown, offset: member.start - this.#lead.length };
    }
    return undefined;
  }

  /** Whether the last name of `text`, together with the text behind the hole, is a member. */
  mayEnd(text: string): boolean {
    const whole = this.#lead + text;
    const last = membersIn(whole).at(-1);
    if (last === undefined || !last.isAtEnd) return true;
    const behind = last.name === "" ? /^\s*(#?[\p{ID_Continue}$]*)/u : /^([\p{ID_Continue}$]*)/u;
    const name = last.name + (behind.exec(this.#options.behind.slice(0, maxLead))?.[1] ?? "");
    // A dot without a name is left to the grammar.
    return name === "" || this.#findUnknown({ ...last, name, isAtEnd: false }, whole) === undefined;
  }

  /**
   * The rests that complete the last name of `text`, shortest first; empty where `text` ends in no
   * name, or any name is allowed.
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

  async #request(key: string): Promise<MemberAnswer & { readonly sorted?: readonly string[] }> {
    const { before, behind, source, endingOf } = this.#options;
    // The name `_` replaces the one that is to come; a name that begins before the hole is used as
    // it is.
    const text = key.length < this.#lead.length ? "" : `${key.slice(this.#lead.length)}_`;
    const ending = endingOf?.(text) ?? "";
    const typed = before.slice(0, before.length - this.#lead.length) + key;
    const answer = await source.membersBetween(typed, ending + behind);
    if (answer.kind === "unknown") this.unknown.add(answer.why);
    return answer.kind === "names" ? { ...answer, sorted: [...new Set(answer.names)].sort() } : answer;
  }

  #findUnknown({ start, name, isAtEnd }: Member, whole: string): Omit<UnknownMember, "offset"> | undefined {
    const answer = this.#answers.get(whole.slice(0, start));
    if (answer?.kind !== "names" || name === "") return undefined;
    const { of, sorted = [] } = answer;
    const at = firstFrom(sorted, name);
    const isKnown = isAtEnd ? sorted[at]?.startsWith(name) === true : sorted[at] === name;
    return isKnown ? undefined : { name, of, names: sorted };
  }
}

/** The most UTF-16 code units of a dot and a name before and behind a hole. */
const maxLead = 500;

/** A name after a dot. */
interface Member {
  readonly start: number;
  /** Empty where it is not begun. */
  readonly name: string;
  /** Whether it may be extended. */
  readonly isAtEnd: boolean;
}

const dotAndName = /(?<!\.)\.(?![.\d])\s*(#?(?:[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*)?)/gu;

/**
 * The possible member accesses in a text, in order. Dots in strings and comments are included: the
 * source of types decides about them.
 */
function membersIn(text: string): readonly Member[] {
  const all: Member[] = [];
  for (const { index, 0: whole, 1: name = "" } of text.matchAll(dotAndName)) {
    const end = index + whole.length;
    const isAtEnd = end === text.length;
    // A name with an escape is not checked.
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

/** A guide that also refuses names after a dot that are not members of the expression before it. */
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

  canContinue(text: string): boolean {
    return this.#inner.canContinue(text) && this.tryUnknownMember(text) === undefined;
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

/** The most names that are tried for an ending. */
const maxNames = 20;
