import { getOrInsert, type TextEdit } from "../../text/index.ts";
import { noModule } from "../diagnostics/library-diagnostics.ts";
import type { OverlayCheck } from "../diagnostics/overlay-check.ts";
import type { FileDiagnostic } from "../diagnostics/type-checker.ts";
import { editOf, touches } from "./checked-repair.ts";
import type { ExportIndex } from "./export-index.ts";
import type { ChangeFacts } from "./facts/change-facts.ts";
import type { Repair, RepairContext } from "./repair.ts";

/** How {@link repairRounds} repairs the diagnostics of a round. */
export interface RepairRules<T extends Pick<Repair, "edits">> {
  /** The facts to repair by, in the current state of the check. */
  facts(): ChangeFacts;
  readonly exports?: ExportIndex | undefined;
  /** The repair to make for a diagnostic; `undefined` for none. */
  repairOf(question: RepairContext): T | undefined | Promise<T | undefined>;
  /** Called with each repair that a round makes, before the next diagnostic of the round. */
  onMade?(repair: T, question: RepairContext): void;
}

/** One round of repairs. */
export interface RepairRound<T> {
  /** The repairs, with the edits that no earlier one of the round makes. */
  readonly repairs: readonly T[];
  /** The new diagnostics with the repairs. */
  readonly errors: readonly FileDiagnostic[];
}

/**
 * Repairs new diagnostics in rounds, and yields each round when its repairs are checked. Ends when
 * no repair is left, or after `maxRounds`. Rounds count from 1.
 *
 * All repairs of a round are made at once, those of unresolved modules first. Where several
 * diagnostics have the same edit, it is made once; a repair with any other edit that overlaps an
 * earlier one waits for the next round. Rejects as the check and `repairOf` do.
 */
export async function* repairRounds<T extends Pick<Repair, "edits">>(
  check: OverlayCheck,
  errors: readonly FileDiagnostic[],
  { maxRounds, rulesOf }: { readonly maxRounds: number; rulesOf(round: number): RepairRules<T> },
): AsyncGenerator<RepairRound<T>> {
  let left = errors;
  for (let round = 1; round <= maxRounds; round += 1) {
    const rules = rulesOf(round);
    const repairs: T[] = [];
    const taken = new Map<string, TextEdit[]>();
    // An unresolved module hides its exports, also from files that import them through a re-export.
    for (const diagnostic of left.toSorted((a, b) => Number(noModule.has(b.code)) - Number(noModule.has(a.code)))) {
      const question = repairContext(check, diagnostic, rules);
      const repair = question && (await rules.repairOf(question));
      if (question === undefined || repair === undefined) continue;
      const made = getOrInsert(taken, diagnostic.path, () => []);
      const edits = repair.edits.filter((edit) => !made.some((one) => isSame(one, edit)));
      if (edits.length === 0 || edits.some((edit) => made.some((one) => touches(one, edit)))) continue;
      made.push(...edits);
      repairs.push({ ...repair, edits });
      rules.onMade?.(repair, question);
    }
    if (repairs.length === 0) return;
    const changed = [...taken].filter(([, made]) => made.length > 0);
    left = await check.update(new Map(changed.map(([path, made]) => [path, editOf(made).apply(check.textNow(path)!)])));
    yield { repairs, errors: left };
  }
}

/** What a rule needs to repair a diagnostic; `undefined` where the file has no tree or no block. */
export function repairContext(
  check: OverlayCheck,
  diagnostic: FileDiagnostic,
  { facts, exports }: Pick<RepairRules<Repair>, "facts" | "exports">,
): RepairContext | undefined {
  const text = check.textNow(diagnostic.path);
  const tree = check.treeNow(diagnostic.path);
  const block = check.blockOf(diagnostic);
  if (text === undefined || tree === undefined || block === undefined) return undefined;
  return { diagnostic, text, tree, block, facts: facts(), ...(exports && { exports }) };
}

function isSame(a: TextEdit, b: TextEdit): boolean {
  return a.start === b.start && a.end === b.end && a.text === b.text;
}
