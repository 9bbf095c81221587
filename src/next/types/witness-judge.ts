import type { TypeFinding } from "../../codebase/index.ts";
import { EmendError, minimalEdit } from "../../text/index.ts";
import type { TypeJudge, TypeVerdict } from "../type-judge.ts";
import type { WorkspaceTexts } from "../workspace-texts.ts";
import { isLaidBare, isOfTheSameChange, namesOfEdit, namesOfPast } from "./changed-names.ts";
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

/**
 * Judges edits by the errors of a type checker with and without them: in the edited file first, then in those that say a name of which others see something else
 * by the edit. Complaints are compared by {@link compareFindings}; an edit of which all are of names that the person's own last edits made meaningless too, as
 * {@link isOfTheSameChange} has it, is unfinished, and what an edit only lays bare, as {@link isLaidBare} has it, does not count. It was measured: other complaints in common, of the same kind or of the same words, do not speak for an edit.
 *
 * Laws: an edit that changes nothing fits, and mends nothing; what it says depends on the texts and the edits before alone.
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
    const changes = new Map<string, PastChange>([[path, { before: text, after }]]);
    for (const [file, now] of together)
      if (types.knows(file)) changes.set(file, { before: types.textOf(file)!, after: now });
    const names = { own: namesOfEdit(text, edit), past: namesOfPast(alike) };
    try {
      let mended = 0;
      const unfinished: TypeFinding[] = [];
      for (const files of this.#filesToAsk(path, changes, types)) {
        // All files at once, and those behind the first in the state that the checker is left in: what it found out is lost when it is brought into another.
        const isFirst = files[0] === path;
        const asked = isFirst ? await types.errorsWith(without, files, { signal }) : undefined;
        const now = await types.errorsWith(all, files, { signal });
        const before = asked ?? (await types.errorsWith(without, files, { signal }));
        for (const file of files) {
          const change = changes.get(file);
          const isIn = (finding: TypeFinding) => finding.path === file;
          const made = change && lineChange(change, file === path ? edit : undefined);
          const { fresh: came, gone } = compareFindings(before.filter(isIn), now.filter(isIn), made);
          const present = change?.after ?? types.textOf(file)!;
          const fresh = came.filter((finding) => !isLaidBare(finding, present, { come: names.own.come, gone }));
          const strange = fresh.filter((finding) => !isOfTheSameChange(finding, present, names));
          if (strange.length > 0) return { kind: "worse", findings: strange };
          unfinished.push(...fresh);
          mended += gone.length;
        }
      }
      return unfinished.length > 0 ? { kind: "unfinished", findings: unfinished } : { kind: "fits", mended };
    } catch (error) {
      signal?.throwIfAborted();
      // A checker that fails says nothing: whoever owns it hears of it elsewhere.
      if (error instanceof EmendError) return { kind: "unknown" };
      throw error;
    }
  }

  async hasErrors(paths: readonly string[], { signal }: { readonly signal?: AbortSignal } = {}): Promise<boolean> {
    const types = this.#parts.types();
    const known = types && paths.filter((path) => types.knows(path));
    if (types === undefined || known === undefined || known.length === 0) return false;
    try {
      return compareFindings(await types.errorsOf(known, { signal }), []).gone.length > 0;
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof EmendError) return false;
      throw error;
    }
  }

  /** The edited file, the others that change with it, and those that feel it: who they are is found out only when nothing is wrong in the others. */
  *#filesToAsk(
    path: string,
    changes: ReadonlyMap<string, PastChange>,
    types: PresentTypes,
  ): Generator<readonly string[]> {
    yield [path];
    const others = [...changes.keys()].filter((file) => file !== path);
    if (others.length > 0) yield others;
    const feeling = this.#othersThatFeel(changes).filter((file) => types.knows(file));
    if (feeling.length > 0) yield feeling;
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

/** How a file changes, for its complaints to be compared by: by an edit, or by what is told of its texts. */
function lineChange({ before, after }: PastChange, edit = minimalEdit(before, after)) {
  return { edit, lines: editedLines(before, edit, after) };
}
