import {
  type BlockId,
  blockId,
  type CodeBlock,
  type ImpactReport,
  pathOfBlockId,
  printCodeBlock,
} from "../analysis/index.ts";
import { type AbortOptions, EventQueue, LinkedController } from "../async/index.ts";
import { ModelError } from "../model/index.ts";
import {
  applyWorkspaceEdit,
  Edit,
  EmendError,
  type FileTexts,
  invariant,
  toUnifiedDiff,
  type WorkspaceEdit,
  workspaceEdit,
} from "../text/index.ts";
import {
  type ConfinedEdit,
  confineEdit,
  type MadeRewrite,
  makeRewrite,
  pathsOfEdit,
  type RewriteAuthor,
} from "./block-rewrite.ts";
import { consequencesOf, needsChange, needsModel, nextRound, plainBlock, seedRewrites } from "./derive-steps.ts";
import {
  type Consequences,
  givenFindingsOf,
  type ModelTask,
  noConsequences,
  type PlacedFinding,
  type PlanEnd,
  type PlanEvent,
  type PlanSeed,
} from "./plan-event.ts";
import { PlanGraph, type PlanStep, type StepId } from "./plan-graph.ts";
import { limitsOf, reachedLimit, roomForTokens } from "./plan-limits.ts";
import type { LeftWork, ModelStepAnswer, PlanLimits, PlanParts, StepRequest } from "./plan-parts.ts";
import { afterEvent, type BegunStep, foldPlan, noErrorLeft, type PlanState } from "./plan-state.ts";
import { rememberedModel } from "./remembered-model.ts";
import { type PlanWrite, tryMovePast } from "./take-back.ts";
import { type Finding, printFinding } from "./verification/finding.ts";
import { errorsOf, printVerifierResult, type Verifier } from "./verifier.ts";

/** A plan to start. */
export interface PlanStart {
  /** The plan's name; not empty. */
  readonly plan: string;
  /** The purpose of the plan, as the user wrote it. */
  readonly instruction?: string;
  /** The commit that the plan is based on. */
  readonly base: string;
  readonly seeds: readonly PlanSeed[];
}

/** The options of {@link runPlan}. */
export interface PlanRunOptions {
  readonly limits?: PlanLimits;
  /** Whether a plan that has ended continues, such as with other limits; default: `false`. */
  readonly continues?: boolean;
  /** Obligations that a person has completed. */
  readonly manualResults?: readonly ManualResult[];
  readonly signal?: AbortSignal | undefined;
}

/** A person's result for a step. Without `edit` and `answer`, nothing changes there. */
export interface ManualResult {
  readonly id: StepId;
  /** The person's change, for the current texts. */
  readonly edit?: WorkspaceEdit;
  /**
   * Reads an answer for the step from elsewhere, such as a chat. If it refuses, the run rejects and
   * the plan stays as it is. It must be the only element of `manualResults`.
   */
  readonly answer?: (question: StepRequest) => Promise<ModelStepAnswer>;
}

/**
 * Runs a plan and yields each event once it is in the journal; returns the final state.
 *
 * When the journal contains events, the plan continues after them and `start` is ignored: the
 * workspace must be in its state before the plan, and the plan's changes are written again. Seeds
 * become steps. Pending steps are carried out by a rule, by the model, or left to a person, the
 * most likely first. Each change is merged and classified, and what it may affect becomes further
 * steps. When nothing is pending, the verification commands run, and their new findings are the
 * next round. Nothing depends on when a model answers.
 *
 * Rejects with the signal's reason; with `EmendError` `plan-seed` when a seed does not fit the
 * texts, `plan-moved-on` when the texts are not those of the journal, and `plan-step` or
 * `plan-answer` when a person's result cannot be used; with `RangeError` when a limit is invalid;
 * and with errors of the workspace. The journal then contains all completed events. Source:
 * CodePlan (Bairi et al. 2024), Algorithm 1.
 */
export async function* runPlan(
  start: PlanStart,
  parts: PlanParts,
  options: PlanRunOptions = {},
): AsyncGenerator<PlanEvent, PlanState> {
  const cancellation = new LinkedController(options.signal);
  const run = new PlanRun(parts, { ...options, signal: cancellation.signal });
  const work = run.drive(start);
  try {
    yield* run.queue.until(work);
    return await work;
  } finally {
    cancellation.abort(new EmendError("not-wanted", "The consumer stopped reading the events of the plan."));
    await work.catch(() => undefined);
  }
}

/** A person's result, ready to be merged. */
interface HandOutcome {
  readonly id: StepId;
  readonly edit?: WorkspaceEdit;
  readonly note?: string;
}

/** The origin of findings: the command, the round, and the result in one line. */
interface FindingsSource {
  readonly verifier: string;
  readonly round: number;
  readonly verdict: Extract<PlanEvent, { kind: "verifier-finished" }>["verdict"];
  readonly summary?: string;
}

/** A step for which a model may be used. */
interface Candidate {
  readonly block: CodeBlock;
  readonly question: StepRequest;
}

class PlanRun {
  readonly queue = new EventQueue<PlanEvent>();
  readonly #parts: PlanParts;
  readonly #options: PlanRunOptions;
  readonly #limits: ReturnType<typeof limitsOf>;
  #state: PlanState;
  /**
   * The last append; events are appended one after the other, even when several models answer at
   * once.
   */
  #appended: Promise<void> = Promise.resolve();
  /** For each step that was begun, the text of its file at that time. */
  readonly #textsBegun = new Map<StepId, string>();
  /** For each step without a matching rule, the number of its causes at that time. */
  readonly #withoutRule = new Map<StepId, number>();
  /** The failures of the model in this run, by the step that it was requested for. */
  readonly #modelFailures = new Map<StepId, ModelError>();

  constructor(parts: PlanParts, options: PlanRunOptions) {
    this.#parts = parts;
    this.#options = options;
    this.#limits = limitsOf(options.limits ?? {});
    this.#state = foldPlan(parts.journal.events);
  }

  async drive(start: PlanStart): Promise<PlanState> {
    this.#throwIfAborted();
    if (this.#state.plan === "") await this.#start(start);
    else await this.#replay();
    const { continues = false } = this.#options;
    const manualResults = await this.#manualWork();
    if (this.#state.ended !== undefined) {
      if (!continues && manualResults.length === 0) return this.#state;
      await this.#emit({ kind: "plan-resumed", at: this.#parts.now() });
    }
    for (const work of manualResults) await this.#settleByHand(work);
    if (manualResults.some(({ edit }) => edit !== undefined)) await this.#followExamples();
    await this.#reopenForModel();
    const end = (await this.#seed()) ?? (await this.#rounds());
    const { why, note } = end;
    await this.#emit({ kind: "plan-ended", why, ...(note !== undefined && { note }) });
    return this.#state;
  }

  async #start(start: PlanStart): Promise<void> {
    const { plan, instruction, base, seeds } = start;
    invariant(plan !== "", "A plan must have a name.");
    for (const seed of seeds) if (seed.kind === "instruction") await this.#blockOfSeed(seed.block);
    const edit = editOfSeeds(seeds);
    if (edit.changes.length > 0 && tryMakeRewrite(edit, await this.#texts(edit)) === undefined) {
      const message = `Your change does not apply to ${pathsOfEdit(edit).join(", ")}, or changes nothing there.`;
      throw new EmendError("plan-seed", message);
    }
    const at = this.#parts.now();
    await this.#emit({
      kind: "plan-started",
      plan,
      ...(instruction !== undefined && { instruction }),
      base,
      seeds,
      at,
    });
  }

  /** Repeats the writes of the journal in the workspace. */
  async #replay(): Promise<void> {
    const { writes, begun } = this.#state;
    for (let made = 0; made <= writes.length; made++) {
      for (const [id, { task, writes: count }] of begun) if (count === made) await this.#recordText(id, task);
      const write = writes[made];
      if (write !== undefined) await this.#write(await this.#repeatWrite(write), write.edit);
    }
  }

  /** Makes the steps pending that an earlier run left to a person only because the model failed. */
  async #reopenForModel(): Promise<void> {
    if (this.#model === undefined) return;
    for (const { id, status, modelFailed } of this.#state.graph.steps) {
      if (status === "obligation" && modelFailed)
        await this.#emit({ kind: "step-reopened", id, why: "The model is requested again." });
    }
  }

  /** Runs the verification commands before the plan, and turns the seeds into steps. */
  async #seed(): Promise<PlanOutcome | undefined> {
    if (this.#state.round > 0) return undefined;
    const failure = await this.#runVerifiers(0);
    if (failure !== undefined) return failure;
    const { seeds } = this.#state;
    for (const { source, findings } of givenFindingsOf(seeds)) {
      if (!this.#state.verifiers.has(source))
        await this.#appendFindings(findings, { verifier: source, round: 0, verdict: "findings" });
    }
    const found: PlanStep[] = [];
    const edit = editOfSeeds(seeds);
    const texts = await this.#texts(edit);
    const made = makeRewrite(edit, texts, { kind: "seed" });
    let report: ImpactReport | undefined;
    if (made !== undefined) {
      await this.#load([...made.changed.keys()]);
      report = await this.#parts.impact.impactOf(made.changed, this.#signal);
      const blockAt = (path: string, offset: number) => this.#parts.impact.graph.blockAt(path, offset);
      for (const { block, rewrite, changes } of seedRewrites(edit, texts, report, blockAt)) {
        const causes = [{ kind: "instruction" }] as const;
        const step = { id: found.length + 1, block, causes, likelihood: 1, round: 1 };
        found.push({ ...step, status: "done", rewrite, changes });
      }
    }
    const seedCount = found.length;
    for (const seed of seeds) {
      if (seed.kind !== "instruction") continue;
      const block = plainBlock(await this.#blockOfSeed(seed.block));
      const causes = [{ kind: "instruction" }] as const;
      const step = { id: found.length + 1, block, instruction: seed.instruction, causes, likelihood: 1, round: 1 };
      found.push({ ...step, status: "pending" });
    }
    if (seeds.some(({ kind }) => kind === "findings")) {
      const next = nextRound(this.#state, { round: 1, firstId: found.length + 1, maxVisits: this.#limits.maxVisits });
      found.push(...next.found);
    }
    let consequences: Consequences = noConsequences;
    if (report !== undefined && seedCount > 0) {
      let graph = PlanGraph.empty;
      for (const step of found) graph = graph.withStep(step);
      const request = {
        graph,
        report,
        steps: found.slice(0, seedCount),
        begun: new Set<StepId>(),
        path: new Set<BlockId>(),
      };
      consequences = consequencesOf({ ...request, round: 1, isStep: this.#isStep });
    }
    const { causes, moved } = consequences;
    await this.#emit({ kind: "round-started", round: 1, found: [...found, ...consequences.found], causes, moved });
    if (made !== undefined) await this.#write(made, edit);
    return undefined;
  }

  async #rounds(): Promise<PlanOutcome> {
    for (;;) {
      const limit = await this.#runSteps();
      if (limit !== undefined) return limit;
      await this.#reviewRejections();
      const { round } = this.#state;
      const failure = await this.#runVerifiers(round);
      if (failure !== undefined) return failure;
      const { maxRounds, maxVisits } = this.#limits;
      const next = nextRound(this.#state, { round: round + 1, firstId: this.#state.graph.nextId, maxVisits });
      if (next.found.length === 0) {
        await this.#reviewObligations();
        return this.#outcome([...this.#findingsOutsideBlocks(), ...next.unplaced]);
      }
      if (round >= maxRounds) {
        const note = `After ${round} round${round === 1 ? "" : "s"} there are still new errors in ${next.found.length} blocks.`;
        return { why: "rounds", note };
      }
      await this.#emit({ kind: "round-started", round: round + 1, found: next.found, causes: [], moved: [] });
    }
  }

  /** The given findings of the seeds that lie in no block. */
  #findingsOutsideBlocks(): readonly string[] {
    const given = givenFindingsOf(this.#state.seeds).flatMap(
      ({ source }) => this.#state.verifiersBefore.get(source)?.findings ?? [],
    );
    return given.flatMap(({ finding, block }) => (block === undefined ? [printFinding(finding)] : []));
  }

  #outcome(unplaced: readonly string[]): PlanOutcome {
    const left = this.#state.graph.steps.filter(({ status }) => status === "obligation").length;
    if (left === 0 && unplaced.length === 0) return { why: "done" };
    const notes = [
      ...(unplaced.length === 0 ? [] : [`Errors outside all blocks: ${unplaced.slice(0, 5).join("; ")}`]),
      ...[...this.#modelFailures.values()].slice(0, 1).map(({ message }) => `The model failed: ${message}`),
    ];
    return { why: "obligations", ...(notes.length > 0 && { note: notes.join(" ") }) };
  }

  /** Carries out pending steps until there are none, or a limit is reached. */
  async #runSteps(): Promise<PlanOutcome | undefined> {
    for (;;) {
      await this.#finishBegun();
      if (this.#state.graph.pending.length === 0) return undefined;
      const limit = reachedLimit(this.#state, this.#limits);
      if (limit !== undefined) return limit;
      const batch = await this.#pick();
      if (batch === undefined) continue;
      const tasks = await Promise.all(
        batch.map(async ({ question }) => ({
          id: question.step.id,
          task: await this.#parts.model!.prepare(question, this.#signal),
        })),
      );
      const room = roomForTokens(
        this.#state,
        this.#limits,
        tasks.map(({ task }) => task.tokens),
      );
      if (room.count === 0) return room.limit;
      const begun = tasks.slice(0, room.count);
      for (const { id, task } of begun) await this.#recordText(id, task);
      await this.#emit({ kind: "steps-begun", tasks: begun });
    }
  }

  /**
   * Selects pending steps for a model that do not depend on each other. Returns `undefined` after
   * settling a step without a model, because the pending steps have then changed.
   */
  async #pick(): Promise<readonly Candidate[] | undefined> {
    const batch: Candidate[] = [];
    // Left once no rule has an edit any more: a rule may repair what another step needs.
    const left: StepRequest[] = [];
    const room = this.#limits.maxSteps - this.#state.graph.completedCount;
    for (const step of this.#state.graph.pending) {
      if (batch.length >= Math.min(this.#limits.concurrency, room)) break;
      this.#throwIfAborted();
      const id = blockId(step.block);
      const now = await this.#currentBlock(step.block);
      if (now === undefined) {
        await this.#settle(step.id, "dropped", `There is no ${printCodeBlock(step.block)} any more.`);
        return undefined;
      }
      const { block, text } = now;
      const visits = this.#state.graph.visitsTo(id);
      if (visits >= this.#limits.maxVisits) {
        const times = visits === 1 ? "once" : `${visits} times`;
        await this.#settle(
          step.id,
          "obligation",
          `This block was already changed ${times}, which is the limit (its changes may cause each other).`,
        );
        return undefined;
      }
      const question = this.#question(step, block, text);
      if (await this.#tryMechanical(question)) return undefined;
      if (this.#model === undefined || this.#modelFailures.has(step.id)) {
        left.push(question);
        continue;
      }
      if (batch.every((other) => this.#areIndependent(other.block, block))) batch.push({ block, question });
    }
    for (const question of left) await this.#leaveWithoutModel(question);
    return left.length > 0 ? undefined : batch;
  }

  /** Leaves a step to a person that neither a rule nor a model can carry out. */
  async #leaveWithoutModel(question: StepRequest): Promise<void> {
    const failure = this.#modelFailures.get(question.step.id) ?? this.#lastingFailure;
    const why = failure === undefined ? "no model is configured" : failureWords(failure);
    await this.#leave(question, {
      note: `No rule can tell what to write here, and ${why}.`,
      ...(failure && { modelFailed: true }),
    });
  }

  /**
   * What is left to do in the block of a step; `undefined` where that is not known. For a step that
   * was rejected that is its errors alone, as no rule carries it out again.
   */
  async #leftIn(question: StepRequest): Promise<LeftWork | undefined> {
    const left = await this.#parts.mechanical?.leftIn?.(question, this.#signal);
    this.#throwIfAborted();
    const { isRejected, status } = question.step;
    return left && (isRejected || status === "rejected") ? { errors: left.errors } : left;
  }

  /**
   * Leaves a step to a person, with what is left to do in its block now. A step that exists only
   * because of errors, or that was rejected, is `unchanged` when none is left.
   */
  async #leave(question: StepRequest, { note, modelFailed }: Pick<PlanStep, "note" | "modelFailed">): Promise<void> {
    const { step } = question;
    const { id, causes, isRejected } = step;
    const left = await this.#leftIn(question);
    const { errors, proposal } = left ?? {};
    const isOnlyBroken =
      causes.some(({ kind }) => kind === "broken") &&
      causes.every(({ kind }) => kind === "broken" || kind === "change");
    if (errors?.length === 0 && (isOnlyBroken || isRejected))
      return this.#settle(id, "unchanged", noErrorLeft, { ...noConsequences, errors });
    const isKnown = JSON.stringify([errors, proposal]) === JSON.stringify([step.errors, step.proposal]);
    if (step.status === "obligation" && isKnown) return;
    await this.#settle(id, "obligation", note, { ...noConsequences, ...left, ...(modelFailed && { modelFailed }) });
  }

  /**
   * Updates what is left to do in the steps that were left to a person: later edits may have done
   * it.
   */
  async #reviewObligations(): Promise<void> {
    for (const { id, status } of this.#state.graph.steps) {
      const step = this.#state.graph.step(id);
      const now = status === "obligation" ? await this.#currentBlock(step.block) : undefined;
      if (now === undefined) continue;
      await this.#leave(this.#question(step, now.block, now.text), step);
    }
  }

  /**
   * Leaves rejected steps to a person whose blocks have errors without their rewrites. Before the
   * verification commands run, so that what these find there makes no further step.
   */
  async #reviewRejections(): Promise<void> {
    for (const { id, status, block, note: reason } of this.#state.graph.steps) {
      const now = status === "rejected" ? await this.#currentBlock(block) : undefined;
      if (now === undefined || this.#state.graph.isObligation(blockId(block))) continue;
      const question = this.#question(this.#state.graph.step(id), now.block, now.text);
      const left = await this.#leftIn(question);
      if (left === undefined || left.errors.length === 0) continue;
      const why = reason === undefined ? "" : ` (${reason})`;
      const note = `Rejected${why}; the type checker reports an error here without that change.`;
      await this.#settle(id, "obligation", note, { ...noConsequences, ...left });
    }
  }

  /** Whether neither block depends on the other or contains it. */
  #areIndependent(a: CodeBlock, b: CodeBlock): boolean {
    const { graph } = this.#parts.impact;
    const [one, other] = [blockId(a), blockId(b)];
    if (one === other) return false;
    const depends = (from: BlockId, to: BlockId) => graph.dependenciesOf(from).some((edge) => edge.to === to);
    if (depends(one, other) || depends(other, one)) return false;
    return a.path !== b.path || a.range.end <= b.range.start || b.range.end <= a.range.start;
  }

  async #tryMechanical(question: StepRequest): Promise<boolean> {
    const { id, causes } = question.step;
    if (this.#withoutRule.get(id) === causes.length) return false;
    const answer = await this.#parts.mechanical?.tryEdit(question, this.#signal);
    this.#throwIfAborted();
    if (answer === undefined) {
      this.#withoutRule.set(id, causes.length);
      return false;
    }
    if (answer.kind === "edit")
      await this.#settleEdit(question.step, answer.edit, { kind: "mechanical", rule: answer.rule });
    else await this.#settle(id, "unchanged", noErrorLeft);
    return true;
  }

  /**
   * Waits for the model's answers for the steps that were begun, and merges them in the order of
   * the steps. After a failure the plan continues without a model; only where a prompt does not
   * fit into the model's context, other steps are still requested.
   */
  async #finishBegun(): Promise<void> {
    const begun = [...this.#state.begun];
    if (begun.length === 0) return;
    if (this.#model === undefined) {
      for (const [id] of begun) await this.#emit({ kind: "step-reopened", id, why: "No model is configured." });
      return;
    }
    const answers = await Promise.allSettled(begun.map(([id, { task }]) => this.#runModel(id, task)));
    this.#throwIfAborted();
    for (const [index, answer] of answers.entries()) {
      const [id, step] = begun[index]!;
      if (answer.status === "fulfilled") await this.#merge(id, step, answer.value);
      else if (answer.reason instanceof ModelError) {
        this.#modelFailures.set(id, answer.reason);
        await this.#emit({ kind: "step-reopened", id, why: "The model failed." });
      } else throw answer.reason;
    }
  }

  /** The model, unless there is none or it has failed. */
  get #model(): PlanParts["model"] {
    return this.#lastingFailure === undefined ? this.#parts.model : undefined;
  }

  /** A failure of the model that other steps would meet, too. */
  get #lastingFailure(): ModelError | undefined {
    return [...this.#modelFailures.values()].find(({ code }) => code !== "context-too-long");
  }

  async #runModel(step: StepId, task: ModelTask): Promise<ModelStepAnswer> {
    const { signal } = this.#options;
    const text = this.#textsBegun.get(step);
    invariant(text !== undefined, () => `The text of step ${step} is not known.`);
    return this.#parts.model!.run(task, text, {
      signal,
      remember: (model) =>
        rememberedModel(model, {
          step,
          signal,
          tryAnswer: (question) => this.#state.answers.get(question),
          record: (question, answer) => this.#emit({ kind: "model-answered", id: step, request: question, ...answer }),
        }),
    });
  }

  async #merge(id: StepId, { task, writes }: BegunStep, answer: ModelStepAnswer): Promise<void> {
    if (answer.kind === "unchanged") return this.#settle(id, "unchanged");
    if (answer.kind === "refused") return this.#settle(id, "obligation", answer.reason);
    const since = this.#state.writes.slice(writes).map(({ edit }) => edit);
    const confined = confineEdit(answer.edit, task.path, task.regions);
    const edit = tryMovePast(confined.inside, since);
    if (edit === undefined) {
      const why = `Another step changed the same lines of ${task.path} meanwhile.`;
      return this.#emit({ kind: "step-reopened", id, why });
    }
    const outside = await this.#outsideSteps(id, confined, since);
    const notes = [answer.note, outside.note].filter((note) => note !== undefined);
    const note = notes.length === 0 ? undefined : notes.join(" ");
    const by = { kind: "model", model: this.#parts.model!.name } as const;
    return this.#settleEdit(this.#state.graph.step(id), edit, by, { note, also: outside.steps });
  }

  /** The changes that a model proposed outside its regions, as obligations without ids. */
  async #outsideSteps(
    from: StepId,
    { outside, otherFiles }: ConfinedEdit,
    since: readonly WorkspaceEdit[],
  ): Promise<{ readonly steps: readonly Omit<PlanStep, "id">[]; readonly note?: string }> {
    const steps = new Map<BlockId, Omit<PlanStep, "id">>();
    const refused = otherFiles.map(({ kind, uri }) => `to ${kind} ${uri}`);
    for (const { path, edit } of outside) {
      await this.#load([path]);
      const moved = tryMovePast(workspaceEdit([{ kind: "edit", uri: path, edit: Edit.of([edit]) }]), since);
      const [change] = moved?.changes ?? [];
      const before = await this.#parts.workspace.textOf(path);
      const block =
        change?.kind === "edit" ? this.#parts.impact.graph.blockAt(path, change.edit.edits[0]!.start) : undefined;
      if (before === undefined || block === undefined || change?.kind !== "edit") {
        refused.push(`to write elsewhere in ${path}`);
        continue;
      }
      const known = steps.get(blockId(block));
      const diff = toUnifiedDiff({ path, before, after: change.edit.apply(before) });
      const cause = { kind: "proposed", from, diff } as const;
      const { round } = this.#state;
      steps.set(blockId(block), {
        ...{ block: plainBlock(block), status: "obligation", likelihood: 0.5, round },
        causes: [...(known?.causes ?? []), cause],
        note: `Step ${from} also proposed a change here, outside its own block.`,
      });
    }
    const note = refused.length === 0 ? undefined : `The model also tried ${refused.join(", ")}; that was refused.`;
    return { steps: [...steps.values()], ...(note !== undefined && { note }) };
  }

  /**
   * The results of persons, with answers read first: nothing is appended to the journal before they
   * are known to be usable.
   */
  async #manualWork(): Promise<readonly HandOutcome[]> {
    const { manualResults = [] } = this.#options;
    const outcomes: HandOutcome[] = [];
    for (const { id, edit, answer } of manualResults) {
      this.#openStep(id);
      if (answer === undefined) outcomes.push({ id, ...(edit && { edit }) });
      else {
        invariant(manualResults.length === 1, () => `The answer for step ${id} is not alone.`);
        outcomes.push(await this.#readAnswer(id, answer));
      }
    }
    return outcomes;
  }

  async #readAnswer(id: StepId, answer: NonNullable<ManualResult["answer"]>): Promise<HandOutcome> {
    const step = this.#openStep(id);
    const now = await this.#currentBlock(step.block);
    if (now === undefined) throw new EmendError("plan-step", `There is no ${printCodeBlock(step.block)} any more.`);
    const read = await answer(this.#question(step, now.block, now.text));
    this.#throwIfAborted();
    if (read.kind === "refused") throw new EmendError("plan-answer", `The answer cannot be used: ${read.reason}`);
    if (read.kind === "unchanged") return { id, note: "The answer was that nothing has to change." };
    const note = ["From a pasted answer.", ...(read.note === undefined ? [] : [read.note])].join(" ");
    return { id, edit: read.edit, note };
  }

  async #settleByHand({ id, edit, note }: HandOutcome): Promise<void> {
    const step = this.#openStep(id);
    if (edit === undefined) await this.#settle(id, "unchanged", note ?? "Completed by a person without a change.");
    else await this.#settleEdit(step, edit, { kind: "person" }, { note });
  }

  /** Tries the rules again for all obligations: a person's change may show what to write there. */
  async #followExamples(): Promise<void> {
    for (const { id, status, isRejected } of this.#state.graph.steps) {
      if (status !== "obligation" || isRejected) continue;
      // An earlier iteration may have given the step other causes or its block another name.
      const step = this.#state.graph.step(id);
      const now = await this.#currentBlock(step.block);
      const isTried = this.#state.graph.visitsTo(blockId(step.block)) >= this.#limits.maxVisits;
      if (now !== undefined && !isTried) await this.#tryMechanical(this.#question(step, now.block, now.text));
    }
  }

  /**
   * The current block of a step and the text of its file; `undefined` when the block or the file is
   * gone.
   */
  async #currentBlock(
    of: PlanStep["block"],
  ): Promise<{ readonly block: CodeBlock; readonly text: string } | undefined> {
    await this.#load([of.path]);
    const block = this.#parts.impact.graph.tryBlock(blockId(of));
    const text = await this.#parts.workspace.textOf(of.path);
    return block === undefined || text === undefined ? undefined : { block, text };
  }

  /**
   * The step, which must be open. Throws `EmendError` `plan-step` when there is none or it is
   * settled.
   */
  #openStep(id: StepId): PlanStep {
    const { steps } = this.#state.graph;
    const step = steps[id - 1];
    if (step === undefined) throw new EmendError("plan-step", `There is no step ${id}: the plan has ${steps.length}.`);
    if (step.status === "obligation" || step.status === "pending") return step;
    throw new EmendError(
      "plan-step",
      `Step ${id} is ${step.status}: only steps that are left to you can be completed by hand.`,
    );
  }

  /**
   * Merges an edit of the current texts and its consequences. The event is appended to the journal
   * before the edit is written.
   */
  async #settleEdit(
    step: PlanStep,
    edit: WorkspaceEdit,
    by: RewriteAuthor,
    { note, also = [] }: { readonly note?: string | undefined; readonly also?: readonly Omit<PlanStep, "id">[] } = {},
  ): Promise<void> {
    const { graph, begun } = this.#state;
    const { id, round } = step;
    const made = makeRewrite(edit, await this.#texts(edit), by);
    const numbered = (from: StepId) => also.map((one, index) => ({ ...one, id: from + index }));
    if (made === undefined)
      return this.#settle(id, "unchanged", note, { ...noConsequences, found: numbered(graph.nextId) });
    await this.#load([...made.changed.keys()]);
    const earlier = graph.steps.flatMap(({ changes = [] }) => changes);
    const report = await this.#parts.impact.impactOf(made.changed, { ...this.#signal, earlier });
    this.#throwIfAborted();
    if (by.kind === "model" && removesWithoutCause(step, this.#state, report)) {
      return this.#settle(
        id,
        "obligation",
        `The model would remove the ${printCodeBlock(step.block)}, which no cause requires.`,
      );
    }
    const path = new Set(graph.pathTo(id).map(({ block }) => blockId(block)));
    const others = new Set([...begun.keys(), id]);
    const request = { graph, report, steps: [step], begun: others, path, round, isStep: this.#isStep };
    const { found, causes, moved } = consequencesOf(request);
    await this.#emit({
      ...{ kind: "step-settled", id, status: "done", rewrite: made.rewrite, changes: report.changes },
      ...(note !== undefined && { note }),
      ...{ found: [...found, ...numbered(graph.nextId + found.length)], causes, moved },
    });
    await this.#write(made, edit);
  }

  async #settle(
    id: StepId,
    status: Exclude<PlanStep["status"], "pending">,
    note?: string,
    consequences: Consequences & Pick<PlanStep, "errors" | "proposal" | "modelFailed"> = noConsequences,
  ): Promise<void> {
    await this.#emit({ kind: "step-settled", id, status, ...(note !== undefined && { note }), ...consequences });
  }

  /** Runs the verification commands that have no result for the current texts. */
  async #runVerifiers(round: number): Promise<PlanOutcome | undefined> {
    for (const verifier of this.#parts.verifiers ?? []) {
      if (this.#state.verifiers.get(verifier.name)?.round !== round) await this.#runVerifier(verifier, round);
      const answer = this.#state.verifiers.get(verifier.name)!;
      if (answer.verdict === "failed" || answer.verdict === "timed-out") {
        return { why: "failed", note: `${verifier.name} ${answer.summary}` };
      }
    }
    return undefined;
  }

  async #runVerifier(verifier: Verifier, round: number): Promise<void> {
    const { signal } = this.#options;
    const verdict = await verifier.run({ signal });
    this.#throwIfAborted();
    const summary = printVerifierResult(verdict);
    await this.#appendFindings(errorsOf(verdict), { verifier: verifier.name, round, verdict: verdict.kind, summary });
  }

  /** Appends findings and the blocks that contain them. */
  async #appendFindings(
    errors: readonly Finding[],
    { verifier, round, verdict, summary = `${errors.length} error${errors.length === 1 ? "" : "s"}` }: FindingsSource,
  ): Promise<void> {
    await this.#load(errors.flatMap(({ path }) => path ?? []));
    const findings: PlacedFinding[] = [];
    for (const finding of errors) {
      const block = await this.#blockOfFinding(finding);
      findings.push({ finding, ...(block !== undefined && { block: blockId(block) }) });
    }
    await this.#emit({ kind: "verifier-finished", round, verifier, verdict, summary, findings });
  }

  async #blockOfFinding({ path, line, column = 0 }: PlacedFinding["finding"]): Promise<CodeBlock | undefined> {
    if (path === undefined || line === undefined) return undefined;
    const text = await this.#parts.workspace.textOf(path);
    if (text === undefined) return undefined;
    const lines = text.split("\n");
    const start = lines.slice(0, line).reduce((sum, one) => sum + one.length + 1, 0);
    const lineText = lines[line] ?? "";
    const offset = start + Math.min(Math.max(column, lineText.search(/\S|$/)), lineText.length);
    return this.#parts.impact.graph.blockAt(path, offset);
  }

  #question(step: PlanStep, block: CodeBlock, text: string): StepRequest {
    const { instruction, graph } = this.#state;
    return {
      ...(instruction !== undefined && { instruction }),
      ...{ step, block, text, plan: graph, graph: this.#parts.impact.graph },
      textOf: (path) => this.#parts.workspace.textOf(path),
    };
  }

  get #isStep(): NonNullable<PlanLimits["isStep"]> {
    return this.#limits.isStep ?? (this.#model === undefined ? needsChange : needsModel);
  }

  async #blockOfSeed(id: BlockId): Promise<CodeBlock> {
    const path = pathOfBlockId(id);
    await this.#load([path]);
    const block = this.#parts.impact.graph.tryBlock(id);
    if (block !== undefined) return block;
    const known = this.#parts.impact.graph.blocksOf(path).map(({ kind, name }) => `${kind}:${name}`);
    const hint = known.length === 0 ? "This file has no known block." : `The file has ${known.slice(0, 8).join(", ")}.`;
    throw new EmendError("plan-seed", `There is no block ${id}. ${hint}`);
  }

  /**
   * A write of the journal, for the current texts. Throws `EmendError` `plan-moved-on` when the
   * texts are not those that it was made for.
   */
  async #repeatWrite({ edit, undo, step }: PlanWrite): Promise<MadeRewrite> {
    const made = tryMakeRewrite(edit, await this.#texts(edit));
    const { rewrite } = this.#state.graph.step(step);
    // A write that was moved when others were reverted has another diff.
    const isAsItWas = rewrite?.edit !== edit || rewrite.diff === made?.rewrite.diff;
    if (made !== undefined && isAsItWas && JSON.stringify(made.rewrite.undo) === JSON.stringify(undo)) return made;
    const message = `${pathsOfEdit(edit).join(", ")} changed since the plan was started, so it cannot continue. Revert these changes, or start a new plan.`;
    throw new EmendError("plan-moved-on", message);
  }

  async #write({ changed }: Pick<MadeRewrite, "changed">, edit: WorkspaceEdit): Promise<void> {
    const { instruction = "" } = this.#state;
    await this.#parts.workspace.write(edit, { instruction, ...this.#signal });
    await this.#parts.impact.update(changed, this.#signal);
  }

  async #texts(edit: WorkspaceEdit): Promise<FileTexts> {
    const texts = new Map<string, string>();
    for (const path of pathsOfEdit(edit)) {
      const text = await this.#parts.workspace.textOf(path);
      if (text !== undefined) texts.set(path, text);
    }
    return texts;
  }

  async #recordText(id: StepId, { path }: ModelTask): Promise<void> {
    this.#textsBegun.set(id, (await this.#parts.workspace.textOf(path)) ?? "");
  }

  async #load(paths: readonly string[]): Promise<void> {
    await this.#parts.impact.load?.(paths, this.#signal);
    this.#throwIfAborted();
  }

  get #signal(): AbortOptions {
    return { signal: this.#options.signal };
  }

  #throwIfAborted(): void {
    this.#options.signal?.throwIfAborted();
  }

  #emit(event: PlanEvent): Promise<void> {
    const appended = this.#appended.then(async () => {
      await this.#parts.journal.append(event);
      this.#state = afterEvent(this.#state, event);
      this.queue.push(event);
    });
    this.#appended = appended;
    return appended;
  }
}

/** Why a model that failed carries out no step, as the end of a sentence. */
function failureWords({ code }: ModelError): string {
  switch (code) {
    case "unsupported":
      return "the model takes no instructions";
    case "context-too-long":
      return "the prompt does not fit into the model's context";
    case "unreachable":
      return "the model cannot be reached";
    default:
      return "the model failed";
  }
}

/** Why a plan ended. */
export interface PlanOutcome {
  readonly why: PlanEnd;
  readonly note?: string;
}

/**
 * Whether a change removes the block of its step, although neither an instruction nor a finding nor
 * the removal of another block suggests it.
 */
function removesWithoutCause(step: PlanStep, { instruction, graph }: PlanState, { changes }: ImpactReport): boolean {
  if (step.block.kind === "import" || instruction !== undefined || step.instruction !== undefined) return false;
  const suggests = (cause: PlanStep["causes"][number]) =>
    cause.kind === "finding" ||
    ("from" in cause && (graph.step(cause.from).changes ?? []).some(({ label }) => label.startsWith("D")));
  const isOwn = ({ before, after }: ImpactReport["changes"][number]) =>
    before !== undefined && after === undefined && blockId(before) === blockId(step.block);
  return changes.some(isOwn) && !step.causes.some(suggests);
}

/** All edits of the seeds as one. Throws `EmendError` `plan-seed` when two change the same file. */
function editOfSeeds(seeds: readonly PlanSeed[]): WorkspaceEdit {
  const edits = seeds.flatMap((seed) => (seed.kind === "edits" ? [seed.edit] : []));
  const paths = edits.flatMap(pathsOfEdit);
  const twice = paths.find((path, index) => paths.indexOf(path) !== index);
  if (twice !== undefined) throw new EmendError("plan-seed", `Two seeds change ${twice}: pass them as one edit.`);
  return workspaceEdit(edits.flatMap(({ changes }) => changes));
}

/** The rewrite of an edit; `undefined` when it does not apply or changes nothing. */
function tryMakeRewrite(edit: WorkspaceEdit, texts: FileTexts): MadeRewrite | undefined {
  if (applyWorkspaceEdit(texts, edit).kind === "refused") return undefined;
  return makeRewrite(edit, texts, { kind: "person" });
}
