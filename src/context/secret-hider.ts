import { LRUCache } from "lru-cache";
import { languageOf } from "../syntax/index.ts";
import { getOrInsert } from "../text/index.ts";
import { hideSecrets, messageLanguage, type ShownText } from "./hide-secrets.ts";
import type { ContextPiece, RedactedPiece } from "./prompt.ts";

/**
 * Takes the secrets out of pieces, and remembers the texts it has looked through: most pieces are
 * the same with every key. At most `maxTexts` are remembered, those used last; default: 400.
 */
export class SecretHider {
  readonly #texts: LRUCache<string, ShownText>;

  constructor(maxTexts = 400) {
    this.#texts = new LRUCache({ max: maxTexts });
  }

  /** How many texts are remembered. */
  get size(): number {
    return this.#texts.size;
  }

  /**
   * The piece with its secrets replaced, and their number in `hidden`: the same object when there
   * is nothing to hide. See {@link hideSecrets}.
   */
  hide(piece: ContextPiece): RedactedPiece {
    const { text, hidden } = this.#shown(piece);
    return hidden === 0 ? (piece as RedactedPiece) : { ...piece, text, hidden };
  }

  #shown({ kind, path, text }: ContextPiece): ShownText {
    const language = kind === "git-diff" ? "diff" : kind === "diagnostics" ? messageLanguage : languageOf(path).id;
    // A string of its own: a part of a file would keep all of the file in memory.
    const key = `${language}\n${text}`;
    return getOrInsert<string, ShownText>(this.#texts, key, () => hideSecrets(text, language));
  }
}
