import {
  type AffectedBlock,
  type AtomicChange,
  type BlockId,
  blockId,
  type CheckerMessage,
  type CodeBlock,
  type CodeBlockKind,
  type ImpactReport,
  newDiagnostics,
  workLikelihood,
} from "../analysis/index.ts";
import {
  addToGroup,
  Edit,
  type FileChange,
  type FileTexts,
  type TextEdit,
  type TextRange,
  type WorkspaceEdit,
  workspaceEdit,
} from "../text/index.ts";
import { type BlockRewrite, makeRewrite } from "./block-rewrite.ts";
import { isAboutChange } from "./describe-causes.ts";
import { type Consequences, givenFindingsOf, isAboutVerifiers, type PlacedFinding } from "./plan-event.ts";
import type { PlanGraph, PlanStep, StepCause, StepId } from "./plan-graph.ts";
import type { PlanState } from "./plan-state.ts";
import { type Finding, findingKey, printFinding } from "./verification/finding.ts";

/** A change made by some steps, and its impact. */
export interface ConsequencesRequest {
  readonly graph: PlanGraph;
  readonly report: ImpactReport;
  /**
   * The steps that made the change, by the block that each changed. The first one is the cause
   * where no step changed the block.
   */
  readonly steps: readonly Pick<PlanStep, "id" | "block" | "rewrite">[];
  /**
   * Pending steps for which a model request is in flight: a change that affects their block makes a
   * new step.
   */
  readonly begun: ReadonlySet<StepId>;
  /** The blocks that were changed on the way from the seeds to these steps. */
  readonly path: ReadonlySet<BlockId>;
  readonly round: number;
  readonly isStep: (affected: AffectedBlock) => boolean;
}

/**
 * The steps and causes that the impact of a change adds to a plan, and the new blocks of pending
 * steps whose block was renamed or moved (`moved`). Only blocks that `isStep` accepts count. A
 * block that has a pending step gets another cause, unless the step is in `begun`; any other
 * affected block gets a new step.
 *
 * A block that the change itself edits gets none. A block that was changed on the way to this
 * change gets none, unless a type checker reports an error in it now: the later change was made to
 * fit the earlier one. The seeds of a plan may be incomplete, so one of their blocks with an error
 * gets a step, too. Source: CodePlan (Bairi et al. 2024), Algorithm 1, lines 30 to 35.
 */
export function consequencesOf(request: ConsequencesRequest): Consequences {
  const { graph, report, steps, begun, path, round, isStep } = request;
  const found: PlanStep[] = [];
  const causes: { id: StepId; cause: StepCause }[] = [];
  const first = steps[0]!.id;
  const isBegun = steps.every(({ rewrite }) => rewrite?.by.kind === "seed");
  const stepOfBlock = new Map(steps.map((step) => [blockId(step.block), step.id]));
  for (const affected of report.affected) {
    const { block, likelihood, reach, checked, isTouched } = affected;
    const id = blockId(block);
    if (isTouched && !(isBegun && isRefused(affected))) continue;
    if (!isStep(affected) || (path.has(id) && checked?.certainty !== "error")) continue;
    const fresh: StepCause[] = [];
    let from = steps.find((step) => blockId(step.block) !== id)?.id ?? first;
    if (reach !== undefined) {
      const { change, relation, hops } = reach;
      const changer = [change.before, change.after].map((one) => one && stepOfBlock.get(blockId(one)));
      from = changer[0] ?? changer[1] ?? first;
      fresh.push({ kind: "change", from, label: change.label, relation, hops });
    }
    if (checked !== undefined) {
      const { codes } = checked;
      const errors = checked.errors.map(({ code, message, names }) => ({ code, message, names }));
      fresh.push({ kind: "broken", from: changerOf(errors, report, stepOfBlock) ?? from, codes, errors });
    }
    const pending = graph.pendingFor(id, begun);
    if (pending !== undefined) causes.push(...fresh.map((cause) => ({ id: pending.id, cause })));
    else {
      const { kind, name } = block;
      const step = { id: graph.nextId + found.length, block: { path: block.path, kind, name }, round };
      found.push({ ...step, status: "pending", causes: fresh, likelihood });
    }
  }
  return { found, causes, moved: movedSteps(graph, report) };
}

/** The step that changed a block whose name errors are about; `undefined` where none did. */
function changerOf(
  errors: readonly CheckerMessage[],
  { changes }: ImpactReport,
  stepOfBlock: ReadonlyMap<BlockId, StepId>,
): StepId | undefined {
  const names = new Set(errors.flatMap((error) => error.names));
  for (const change of changes) {
    if (!isAboutChange(names, change)) continue;
    for (const block of [change.before, change.after]) {
      const step = block && stepOfBlock.get(blockId(block));
      if (step !== undefined) return step;
    }
  }
  return undefined;
}

/**
 * Whether a type checker reports an error in a block that does not disappear when others are
 * repaired.
 */
function isRefused({ checked }: AffectedBlock): boolean {
  return checked?.certainty === "error" || checked?.certainty === "follows";
}

/** The new blocks of pending steps whose block was renamed or moved. */
function movedSteps(graph: PlanGraph, { changes }: ImpactReport): Consequences["moved"] {
  return changes.flatMap(({ label, before, after }) => {
    if ((label !== "RENAME" && label !== "MOVE") || before === undefined || after === undefined) return [];
    const pending = graph.pendingFor(blockId(before), new Set());
    const { path, kind, name } = after;
    return pending === undefined ? [] : [{ id: pending.id, block: { path, kind, name } }];
  });
}

/**
 * Whether an affected block is likely enough to need a change: its likelihood is at least {@link
 * workLikelihood}.
 */
export function needsChange({ likelihood }: AffectedBlock): boolean {
  return likelihood >= workLikelihood;
}

/**
 * Whether a model should decide about an affected block; it may answer that nothing changes. That
 * is so when the block is likely enough to need a change, or when it calls or tests something whose
 * behaviour changed, which no type checker can report.
 */
export function needsModel(affected: AffectedBlock): boolean {
  const { reach } = affected;
  if (needsChange(affected)) return true;
  return (
    reach?.hops === 1 && reach.change.escapes === true && /^(called|used|tested|instantiated)-by$/.test(reach.relation)
  );
}

/** The steps of the next round. */
interface NextRound {
  /** A step for each block with new findings of verification commands. */
  readonly found: readonly PlanStep[];
  /** New findings outside all blocks, in the format of {@link printFinding}. */
  readonly unplaced: readonly string[];
}

/**
 * Turns the new findings of verification commands into steps. A finding is new when its block, tool
 * and code did not occur before the plan; findings that the plan is meant to repair stay new until
 * they are gone. Findings of earlier rounds do not count, because the texts have changed. A block
 * that is left to a person already gets no step; one that was changed `maxVisits` times, or of
 * which a change was rejected, gets an obligation. Findings outside all blocks are `unplaced`.
 */
export function nextRound(
  state: PlanState,
  { round, firstId, maxVisits }: { readonly round: number; readonly firstId: StepId; readonly maxVisits: number },
): NextRound {
  const byBlock = new Map<BlockId, Finding[]>();
  const unplaced: string[] = [];
  for (const findings of newFindings(state).values()) {
    for (const { finding, block } of findings) {
      if (block === undefined) unplaced.push(printFinding(finding));
      else addToGroup(byBlock, block, finding);
    }
  }
  const found: PlanStep[] = [];
  for (const [id, findings] of byBlock) {
    // The block is left to a person already.
    if (state.graph.isObligation(id)) continue;
    const visits = state.graph.visitsTo(id);
    const isTried = visits >= maxVisits;
    const note = state.graph.isRejected(id)
      ? "A change of this block was rejected, and a check finds errors here without it."
      : isTried
        ? `This block was changed ${visits} times already, and it still has errors.`
        : undefined;
    found.push({
      id: firstId + found.length,
      block: blockOfId(id),
      status: note === undefined ? "pending" : "obligation",
      causes: findings.map(({ message, code }) => ({ kind: "finding", message, ...(code !== undefined && { code }) })),
      likelihood: 1,
      round,
      ...(note !== undefined && { note }),
    });
  }
  return { found, unplaced };
}

/**
 * The findings of each verification command for the texts of the last round that are new or that
 * the plan is meant to repair, as {@link nextRound} describes them; commands without any are left
 * out.
 */
export function newFindings(
  state: Pick<PlanState, "seeds" | "round" | "verifiers" | "verifiersBefore">,
): ReadonlyMap<string, readonly PlacedFinding[]> {
  const isAboutAll = isAboutVerifiers(state.seeds);
  const commands = givenFindingsOf(state.seeds).map(({ source }) => source);
  const isAbout = keysOf(commands.flatMap((by) => state.verifiersBefore.get(by)?.findings ?? []));
  const found = new Map<string, readonly PlacedFinding[]>();
  for (const [verifier, { findings, round }] of state.verifiers) {
    if (round !== state.round) continue;
    const known =
      isAboutAll || commands.includes(verifier) ? [] : (state.verifiersBefore.get(verifier)?.findings ?? []);
    const before = known.filter((one) => !isAbout.has(keyOfPlaced(one)));
    const appeared = newDiagnostics(before.map(withMessage), findings.map(withMessage), keyOfPlaced);
    if (appeared.length > 0) found.set(verifier, appeared);
  }
  return found;
}

function withMessage(placed: PlacedFinding) {
  return { ...placed, message: placed.finding.message };
}

function keysOf(placed: readonly PlacedFinding[]): ReadonlySet<string> {
  return new Set(placed.map(keyOfPlaced));
}

function keyOfPlaced({ finding, block }: PlacedFinding): string {
  return findingKey(finding, block);
}

function blockOfId(id: BlockId): PlanStep["block"] {
  const bar = id.indexOf("|");
  const colon = id.indexOf(":", bar);
  return { path: id.slice(0, bar), kind: id.slice(bar + 1, colon) as CodeBlockKind, name: id.slice(colon + 1) };
}

/** A block that a change touches, with its part of the change. */
interface SeedRewrite {
  readonly block: PlanStep["block"];
  readonly rewrite: BlockRewrite;
  readonly changes: readonly AtomicChange[];
}

/**
 * Splits a change into one rewrite for each block, in the order of the files; applied one after the
 * other they give the change.
 *
 * A replacement between blocks belongs to the changed block before it in the file, or else to the
 * first one; in a file without changed blocks, to the block around it. Throws an `InvariantError`
 * where the change does not apply to `files`.
 */
export function seedRewrites(
  edit: WorkspaceEdit,
  files: FileTexts,
  { changes }: ImpactReport,
  blockAt: (path: string, offset: number) => CodeBlock | undefined,
): readonly SeedRewrite[] {
  const found: SeedRewrite[] = [];
  for (const change of edit.changes) {
    const path = change.kind === "rename" ? change.uriAfter : change.uri;
    const here = changes.filter(
      ({ before, after }) => [before?.path, after?.path].includes(path) || before?.path === change.uri,
    );
    const parts =
      change.kind === "edit"
        ? partsOf(change, here, blockAt)
        : [{ change, block: blockOf(here[0]) ?? fileBlock(path) }];
    let texts = files;
    const isApart = (one: AtomicChange) => parts.some(({ block }) => isOf(one, block));
    for (const [index, { change: part, block }] of parts.entries()) {
      const made = makeRewrite(workspaceEdit([part]), texts, { kind: "seed" });
      if (made === undefined) continue;
      const own = here.filter((one) => isOf(one, block) || (index === 0 && !isApart(one)));
      found.push({ block, rewrite: made.rewrite, changes: own });
      texts = new Map([...texts, [path, made.changed.get(path)?.after ?? ""]]);
    }
  }
  return found;
}

interface SeedPart {
  readonly change: FileChange;
  readonly block: PlanStep["block"];
}

function partsOf(
  { uri, edit }: Extract<FileChange, { kind: "edit" }>,
  changes: readonly AtomicChange[],
  blockAt: (path: string, offset: number) => CodeBlock | undefined,
): readonly SeedPart[] {
  const groups = new Map<BlockId, { readonly block: PlanStep["block"]; readonly edits: TextEdit[] }>();
  const waiting: TextEdit[] = [];
  const after = edit.rangesAfter();
  let last: TextEdit[] | undefined;
  for (const [index, one] of edit.edits.entries()) {
    const block = changedBlock(one, after[index]!, changes);
    if (block !== undefined) {
      const id = blockId(block);
      const group = groups.get(id) ?? { block: plainBlock(block), edits: [] };
      groups.set(id, group);
      last = group.edits;
    }
    (last ?? waiting).push(one);
  }
  const [first] = groups.values();
  if (first !== undefined) first.edits.unshift(...waiting);
  else {
    const block = wholeBlock(waiting, after, changes) ?? blockAt(uri, waiting[0]?.start ?? 0);
    return [{ change: { kind: "edit", uri, edit }, block: block === undefined ? fileBlock(uri) : plainBlock(block) }];
  }
  const parts: SeedPart[] = [];
  const made: TextEdit[] = [];
  for (const { block, edits } of groups.values()) {
    const own = Edit.of(edits);
    parts.push({ block, change: { kind: "edit", uri, edit: own.rebase(Edit.of(inOrder(made)), "base-first") } });
    made.push(...edits);
  }
  return parts;
}

/**
 * The smallest changed block around a replacement, before or after the change; `undefined` when
 * there is none.
 */
function changedBlock(edit: TextRange, after: TextRange, changes: readonly AtomicChange[]): CodeBlock | undefined {
  let best: { readonly block: CodeBlock; readonly length: number } | undefined;
  const offer = (block: CodeBlock, around: TextRange, inner: TextRange) => {
    const length = around.end - around.start;
    const isAround = around.start <= inner.start && inner.end <= around.end;
    if (isAround && (best === undefined || length < best.length)) best = { block, length };
  };
  for (const change of changes) {
    const block = change.after ?? change.before!;
    if (change.before !== undefined) offer(block, change.before.range, edit);
    if (change.after !== undefined) offer(block, change.after.range, after);
  }
  return best?.block;
}

/**
 * The largest block that a replacement removes or adds as a whole, with lines around it; the first
 * of several. `after` has the ranges of the replacements after the change.
 */
function wholeBlock(
  edits: readonly TextEdit[],
  after: readonly TextRange[],
  changes: readonly AtomicChange[],
): CodeBlock | undefined {
  let best: { readonly block: CodeBlock; readonly length: number } | undefined;
  for (const { before, after: now } of changes) {
    if (before !== undefined && now !== undefined) continue;
    const block = (now ?? before)!;
    const { start, end } = block.range;
    const isWhole = (now === undefined ? edits : after).some((around) => around.start <= start && end <= around.end);
    if (isWhole && (best === undefined || end - start > best.length)) best = { block, length: end - start };
  }
  return best?.block;
}

function inOrder(edits: readonly TextEdit[]): readonly TextEdit[] {
  return [...edits].sort((a, b) => a.start - b.start || a.end - b.end);
}

function isOf({ before, after }: AtomicChange, block: PlanStep["block"]): boolean {
  return blockId((after ?? before)!) === blockId(block);
}

function blockOf(change: AtomicChange | undefined): PlanStep["block"] | undefined {
  const block = change?.after ?? change?.before;
  return block && plainBlock(block);
}

/** The parts of a block that a step stores. */
export function plainBlock({ path, kind, name }: CodeBlock): PlanStep["block"] {
  return { path, kind, name };
}

/** A block that represents a file without blocks. */
function fileBlock(path: string): PlanStep["block"] {
  return { path, kind: "statement", name: path };
}
