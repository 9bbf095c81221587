import { Edit } from "../../text/edit.ts";
import type { TextEdit } from "../../text/text-edit.ts";
import type { TypeDiagnostic } from "../graph/reference.ts";
import type { ScriptTree } from "../graph/script-tree.ts";
import type { OverlayTypeChecker } from "../impact/speculative-check.ts";
import { isMaskedBy } from "./known-diagnostics.ts";
import type { Repair } from "./repair.ts";

/** What {@link checkedRepair} is given. */
export interface RepairCheck {
  /**
   * A checker in the state that the repairs were made for; afterwards it is in that state again.
   */
  readonly checker: OverlayTypeChecker;
  readonly path: string;
  /** The file's text in that state. */
  readonly text: string;
  /** Rivals. */
  readonly ways: readonly Repair[];
  /** Reads the file's tree, so that what wrong names hid is known for what it is. */
  readonly treeOf?: (path: string, text: string) => ScriptTree | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * The only one of several ways that the checker agrees to: the file has fewer findings with it, and
 * none that it did not have or hid. Where it agrees to several, which was meant is unknown,
 * and there is none.
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

/** The edit made of replacements in any order. Throws `InvariantError` where they overlap. */
export function editOf(edits: readonly TextEdit[]): Edit {
  return Edit.of([...edits].sort((a, b) => a.start - b.start || a.end - b.end));
}

/** How often each complaint is made, wherever it stands. */
function findingCounts(findings: readonly TypeDiagnostic[]): Map<string, number> {
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
