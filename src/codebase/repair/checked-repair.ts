import { Edit } from "../../text/edit.ts";
import type { TextEdit } from "../../text/text-edit.ts";
import type { TypeFinding } from "../graph/reference.ts";
import type { OverlaidWitness } from "../impact/type-waves.ts";
import type { Repair } from "./repair.ts";

/** What {@link checkedRepair} is given. */
export interface RepairCheck {
  /** A checker in the state that the repairs were made for; afterwards it is in that state again. */
  readonly checker: OverlaidWitness;
  readonly path: string;
  /** The file's text in that state. */
  readonly text: string;
  /** Rivals. */
  readonly ways: readonly Repair[];
  readonly signal?: AbortSignal | undefined;
}

/**
 * The only one of several ways that the checker agrees to: the file has fewer findings with it, and none that it did not have. Where it agrees to
 * several, nobody can tell which was meant, and there is none.
 */
export async function checkedRepair({ checker, path, text, ways, signal }: RepairCheck): Promise<Repair | undefined> {
  const options = signal === undefined ? {} : { signal };
  const found = async () => findingCounts(await checker.errorsOf([path], options));
  const before = await found();
  const good: Repair[] = [];
  try {
    for (const way of ways) {
      await checker.update(new Map([[path, editOf(way.edits).apply(text)]]), options);
      const now = await found();
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
function findingCounts(findings: readonly TypeFinding[]): Map<string, number> {
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
