import {
  longestAllowed,
  type MemberSource,
  type Members,
  type NoGuide,
  type TextGuide,
  type UnknownMember,
} from "../../grammar/index.ts";
import type { FillGuide } from "../../model/index.ts";
import type { RefusedText, SuggestionChange } from "../outcome.ts";
import type { BareAnswer } from "./bare-answer.ts";
import { tryFirstLine } from "./refused-text.ts";

/** The most texts rejected by the grammar that are reported: the first are the likeliest. */
const maxNotAllowed = 5;

/**
 * The constraints on an answer at a place: the grammar of the language, and the members that types
 * have. An answer may end anywhere but in a name that is no member yet, since ghost text is one
 * piece of code that a person continues.
 */
export class GuideAtPlace implements FillGuide {
  readonly #grammar: FillGuide | undefined;
  readonly #members: Members | undefined;
  /** What a model wanted to name and could not, by where it stood. */
  readonly #refused = new Map<number, UnknownMember>();
  /** What the model wanted to write, and the grammar did not let stand. */
  readonly #notAllowed = new Set<string>();
  #cut: { readonly text: string; readonly change: SuggestionChange } | undefined;

  /** Where a constraint is unknown (`undefined`), it allows everything. */
  constructor(grammar: FillGuide | undefined, members: Members | undefined) {
    this.#grammar = grammar;
    this.#members = members;
  }

  /**
   * Whether an answer may begin with `text`. The first five texts that the grammar rejects are
   * recorded for {@link refused}.
   */
  allows(text: string): boolean {
    if (this.#grammar?.allows(text) === false) {
      if (this.#notAllowed.size < maxNotAllowed) this.#notAllowed.add(text);
      return false;
    }
    return this.#members?.tryUnknown(text) === undefined;
  }

  /**
   * Whether an answer may end with `text`: not in a name that is no member. The grammar does not
   * count.
   */
  mayEnd(text: string): boolean {
    return this.#members?.mayEnd(text) !== false;
  }

  /**
   * Requests the types that {@link allows} needs for `text`, and records the first unknown member
   * in it. Members that were not requested are allowed.
   */
  async prepare(text: string): Promise<void> {
    await this.#members?.prepare(text);
    const unknown = this.#members?.tryUnknown(text);
    if (unknown !== undefined) this.#refused.set(unknown.offset, unknown);
  }

  /** Whether {@link prepare} must be called for a text before it is checked. */
  get needsPreparation(): boolean {
    return this.#members !== undefined;
  }

  /**
   * Shortens the answer of a model that does not follow a guide to what is allowed, first by the
   * grammar, then by members; see {@link constrainToGuide}. Records what is cut off for {@link
   * refused}. `isWhole` means that the answer is complete.
   */
  hold(answer: BareAnswer, isWhole: boolean): BareAnswer {
    const grammar = this.#grammar && { allows: this.#grammar.allows.bind(this.#grammar), mayEnd: () => true };
    const held = grammar ? constrainToGuide(answer, grammar, { change: "shortened-for-syntax", isWhole }) : answer;
    this.#keepCut(answer, held, "shortened-for-syntax");
    if (this.#members === undefined) return held;
    const members: FillGuide = {
      allows: (text) => this.#members?.tryUnknown(text) === undefined,
      mayEnd: (text) => this.mayEnd(text),
    };
    const known = constrainToGuide(held, members, { change: "shortened-for-members", isWhole });
    this.#keepCut(held, known, "shortened-for-members");
    return known;
  }

  #keepCut(before: BareAnswer, after: BareAnswer, change: SuggestionChange): void {
    if (after.text.length < before.text.length) this.#cut = { text: before.text.slice(after.text.length), change };
  }

  /**
   * The rejected texts: what {@link hold} last cut off, then texts that the grammar rejects, then
   * unknown members.
   */
  get refused(): readonly RefusedText[] {
    const line = this.#cut && tryFirstLine(this.#cut.text);
    const cut: readonly RefusedText[] = line === undefined ? [] : [{ kind: "cut", line, change: this.#cut!.change }];
    const notAllowed = [...this.#notAllowed].flatMap((text): readonly RefusedText[] => {
      const line = tryFirstLine(text.slice(text.trimEnd().lastIndexOf("\n") + 1));
      return line === undefined ? [] : [{ kind: "not-allowed", line, by: "grammar" }];
    });
    const members = Array.from(
      this.#refused.values(),
      ({ name }): RefusedText => ({ kind: "not-allowed", line: name, by: "types" }),
    );
    return [...cut, ...notAllowed, ...members];
  }

  /**
   * For people, one sentence for each unknown member that was rejected, and for each reason why
   * members are not known.
   */
  get notes(): readonly string[] {
    const refused = [...this.#refused.values()].map(({ name, of }) => `${of} has no member ${name}`);
    const unknown = [...(this.#members?.unknown ?? [])].map((why) => `members are not known: ${why}`);
    return [...refused, ...unknown];
  }
}

/**
 * Gives the guide for what goes between `prefix` and `suffix` in a language, by its id in the
 * registry.
 *
 * `undefined` where there is none: the language has no grammar, or the text is broken already,
 * which is common while it is typed.
 */
export type GuideSource = (language: string, prefix: string, suffix: string) => GrammarGuide | undefined;

/**
 * Reads the text around a hole with pauses, so that a {@link GuideSource} answers at once. Returns
 * why there will be no guide. Rejects with the signal's reason.
 */
export type GuidePreparation = (
  language: string,
  prefix: string,
  suffix: string,
  options: { readonly signal: AbortSignal },
) => Promise<NoGuide | undefined>;

/** A guide that may also know how a text ends soonest. */
export type GrammarGuide = FillGuide & Partial<Pick<TextGuide, "ending">>;

/**
 * Gives what knows the types of the file at `path`, from the workspace's root; `undefined` where
 * nothing does.
 */
export type MembersOf = (path: string, language: string) => MemberSource | undefined;

/** How an answer is held to a guide. */
export interface ConstrainOptions {
  /** The change that is listed for a shortened answer. */
  readonly change: SuggestionChange;
  /** Whether the answer is complete. */
  readonly isWhole: boolean;
}

/**
 * Shortens an answer to the longest beginning that its guide allows.
 *
 * A word that the cut goes through, or that may not be the last one of a cut or complete answer, is
 * left out together with the dot before it. Returns `answer` itself where nothing is cut; otherwise
 * its text, which may be empty, has no white space at its end, and `change` is added to its
 * changes.
 */
export function constrainToGuide(
  answer: BareAnswer,
  guide: FillGuide,
  { change, isWhole }: ConstrainOptions,
): BareAnswer {
  const { text, changes } = answer;
  const length = longestAllowed(guide, text);
  const isCut = length < text.length;
  const allowed = text.slice(0, length);
  const isInWord =
    (isCut && /^[\p{L}\p{N}_$]/u.test(text.slice(length))) || ((isCut || isWhole) && !guide.mayEnd(allowed));
  if (!isCut && !isInWord) return answer;
  const kept = isInWord ? allowed.replace(/(\??\.\s*#?)?(?<![\p{L}\p{N}_$])[\p{L}\p{N}_$]*$/u, "") : allowed;
  return { ...answer, text: kept.trimEnd(), changes: [...changes, change] };
}
