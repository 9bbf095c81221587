import type { PlanStartParams } from "../../../src/server/protocol/plan-protocol.ts";

/** What a plan starts from. `findings` are the errors of the verification commands. */
export type PlanStart = "changes" | "cursor" | "range" | "findings";

/** The values of the form that starts a plan. Plain data. */
export interface PlanFormDraft {
  readonly startFrom: PlanStart;
  readonly instruction: string;
  /** A commit range of git, such as `main...`. */
  readonly range: string;
  /** The verification commands, one per line. */
  readonly verifiers: string;
  /** Whether a model is requested where no repair rule applies. */
  readonly usesModel: boolean;
  /** Limits as typed; empty for the default. */
  readonly maxSteps: string;
  readonly maxRounds: string;
  readonly maxTokens: string;
}

/** Starts from the uncommitted changes, without verification commands. */
export const defaultDraft: PlanFormDraft = {
  ...{ startFrom: "changes", instruction: "", range: "", verifiers: "", usesModel: true },
  ...{ maxSteps: "", maxRounds: "", maxTokens: "" },
};

/** A line of a document, from 0. */
export interface CursorPlace {
  readonly uri: string;
  readonly line: number;
}

/** The parameters of the request, or a sentence about a missing or invalid value. */
export type DraftResult =
  | { readonly kind: "ready"; readonly params: PlanStartParams }
  | { readonly kind: "missing"; readonly what: string };

/** Reads the values of the form. */
export function readDraft(draft: PlanFormDraft, cursor: CursorPlace | undefined): DraftResult {
  const { startFrom, usesModel } = draft;
  const instruction = draft.instruction.trim();
  const range = draft.range.trim();
  const verifiers = draft.verifiers.split("\n").flatMap((line) => line.trim() || []);
  if (startFrom === "cursor" && instruction === "") return missing("Enter an instruction.");
  if (startFrom === "cursor" && cursor === undefined)
    return missing("Open a file and place the cursor where the plan starts.");
  if (startFrom === "range" && range === "") return missing("Enter a commit range, such as main... or HEAD~1.");
  if (startFrom === "findings" && verifiers.length === 0)
    return missing("Enter a verification command whose errors are to be repaired.");
  const limits: Record<string, number> = {};
  for (const [name, typed] of Object.entries({
    maxSteps: draft.maxSteps,
    maxRounds: draft.maxRounds,
    maxTokens: draft.maxTokens,
  })) {
    if (typed.trim() === "") continue;
    if (!/^[1-9]\d*$/.test(typed.trim())) return missing("A limit is an integer from 1, or empty for the default.");
    limits[name] = Number(typed);
  }
  const starts: Readonly<Record<PlanStart, Pick<PlanStartParams, "at" | "seed">>> = {
    changes: {},
    cursor: cursor === undefined ? {} : { at: cursor },
    range: { seed: range },
    findings: { seed: "findings" },
  };
  const params: PlanStartParams = {
    ...starts[startFrom],
    ...limits,
    ...(instruction !== "" && { instruction }),
    ...(verifiers.length > 0 && { verifiers }),
    ...(!usesModel && { models: [] }),
  };
  return { kind: "ready", params };
}

function missing(what: string): DraftResult {
  return { kind: "missing", what };
}
