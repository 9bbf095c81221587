import type { BlockRewrite } from "./block-rewrite.ts";
import type { ModelTask } from "./model-task.ts";
import type { Finding } from "./oracles/finding.ts";
import type { PlanStep, StepCause, StepId, StepStatus } from "./plan-graph.ts";
import type { PlanSeed } from "./plan-seed.ts";

/**
 * What happened in a plan, in order: its journal, which only grows.
 *
 * The state of a plan is the fold of its events, so a plan that was killed goes on from its journal. Each event is written whole or not
 * at all, and what belongs together is one event: a step is settled together with what follows from it. What a model answered is
 * written before it is used: no call is made twice.
 */
export type PlanEvent =
  | {
      readonly kind: "plan-started";
      /** Names the plan: its journal, its branch. */
      readonly plan: string;
      readonly instruction?: string;
      /** The commit that it stands on. */
      readonly base: string;
      readonly seeds: readonly PlanSeed[];
      /** In milliseconds since 1970. */
      readonly at: number;
    }
  /** A plan that had ended goes on, with other limits or after a person's word. */
  | { readonly kind: "plan-resumed"; readonly at: number }
  /** The seeds of a round, from 1, as steps; edits that were there already are done, and what they affect is pending. */
  | ({ readonly kind: "round-started"; readonly round: number } & Consequences)
  /** Steps that a model is asked about, at once, all on the texts as they are now. */
  | { readonly kind: "steps-begun"; readonly tasks: readonly { readonly id: StepId; readonly task: ModelTask }[] }
  /** A model's whole answer to the question of this name. */
  | ({ readonly kind: "model-answered"; readonly id: StepId; readonly question: string } & ModelAnswer)
  /** The model's edit for a step no longer fits the texts: it is pending again, and is asked anew. */
  | { readonly kind: "step-put-back"; readonly id: StepId; readonly why: string }
  | ({
      readonly kind: "step-settled";
      readonly id: StepId;
      readonly status: Exclude<StepStatus, "pending">;
      readonly rewrite?: BlockRewrite;
      readonly changes?: PlanStep["changes"];
      readonly note?: string;
    } & Consequences)
  /** A person takes a step's rewrite back, and with it what follows from it. */
  | {
      readonly kind: "step-rejected";
      readonly id: StepId;
      readonly reason?: string;
      /** The steps whose rewrites are taken back, itself among them. */
      readonly takenBack: readonly StepId[];
      /** Those that have no cause left. */
      readonly dropped: readonly StepId[];
      /** Those that have causes left, and are to be looked at once more. */
      readonly replanned: readonly StepId[];
      /** What takes the rewrites back, on the texts as they are now. */
      readonly edit: BlockRewrite["edit"];
    }
  | {
      readonly kind: "oracle-answered";
      /** 0 for what it said before the plan. */
      readonly round: number;
      readonly oracle: string;
      readonly verdict: "silent" | "findings" | "failed" | "timed-out";
      /** What it said in one line. */
      readonly said: string;
      readonly findings: readonly PlacedFinding[];
    }
  | { readonly kind: "plan-ended"; readonly why: PlanEnd; readonly note?: string };

/** What follows from a change: new steps, further causes of pending ones, and pending ones whose block has another name or place now. */
export interface Consequences {
  readonly found: readonly PlanStep[];
  readonly causes: readonly { readonly id: StepId; readonly cause: StepCause }[];
  readonly moved: readonly { readonly id: StepId; readonly block: PlanStep["block"] }[];
}

/** The consequences of what has none. */
export const noConsequences: Consequences = { found: [], causes: [], moved: [] };

/** What a model said. */
export interface ModelAnswer {
  readonly text: string;
  /** `stopped`: the rest was of no use. */
  readonly end: "finished" | "length" | "silent" | "content-filter" | "stopped";
  /** How many tokens it was shown, and how many it wrote, as they are counted or estimated. */
  readonly shownTokens: number;
  readonly writtenTokens: number;
}

/** An error that an oracle found, and the block that it lies in. */
export interface PlacedFinding {
  readonly finding: Finding;
  /** A `BlockId`. */
  readonly block?: string;
}

/**
 * Why a plan stopped: `content` where the oracles are content and nothing is left, `obligations` where the rest is for a person, `failed`
 * where a model or an oracle could not do its work, the others where a limit was reached.
 */
export type PlanEnd = "content" | "obligations" | "rounds" | "steps" | "tokens" | "money" | "failed";
