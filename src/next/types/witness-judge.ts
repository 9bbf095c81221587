import type { TypeFinding } from "../../codebase/index.ts";
import { EmendError, Lines, minimalEdit } from "../../text/index.ts";
import type { TypeJudge, TypeVerdict } from "../type-judge.ts";
import type { WorkspaceTexts } from "../workspace-texts.ts";
import { compareFindings, editedLines } from "./compare-findings.ts";
import { feltNames } from "./felt-names.ts";
import { filesThatFeel } from "./files-that-feel.ts";
import type { PastChange } from "./past-change.ts";
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

/** What is wrong where the person did the like. */
interface Alike {
  readonly types: PresentTypes;
  readonly alike: NonNullable<Parameters<TypeJudge["judge"]>[0]["alike"]>;
  readonly signal: AbortSignal | undefined;
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
    { path, text, edit, together = new Map(), alike = [] }: Parameters<TypeJudge["judge"]>[0],
    { signal }: { readonly signal?: AbortSignal } = {},
  ): Promise<TypeVerdict> {
    const types = this.#parts.types();
    if (types?.knows(path) !== true) return { kind: "unknown" };
    const after = edit.apply(text);
    if (after === text && together.size === 0) return { kind: "fits", mended: 0 };
    const without = new Map([[path, text]]);
    const all = new Map([...together, [path, after]]);
    const compared = async (file: string, change?: PastChange) => {
      const before = await types.errorsWith(without, [file], { signal });
      const now = await types.errorsWith(all, [file], { signal });
      if (change === undefined) return compareFindings(before, now);
      const made = file === path ? edit : minimalEdit(change.before, change.after);
      return compareFindings(before, now, { edit: made, lines: editedLines(change.before, made, change.after) });
    };
    const changes = new Map<string, PastChange>([[path, { before: text, after }]]);
    for (const [file, now] of together)
      if (types.knows(file)) changes.set(file, { before: types.textOf(file)!, after: now });
    try {
      let mended = 0;
      for (const [file, change] of changes) {
        const { fresh, gone } = await compared(file, change);
        const minded = fresh.length === 0 ? fresh : await this.#minded(fresh, change, { types, alike, signal });
        if (minded.length > 0) return { kind: "worse", findings: minded };
        mended += gone.length;
      }
      for (const file of this.#othersThatFeel(changes)) {
        if (!types.knows(file)) continue;
        const { fresh, gone } = await compared(file);
        if (fresh.length > 0) return { kind: "worse", findings: fresh };
        mended += gone.length;
      }
      return { kind: "fits", mended };
    } catch (error) {
      signal?.throwIfAborted();
      // A checker that fails says nothing: whoever owns it hears of it elsewhere.
      if (error instanceof EmendError) return { kind: "unknown" };
      throw error;
    }
  }

  /** Without those on changed lines that stand in the same way where the person did the like: half of what is done in many places is often wrong for a while. */
  async #minded(
    fresh: readonly TypeFinding[],
    { before, after }: PastChange,
    { types, alike, signal }: Alike,
  ): Promise<readonly TypeFinding[]> {
    const places = alike.filter(({ path }) => types.knows(path));
    const there = await types.errorsOf([...new Set(places.map(({ path }) => path))], { signal });
    const linesOf = new Map(places.map(({ path }) => [path, Lines.of(types.textOf(path)!)]));
    const known = new Set(
      there
        .filter(({ path, start }) => {
          const line = linesOf.get(path)!.lineAt(start);
          return places.some((place) => place.path === path && place.lines.start <= line && line < place.lines.end);
        })
        .map(({ code }) => code),
    );
    if (known.size === 0) return fresh;
    const changed = editedLines(before, minimalEdit(before, after), after).after;
    const isChanged = (start: number) => changed.some((range) => range.start <= start && start < range.end);
    return fresh.filter(({ code, start }) => !known.has(code) || !isChanged(start));
  }

  #othersThatFeel(changes: ReadonlyMap<string, PastChange>): readonly string[] {
    const { files, states, reachOf, maxOthers = 4 } = this.#parts;
    const others = new Set<string>();
    for (const [path, { before, after }] of changes) {
      const stateOf = (text: string) => ({ text, blocks: states.blocksOf(path, text) });
      const names = feltNames(stateOf(before), stateOf(after));
      if (names.size === 0) continue;
      for (const other of filesThatFeel({ path, names }, files, { limit: maxOthers, reach: reachOf?.([path]) }))
        if (!changes.has(other)) others.add(other);
    }
    return [...others].slice(0, maxOthers);
  }
}
