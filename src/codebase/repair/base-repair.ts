import { followedBase } from "./base-signature.ts";
import type { RepairRule } from "./repair.ts";

/** Gives a member the parameters that its base or its interface asks for now, where it had those that it asked for before. */
export const baseSignature: RepairRule = (question) => {
  // "Property 'run' in type 'Own' is not assignable to the same property in base type 'Base'."
  if (question.finding.code !== "2416") return [];
  const edit = followedBase(question, question.facts, question.tree);
  return edit === undefined ? [] : [{ certainty: "follows", edits: [edit] }];
};
