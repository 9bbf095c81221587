import type { BlockId } from "../analysis/index.ts";
import type { ContextText } from "../model/index.ts";
import { Edit, type TextEdit, type TextRange, type WorkspaceEdit } from "../text/index.ts";
import type { BlockRewrite } from "./block-rewrite.ts";
import type { PlanStep, StepCause, StepId, StepStatus } from "./plan-graph.ts";
import type { Finding } from "./verification/finding.ts";

/**
 * An event of a plan. The journal is the list of events and only grows.
 *
 * The state of a plan is the fold of its events, so a killed plan continues from its journal. Each
 * event is stored completely or not at all, and what belongs together is one event: a step is
 * settled together with its consequences. A model's answer is stored before it is used, so that no
 * request is repeated.
 */
export type PlanEvent =
  | {
      readonly kind: "plan-started";
      /** The plan's name, which names its journal and its branch. */
      readonly plan: string;
      readonly instruction?: string;
      /** The commit that the plan is based on. */
      readonly base: string;
      readonly seeds: readonly PlanSeed[];
      /** In milliseconds since 1970. */
      readonly at: number;
    }
  /** An ended plan continues, with other limits or after a person's work. */
  | { readonly kind: "plan-resumed"; readonly at: number }
  /**
   * The steps that a round begins with; rounds count from 1. Edits of seeds are done, and what they
   * affect is pending.
   */
  | ({ readonly kind: "round-started"; readonly round: number } & Consequences)
  /** Model requests for several steps start, all for the current texts. */
  | { readonly kind: "steps-begun"; readonly tasks: readonly { readonly id: StepId; readonly task: ModelTask }[] }
  /** A model's complete answer to the request with this name. */
  | ({ readonly kind: "model-answered"; readonly id: StepId; readonly request: string } & ModelAnswer)
  /**
   * The step is pending again: the model's edit no longer fits the texts, or the model failed, also
   * in an earlier run that left the step to a person.
   */
  | { readonly kind: "step-reopened"; readonly id: StepId; readonly why: string }
  | ({
      readonly kind: "step-settled";
      readonly id: StepId;
      readonly status: Exclude<StepStatus, "pending">;
      readonly rewrite?: BlockRewrite;
      readonly changes?: PlanStep["changes"];
      readonly note?: string;
      readonly errors?: PlanStep["errors"];
      readonly proposal?: PlanStep["proposal"];
      readonly modelFailed?: PlanStep["modelFailed"];
    } & Consequences)
  /** A person rejected a step; its rewrite and those that follow from it are reverted. */
  | {
      readonly kind: "step-rejected";
      readonly id: StepId;
      readonly reason?: string;
      /** The steps whose rewrites are reverted, including `id`. */
      readonly reverted: readonly StepId[];
      /** The steps that have no cause left. */
      readonly dropped: readonly StepId[];
      /** The steps that still have causes and become pending again. */
      readonly replanned: readonly StepId[];
      /** The edit that reverts the rewrites, for the current texts. */
      readonly edit: BlockRewrite["edit"];
    }
  | {
      readonly kind: "verifier-finished";
      /** 0 for the result before the plan. */
      readonly round: number;
      readonly verifier: string;
      readonly verdict: "no-findings" | "findings" | "failed" | "timed-out";
      /** The result in one line. */
      readonly summary: string;
      readonly findings: readonly PlacedFinding[];
    }
  | { readonly kind: "plan-ended"; readonly why: PlanEnd; readonly note?: string };

/**
 * The consequences of a change: new steps, further causes of pending steps, and pending steps whose
 * block was renamed or moved.
 */
export interface Consequences {
  readonly found: readonly PlanStep[];
  readonly causes: readonly { readonly id: StepId; readonly cause: StepCause }[];
  readonly moved: readonly { readonly id: StepId; readonly block: PlanStep["block"] }[];
}

/** No consequences. */
export const noConsequences: Consequences = { found: [], causes: [], moved: [] };

/** A model's answer. */
export interface ModelAnswer {
  readonly text: string;
  /** `stopped`: the rest of the answer was not needed. */
  readonly end: "finished" | "length" | "silent" | "content-filter" | "stopped";
  /** The number of tokens in the prompt and in the answer, counted or estimated. */
  readonly shownTokens: number;
  readonly writtenTokens: number;
}

/** An error that a verification command reports, and the block that contains it. */
export interface PlacedFinding {
  readonly finding: Finding;
  /** A `BlockId`; absent outside all blocks. */
  readonly block?: string;
}

/**
 * Why a plan ended: `done` when the verification commands succeed and nothing is open,
 * `obligations` when the rest is left to a person, `failed` when a verification command failed; the
 * others are limits.
 */
export type PlanEnd = "done" | "obligations" | "rounds" | "steps" | "tokens" | "money" | "failed";

/**
 * A model's task for a step. Plain data; together with the file's text and the model's answers it
 * determines the requests, so a killed plan repeats the same ones.
 */
export interface ModelTask {
  readonly path: string;
  /** The language's id in the registry. */
  readonly language: string;
  /**
   * The regions that the model may rewrite: the block first, then the imports. In UTF-16 units of
   * the file's text when the step starts.
   */
  readonly regions: readonly TextRange[];
  readonly instruction: string;
  /** Context texts, in the order of the prompt. */
  readonly context: readonly ContextText[];
  /** The estimated number of tokens of the prompt. */
  readonly tokens: number;
}

/** An event as JSON, without line breaks. */
export function planEventToJson(event: PlanEvent): string {
  return JSON.stringify(event);
}

/** The event from the JSON of {@link planEventToJson}. Throws `SyntaxError` for invalid JSON. */
export function planEventFromJson(json: string): PlanEvent {
  return parseWithEdits(json) as PlanEvent;
}

/** Parses JSON and restores each `Edit` in it. Throws `SyntaxError` for invalid JSON. */
export function parseWithEdits(json: string): unknown {
  return JSON.parse(json, (_, value: unknown) => (isEdit(value) ? Edit.of(value.edits) : value));
}

/**
 * Whether a value is the JSON form of an `Edit`: an object whose only key is `edits`. No other
 * stored value has this form.
 */
function isEdit(value: unknown): value is { readonly edits: readonly TextEdit[] } {
  if (typeof value !== "object" || value === null || !("edits" in value)) return false;
  return Object.keys(value).length === 1 && Array.isArray(value.edits);
}

/** What a plan starts with. Plain data. */
export type PlanSeed =
  /** An instruction for a block. */
  | { readonly kind: "instruction"; readonly block: BlockId; readonly instruction: string }
  /**
   * A change that was already made, for the texts before it. The plan starts before it and makes it
   * again as its first steps.
   */
  | { readonly kind: "edits"; readonly edit: WorkspaceEdit }
  /**
   * Findings that the plan has to repair: those of the verification commands before the plan, or
   * the given ones.
   */
  | { readonly kind: "findings"; readonly given?: GivenFindings };

/** Findings from elsewhere, such as an earlier run. */
export interface GivenFindings {
  /** The name of their origin, such as the file that contains them. */
  readonly source: string;
  /** Errors for the current texts, with paths relative to the workspace's root. */
  readonly findings: readonly Finding[];
}

/** Whether a plan is about all findings of its verification commands. */
export function isAboutVerifiers(seeds: readonly PlanSeed[]): boolean {
  return seeds.some((seed) => seed.kind === "findings" && seed.given === undefined);
}

/** The given findings among the seeds. */
export function givenFindingsOf(seeds: readonly PlanSeed[]): readonly GivenFindings[] {
  return seeds.flatMap((seed) => (seed.kind === "findings" && seed.given !== undefined ? [seed.given] : []));
}
