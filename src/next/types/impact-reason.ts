import { type AtomicChange, type ImpactReach, relationWords } from "../../codebase/index.ts";

/** Why a block may be affected, for a person: `calls send, whose parameters changed`. */
export function impactReason({ relation, change }: Pick<ImpactReach, "relation" | "change">): string {
  const { before, after } = change;
  const name = (before ?? after)?.simpleName || (before ?? after)?.name || "it";
  return `${relationWords[relation]} ${name}, ${changeWords(change)}`;
}

function changeWords({ label, before, after, addedNames, removedNames, changedNames }: AtomicChange): string {
  const parts = [...addedNames, ...removedNames, ...changedNames];
  switch (label) {
    case "RENAME":
      return `which is ${after?.simpleName ?? "another"} now`;
    case "MOVE":
      return `which is in ${after?.path ?? "another file"} now`;
    case "MMB":
      return "which does something else now";
    case "MMS":
    case "MCC":
      return parts.length > 0 ? "whose parameters changed" : "whose signature changed";
    case "AX":
      return "which is exported now";
    case "DX":
      return "which is exported no more";
    default:
      if (before === undefined) return "which is new";
      if (after === undefined) return "which is no more";
      return parts.length > 0 && parts.length <= maxParts ? `of which ${parts.join(", ")} changed` : "which changed";
  }
}

/** So many names are told. */
const maxParts = 3;
