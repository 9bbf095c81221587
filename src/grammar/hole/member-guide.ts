import type { Members, UnknownMember } from "./members.ts";
import type { TextGuide } from "./text-guide.ts";

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
