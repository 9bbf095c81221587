import { languageOf } from "../syntax/index.ts";
import { hideSecrets, messageLanguage, type ShownText } from "./hide-secrets.ts";
import type { ContextPiece, RedactedPiece } from "./prompt.ts";

/**
 * Takes the secrets out of pieces, and remembers the texts it has looked through: most pieces are
 * the same with every key. Memory is bounded: about `maxTexts` twice; default: 200.
 */
export class SecretHider {
  readonly #maxTexts: number;
  #young = new Map<string, ShownText>();
  #old = new Map<string, ShownText>();

  constructor(maxTexts = 200) {
    this.#maxTexts = maxTexts;
  }

  /** How many texts are remembered. */
  get size(): number {
    return this.#young.size + this.#old.size;
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
    let shown = this.#young.get(key);
    if (shown !== undefined) return shown;
    shown = this.#old.get(key) ?? hideSecrets(text, language);
    if (this.#young.size >= this.#maxTexts) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#old.delete(key);
    this.#young.set(key, shown);
    return shown;
  }
}
