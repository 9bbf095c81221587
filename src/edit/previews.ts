import type { AnswerPart } from "../formats/index.ts";
import { composeWorkspaceEdits, type WorkspaceEdit } from "../text/index.ts";
import { textsAfter } from "./changed-files.ts";
import { placeBeside, type Round } from "./edit-judge.ts";

/** Shows what an answer to a round does while it comes. */
export class Previews {
  readonly #round: Round;
  #shown = 0;

  constructor(round: Round) {
    this.#round = round;
  }

  /**
   * The edit of all that was read so far, if there are more asks than before.
   *
   * All of them are placed each time, so that long answers are shown in steps that grow with them.
   */
  tryShow(parts: readonly AnswerPart[]): WorkspaceEdit | undefined {
    const asks = parts.flatMap((part) => (part.kind === "ask" ? [part.ask] : []));
    if (asks.length <= this.#shown * (this.#shown < 32 ? 1 : 1.25)) return undefined;
    this.#shown = asks.length;
    const { files, base, earlier } = this.#round;
    const { edit } = placeBeside(earlier?.placed ?? [], { asks }, textsAfter(files, base));
    return composeWorkspaceEdits(base, edit);
  }
}
