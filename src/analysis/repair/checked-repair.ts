import type { ScriptTree } from "../../names/index.ts";
import { Edit, type TextEdit } from "../../text/index.ts";
import { type Diagnostic } from "../diagnostics/diagnostic.ts";
import { type OverlayTypeChecker } from "../diagnostics/type-checker.ts";
import { isMaskedBy } from "./known-diagnostics.ts";
import type { Repair } from "./repair.ts";

/** Input of {@link checkedRepair}. */
export interface RepairCheck {
  /** A checker in the state that the repairs were computed for. It is restored to that state. */
  readonly checker: OverlayTypeChecker;
  readonly path: string;
  /** The file's text in that state. */
  readonly text: string;
  /** Alternative repairs of one diagnostic. */
  readonly ways: readonly Repair[];
  /** Parses the file, to recognise diagnostics that an unresolved name masked before the repair. */
  readonly treeOf?: (path: string, text: string) => ScriptTree | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Returns the only one of several repairs that the checker accepts: with it the file has fewer
 * diagnostics, and none that is new and was not masked before. Returns `undefined` where it accepts
 * none, or more than one, since the intended one is unknown then.
 *
 * The checker is restored to the given text, also after an error. Rejects as the checker does, with
 * the signal's reason on abort among others.
 */
export async function checkedRepair({
  checker,
  path,
  text,
  ways,
  treeOf,
  signal,
}: RepairCheck): Promise<Repair | undefined> {
  const options = signal === undefined ? {} : { signal };
  const before = findingCounts(await checker.errorsOf([path], options));
  const good: Repair[] = [];
  try {
    for (const way of ways) {
      const mended = editOf(way.edits).apply(text);
      await checker.update(new Map([[path, mended]]), options);
      const found = await checker.errorsOf([path], options);
      const names = new Set(way.names);
      const tree = names.size === 0 ? undefined : treeOf?.(path, mended);
      const now = findingCounts(tree === undefined ? found : found.filter((one) => !isMaskedBy(names, one, tree)));
      const isFewer = sum(now) < sum(before);
      if (isFewer && [...now].every(([key, times]) => times <= (before.get(key) ?? 0))) good.push(way);
    }
  } finally {
    await checker.update(new Map([[path, text]]));
  }
  return good.length === 1 ? good[0] : undefined;
}

/** The edit made of replacements in any order. Throws an `InvariantError` if they overlap. */
export function editOf(edits: readonly TextEdit[]): Edit {
  return Edit.of([...edits].sort((a, b) => a.start - b.start || a.end - b.end));
}

/** Counts diagnostics by code and message, whatever their position. */
function findingCounts(findings: readonly Diagnostic[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { code, message } of findings) {
    const key = `${code}\n${message}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

function sum(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((a, b) => a + b, 0);
}
