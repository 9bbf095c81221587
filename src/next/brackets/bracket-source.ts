import { languageById, type Syntax } from "../../syntax/index.ts";
import { minimalEdit } from "../../text/index.ts";
import { AddedSyntaxErrors } from "../added-syntax-errors.ts";
import type { Moment, NextEditSource, Proposal } from "../next-edit-source.ts";
import { textBefore } from "../past-text.ts";
import { isUneven, partnerEdits } from "./partner-edits.ts";

/** So many of the last edits are looked at. */
const maxEdits = 5;

/**
 * Proposes what a bracket lacks that was just opened around something, or lost its partner: who writes `wrap(` in front of a function over many lines has its `)`
 * to write behind it.
 *
 * Only what a parser complains of without, and with it no more, is proposed.
 */
export class BracketSource implements NextEditSource {
  readonly origin = "fix";
  readonly #syntax: Pick<Syntax, "syntaxErrors">;
  readonly #errors: AddedSyntaxErrors;

  constructor(syntax: Pick<Syntax, "syntaxErrors">) {
    this.#syntax = syntax;
    this.#errors = new AddedSyntaxErrors(syntax);
  }

  async *propose(
    { path, language: id, text, history }: Moment,
    { signal }: { readonly signal?: AbortSignal } = {},
  ): AsyncGenerator<Proposal> {
    const language = languageById(id);
    if (language === undefined) return;
    const edits = history.filter((past) => past.path === path).slice(-maxEdits);
    const uneven = edits.filter(({ before, after }) => isUneven(before.join("\n"), after.join("\n")));
    if (uneven.length === 0) return;
    // A bracket that was closed since is still of an uneven edit: most texts are whole, and known to be.
    if ((await this.#syntax.syntaxErrors({ uri: path, language: id, text })).length === 0) return;
    for (const past of uneven.toReversed()) {
      const file = { path, language: id, text: textBefore(path, text, [past]) };
      const edit = minimalEdit(file.text, text);
      const ways = partnerEdits(file.text, edit, language);
      if (ways.length === 0 || (await this.#errors.of(file, edit)).length === 0) continue;
      for (const way of ways) {
        signal?.throwIfAborted();
        if ((await this.#errors.of(file, edit.compose(way))).length > 0) continue;
        const place = { start: way.edits[0]!.start, end: way.edits.at(-1)!.end };
        const goes = place.end > place.start;
        yield {
          ...{ origin: this.origin, path, edit: way, place, likelihood: likelihoodOfPartner },
          reason: goes ? "its other bracket is gone" : "closes what you opened",
        };
        return;
      }
    }
  }
}

/** How often the partner is what is written next. */
const likelihoodOfPartner = 0.85;
