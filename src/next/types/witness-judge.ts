import { EmendError } from "../../text/index.ts";
import type { TypeJudge, TypeVerdict } from "../type-judge.ts";
import type { WorkspaceTexts } from "../workspace-texts.ts";
import { compareFindings, editedLines } from "./compare-findings.ts";
import { feltNames } from "./felt-names.ts";
import { filesThatFeel } from "./files-that-feel.ts";
import type { PresentTypes } from "./present-types.ts";
import type { ScriptStates } from "./script-states.ts";

/** What {@link WitnessJudge} judges with. All of it stays its owner's. */
export interface WitnessJudgeParts {
  /** What types say now; `undefined` while no checker is at hand. */
  types(): PresentTypes | undefined;
  readonly files: Pick<WorkspaceTexts, "open" | "saying" | "textOf">;
  readonly states: Pick<ScriptStates, "blocksOf">;
  /** The files that may feel changes of these; `undefined` where all may. All may unless told. */
  readonly reachOf?: (paths: readonly string[]) => readonly string[] | undefined;
  /** In how many files besides the edited one errors are looked for; 4 unless told. */
  readonly maxOthers?: number;
}

/**
 * Judges edits by the errors of a type checker with and without them: in the edited file first, then in those that say a name of which others see something else
 * by the edit. Complaints are compared by {@link compareFindings}.
 *
 * Laws: an edit that changes nothing fits, and mends nothing; what it says depends on the texts alone.
 */
export class WitnessJudge implements TypeJudge {
  readonly #parts: WitnessJudgeParts;

  constructor(parts: WitnessJudgeParts) {
    this.#parts = parts;
  }

  async judge(
    { path, text, edit }: Parameters<TypeJudge["judge"]>[0],
    { signal }: { readonly signal?: AbortSignal } = {},
  ): Promise<TypeVerdict> {
    const types = this.#parts.types();
    if (types?.knows(path) !== true) return { kind: "unknown" };
    const after = edit.apply(text);
    if (after === text) return { kind: "fits", mended: 0 };
    const errorsOf = (now: string, paths: readonly string[]) =>
      types.errorsWith(new Map([[path, now]]), paths, { signal });
    try {
      const own = compareFindings(await errorsOf(text, [path]), await errorsOf(after, [path]), {
        edit,
        lines: editedLines(text, edit, after),
      });
      if (own.fresh.length > 0) return { kind: "worse", findings: own.fresh };
      const others = this.#othersThatFeel(path, text, after).filter((other) => types.knows(other));
      if (others.length === 0) return { kind: "fits", mended: own.gone.length };
      const all = compareFindings(await errorsOf(text, others), await errorsOf(after, others));
      if (all.fresh.length > 0) return { kind: "worse", findings: all.fresh };
      return { kind: "fits", mended: own.gone.length + all.gone.length };
    } catch (error) {
      signal?.throwIfAborted();
      // A checker that fails says nothing: whoever owns it hears of it elsewhere.
      if (error instanceof EmendError) return { kind: "unknown" };
      throw error;
    }
  }

  #othersThatFeel(path: string, before: string, after: string): readonly string[] {
    const { files, states, reachOf, maxOthers = 4 } = this.#parts;
    const stateOf = (text: string) => ({ text, blocks: states.blocksOf(path, text) });
    const names = feltNames(stateOf(before), stateOf(after));
    if (names.size === 0) return [];
    return filesThatFeel({ path, names }, files, { limit: maxOthers, reach: reachOf?.([path]) });
  }
}
