import type { AbortOptions } from "../../../async/index.ts";
import { languageById, type SyntaxErrorCache } from "../../../syntax/index.ts";
import { minimalEdit } from "../../../text/index.ts";
import { fixPolicy } from "../fix/fix-provider.ts";
import type { NextEditContext, NextEditProvider, Proposal } from "../next-edit-provider.ts";
import { textBefore } from "../types/past-change.ts";
import { isUneven, partnerEdits } from "./partner-edits.ts";

/** The number of recent edits that are read. */
const maxEdits = 5;

/**
 * Proposes the partner of a bracket that was just opened around code, or the removal of a bracket
 * whose partner was deleted. After `wrap(` is typed before a function of many lines, it proposes
 * the `)` after it.
 *
 * Only an edit that fixes all syntax errors of the uneven edit is proposed.
 */
export class BracketProvider implements NextEditProvider {
  readonly origin = "fix";
  readonly policy = fixPolicy;
  readonly #errors: SyntaxErrorCache;

  constructor(errors: SyntaxErrorCache) {
    this.#errors = errors;
  }

  /**
   * Yields at most one proposal, for the newest uneven edit of the request's file; nothing where
   * the file has no syntax error. Rejects with the signal's reason on abort.
   */
  async *propose(
    { path, language: id, text, history }: NextEditContext,
    { signal }: AbortOptions = {},
  ): AsyncGenerator<Proposal> {
    const language = languageById(id);
    if (language === undefined) return;
    const edits = history.filter((past) => past.path === path).slice(-maxEdits);
    const uneven = edits.filter(({ before, after }) => isUneven(before.join("\n"), after.join("\n")));
    if (uneven.length === 0) return;
    // The bracket may have been closed by a later edit. Most texts have no syntax errors, and the
    // result is cached.
    if ((await this.#errors.syntaxErrors({ uri: path, language: id, text })).length === 0) return;
    for (const past of uneven.toReversed()) {
      const file = { uri: path, language: id, text: textBefore(path, text, [past]) };
      const edit = minimalEdit(file.text, text);
      const ways = partnerEdits(file.text, edit, language);
      if (ways.length === 0 || (await this.#errors.added(file, edit)).length === 0) continue;
      for (const way of ways) {
        signal?.throwIfAborted();
        if ((await this.#errors.added(file, edit.compose(way))).length > 0) continue;
        const place = way.span;
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

/** How often the partner is the next edit. */
const likelihoodOfPartner = 0.85;
