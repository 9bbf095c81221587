import type { Syntax } from "../../syntax/index.ts";
import { StatementStarts } from "../fit/statement-starts.ts";
import type { Place } from "../place.ts";

type StartPlace = Pick<Place, "uri" | "prefix" | "suffix" | "language">;

/**
 * The {@link StatementStarts} of the latest places, so that each decision about an answer, while it
 * comes and once it is there, parses each of its lines once.
 */
export class SharedStarts {
  readonly #syntax: Syntax;
  /** The one used last comes first. */
  #known: readonly { readonly place: StartPlace; readonly starts: StatementStarts }[] = [];

  constructor(syntax: Syntax) {
    this.#syntax = syntax;
  }

  /**
   * Those of a place: the same as long as neither its text nor its language changes, and it is not
   * forgotten.
   */
  at(place: StartPlace): StatementStarts {
    const found = this.#known.find((known) => isSame(known.place, place));
    const { uri, prefix, suffix, language } = place;
    const known = found ?? {
      place: { uri, prefix, suffix, language },
      starts: new StatementStarts(this.#syntax, place),
    };
    this.#known = [known, ...this.#known.filter((other) => other !== known)].slice(0, maxPlaces);
    return known.starts;
  }

  /** Forgets all places. */
  clear(): void {
    this.#known = [];
  }
}

/** The cursor, the place of the request, the place behind it, and one more. */
const maxPlaces = 4;

function isSame(one: StartPlace, other: StartPlace): boolean {
  const isNear = one.uri === other.uri && one.language === other.language;
  return isNear && one.prefix === other.prefix && one.suffix === other.suffix;
}
