import { LRUCache } from "lru-cache";
import { type FileDiagnostic, OverlayCheck, type ParseCache, type TypeCheckCache } from "../../../analysis/index.ts";
import { oneLine } from "../../../text/index.ts";
import { overlayAt } from "../../../workspace/index.ts";
import type { WorkspaceTexts } from "../../engine/text-index.ts";
import { seenByOthers } from "./affected-names.ts";
import type { PastChange } from "./past-change.ts";

/** The input of {@link NewDiagnostics.at}. */
interface NewDiagnosticsRequest {
  readonly types: TypeCheckCache;
  readonly files: Pick<WorkspaceTexts, "textOf">;
  /** The effect of the recent edits, by path. */
  readonly changes: ReadonlyMap<string, PastChange>;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Finds the diagnostics of files that are new since the recent edits, with a cache.
 *
 * The diagnostics of a file that was not edited depend on its text and on the exported signatures
 * of the edited files. While these stay the same, the cached result is returned. Types inferred
 * from bodies are not followed.
 */
export class NewDiagnostics {
  readonly #states: Pick<ParseCache, "blocksOf">;
  /** Results by path. */
  readonly #known = new LRUCache<string, KnownDiagnostics>({ max: maxKnown });

  constructor(states: Pick<ParseCache, "blocksOf">) {
    this.#states = states;
  }

  /** Drops the diagnostics of a file. */
  forget(path: string): void {
    this.#known.delete(path);
  }

  /**
   * Returns a function that gives the new diagnostics of a file, for one state of the texts. Its
   * promise rejects as the checker does, and with the signal's reason.
   */
  at(question: NewDiagnosticsRequest): (path: string) => Promise<readonly FileDiagnostic[]> {
    const { types, files, changes } = question;
    const seen = [...changes].flatMap(([path, { before, after }]) => {
      return [path, before, seenByOthers({ text: after, blocks: this.#states.blocksOf(path, after) })];
    });
    return async (path) => {
      const basis = [files.textOf(path) ?? "", ...seen];
      const known = this.#known.get(path);
      const isSame = known?.types === types && known.basis.every((one, at) => one === basis[at]);
      if (!changes.has(path) && isSame && known.basis.length === basis.length) return known.fresh;
      const fresh = await this.#compute(path, question);
      this.#known.set(path, { types, basis, fresh });
      return fresh;
    };
  }

  async #compute(path: string, question: NewDiagnosticsRequest): Promise<readonly FileDiagnostic[]> {
    const { types, files, changes, signal } = question;
    const now = await types.errorsOf([path], { signal });
    if (now.length === 0) return now;
    const check = new OverlayCheck({
      ...{ checker: types.view(), changed: changes, isApplied: true, signal },
      before: await types.errorsWith(overlayAt("before", changes), [path], { signal }),
      textOf: (file) => files.textOf(file),
      blocksOf: (file, text) => this.#states.blocksOf(file, text),
      treeOf: () => undefined,
      reachOf: () => [path],
    });
    return check.start();
  }
}

/** The number of files whose results are kept. */
const maxKnown = 32;

interface KnownDiagnostics {
  readonly types: TypeCheckCache;
  /**
   * What the result depends on: the file's text, and the exported signatures of the edited files.
   */
  readonly basis: readonly string[];
  readonly fresh: readonly FileDiagnostic[];
}

/**
 * Returns the first line of a diagnostic's message as a reason, the end of "Suggested": without a
 * full stop and cut at 120 UTF-16 units.
 */
export function diagnosticReason({ message }: Pick<FileDiagnostic, "message">): string {
  const text = oneLine(message).replace(/\.$/, "");
  return text.length <= maxReason ? text : `${text.slice(0, maxReason - 1)}…`;
}

const maxReason = 120;
