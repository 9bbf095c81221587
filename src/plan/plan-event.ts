import type { Finding } from "./oracles/finding.ts";
import type { PlanStep, StepId } from "./plan-graph.ts";

/**
 * What happened in a plan, in order: its journal, which only grows.
 *
 * The state of a plan is the fold of its events, so a plan that was killed goes on from its journal. What a model answered is written before it is
 * used: no call is made twice.
 */
export type PlanEvent =
  | {
      readonly kind: "plan-started";
      /** Names the plan: its journal, its branch. */
      readonly plan: string;
      readonly instruction?: string;
      /** The commit that it stands on. */
      readonly base: string;
      /** In milliseconds since 1970. */
      readonly at: number;
    }
  | { readonly kind: "step-found"; readonly step: PlanStep }
  /** Another reason for a step that is pending. */
  | { readonly kind: "cause-added"; readonly id: StepId; readonly cause: PlanStep["causes"][number] }
  | { readonly kind: "step-begun"; readonly id: StepId }
  /** A model's whole answer to the question with this hash. */
  | {
      readonly kind: "model-answered";
      readonly id: StepId;
      readonly question: string;
      readonly answer: string;
      readonly tokens?: number;
    }
  | {
      readonly kind: "step-settled";
      readonly id: StepId;
      readonly status: Exclude<PlanStep["status"], "pending">;
      readonly rewrite?: PlanStep["rewrite"];
      readonly changes?: PlanStep["changes"];
      readonly note?: string;
    }
  /** A person takes a step's rewrite back, or gives an obligation's by hand. */
  | { readonly kind: "step-rejected"; readonly id: StepId; readonly reason?: string }
  | {
      readonly kind: "oracle-answered";
      readonly round: number;
      readonly oracle: string;
      readonly findings: readonly Finding[];
      /** Whether it could be run at all. */
      readonly verdict: "silent" | "findings" | "failed" | "timed-out";
    }
  | { readonly kind: "plan-ended"; readonly why: PlanEnd; readonly note?: string };

/**
 * Why a plan stopped: `content` where the oracle is silent and nothing is left, `obligations` where the rest is for a person,
 * the others where a limit was reached or somebody stopped it.
 */
export type PlanEnd = "content" | "obligations" | "rounds" | "steps" | "tokens" | "money" | "stopped" | "failed";
