import type { TypeFinding } from "../../codebase/index.ts";
import { minimalEdit } from "../../text/index.ts";
import type { WorkspaceTexts } from "../workspace-texts.ts";
import { compareFindings } from "./compare-findings.ts";
import { seenByOthers } from "./felt-names.ts";
import type { PastChange } from "./past-change.ts";
import type { PresentTypes } from "./present-types.ts";
import type { ScriptStates } from "./script-states.ts";

/** What is asked of {@link FreshComplaints}. */
export interface ComplaintQuestion {
  readonly types: PresentTypes;
  readonly files: Pick<WorkspaceTexts, "textOf">;
  /** What the last edits did, by file. */
  readonly changes: ReadonlyMap<string, PastChange>;
  readonly signal?: AbortSignal | undefined;
}

/**
 * What a checker complains of in a file and did not before the last edits.
 *
 * What is wrong in a file that was not edited hangs on what it sees of those that were: as long as that stays, nobody is asked anew. What is inferred from
 * bodies is not followed there.
 */
export class FreshComplaints {
  readonly #states: Pick<ScriptStates, "blocksOf">;
  /** By file, the one asked about last at the end. */
  readonly #known = new Map<string, KnownComplaints>();

  constructor(states: Pick<ScriptStates, "blocksOf">) {
    this.#states = states;
  }

  /** Asks about one file after the other, at one moment. Each answer rejects as the checker does, and with the signal's reason. */
  at(question: ComplaintQuestion): (path: string) => Promise<readonly TypeFinding[]> {
    const { types, files, changes } = question;
    const seen = [...changes].flatMap(([path, { before, after }]) => {
      return [path, before, seenByOthers({ text: after, blocks: this.#states.blocksOf(path, after) })];
    });
    return async (path) => {
      const basis = [files.textOf(path) ?? "", ...seen];
      const known = this.#known.get(path);
      const isSame = known?.types === types && known.basis.every((one, at) => one === basis[at]);
      if (!changes.has(path) && isSame && known.basis.length === basis.length) return known.fresh;
      const fresh = await this.#ask(path, question);
      this.#known.delete(path);
      this.#known.set(path, { types, basis, fresh });
      for (const oldest of [...this.#known.keys()].slice(0, -maxKnown)) this.#known.delete(oldest);
      return fresh;
    };
  }

  async #ask(path: string, { types, changes, signal }: ComplaintQuestion): Promise<readonly TypeFinding[]> {
    const now = await types.errorsOf([path], { signal });
    if (now.length === 0) return now;
    const past = new Map([...changes].map(([file, { before }]) => [file, before] as const));
    const before = await types.errorsWith(past, [path], { signal });
    const change = changes.get(path);
    return compareFindings(before, now, change && { edit: minimalEdit(change.before, change.after) }).fresh;
  }
}

/** Of how many files it is remembered. */
const maxKnown = 32;

interface KnownComplaints {
  readonly types: PresentTypes;
  /** What it hangs on: the file's text, and what is seen of those that were edited. */
  readonly basis: readonly string[];
  readonly fresh: readonly TypeFinding[];
}
