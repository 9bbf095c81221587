import type { PlanStartParams } from "../../../src/server/protocol/plan-protocol.ts";

/** In what a plan begins. */
export type PlanBeginning = "changes" | "cursor" | "range" | "findings";

/** What a person fills in to begin a plan. Plain data. */
export interface PlanWish {
  readonly beginning: PlanBeginning;
  readonly instruction: string;
  /** Of git, such as `main...`. */
  readonly range: string;
  /** One command a line. */
  readonly oracles: string;
  /** Whether a model is asked where no rule knows what to do. */
  readonly asksModel: boolean;
  /** Numbers as they are typed; empty for none. */
  readonly maxSteps: string;
  readonly maxRounds: string;
  readonly maxTokens: string;
}

/** What follows from the changes that git sees, with no check. */
export const usualWish: PlanWish = {
  ...{ beginning: "changes", instruction: "", range: "", oracles: "", asksModel: true },
  ...{ maxSteps: "", maxRounds: "", maxTokens: "" },
};

/** A line of a document, from 0. */
export interface CursorPlace {
  readonly uri: string;
  readonly line: number;
}

/** What the server is asked, or what is missing, as a sentence. */
export type ReadWish =
  | { readonly kind: "ready"; readonly params: PlanStartParams }
  | { readonly kind: "missing"; readonly what: string };

/** Reads what was filled in. */
export function readWish(wish: PlanWish, cursor: CursorPlace | undefined): ReadWish {
  const { beginning, asksModel } = wish;
  const instruction = wish.instruction.trim();
  const range = wish.range.trim();
  const oracles = wish.oracles.split("\n").flatMap((line) => line.trim() || []);
  if (beginning === "cursor" && instruction === "") return missing("Say what is to be done at the cursor.");
  if (beginning === "cursor" && cursor === undefined)
    return missing("Open a file, and put the cursor where it is to begin.");
  if (beginning === "range" && range === "") return missing("Name a range of git, such as main... or HEAD~1.");
  if (beginning === "findings" && oracles.length === 0) return missing("Name a check whose errors are to be mended.");
  const limits: Record<string, number> = {};
  for (const [name, typed] of Object.entries({
    maxSteps: wish.maxSteps,
    maxRounds: wish.maxRounds,
    maxTokens: wish.maxTokens,
  })) {
    if (typed.trim() === "") continue;
    if (!/^[1-9]\d*$/.test(typed.trim())) return missing("A limit is a whole number from 1, or empty for none.");
    limits[name] = Number(typed);
  }
  const begins: Readonly<Record<PlanBeginning, Pick<PlanStartParams, "at" | "seed">>> = {
    changes: {},
    cursor: cursor === undefined ? {} : { at: cursor },
    range: { seed: range },
    findings: { seed: "findings" },
  };
  const params: PlanStartParams = {
    ...begins[beginning],
    ...limits,
    ...(instruction !== "" && { instruction }),
    ...(oracles.length > 0 && { oracles }),
    ...(!asksModel && { models: [] }),
  };
  return { kind: "ready", params };
}

function missing(what: string): ReadWish {
  return { kind: "missing", what };
}
