import { oneLine } from "../../text/index.ts";
import type { FilterReason } from "./outcome.ts";

/**
 * Returns one line on why a proposal is filtered out, to be put behind "filtered out:". Settings
 * have the names of the settings file.
 */
export function describeFilterReason(reason: FilterReason): string {
  switch (reason.kind) {
    case "nothing-changes":
      return "the document already contains this change";
    case "white-space-only":
      return "it changes only white space, and next.whiteSpace is off";
    case "import-only":
      return "it changes only imports, and next.imports is off";
    case "too-many-lines":
      return `it has ${reason.lines.toLocaleString("en")} lines, more than next.maxLines`;
    case "special-mark":
      return `it inserts ${JSON.stringify(reason.mark)}, a special token of models or a conflict marker`;
    case "control-character":
      return `it inserts ${reason.code}, an invisible character or half of one, and the file contains none`;
    case "goes-back":
      return reason.stepsAgo === 1 ? "it reverts the last edit" : `it reverts the last ${reason.stepsAgo} edits`;
    case "deletes-typed":
      return `it deletes ${quoted(reason.text)}, which was typed ${ago(reason.stepsAgo)}`;
    case "restores-deleted":
      return `it restores ${quoted(reason.text)}, which was deleted ${ago(reason.stepsAgo)}`;
    case "rejected":
      return "it was rejected before";
    case "unlikely":
      return `its likelihood is below ${percent(reason.threshold)}, the minimum of ${reason.setting ?? "next.eagerness"}`;
    case "secret-file":
      return "its file may contain keys or passwords";
    case "ignored-file":
      return "its file is ignored";
    case "breaks-syntax":
      return `it adds a syntax error: ${oneLine(reason.issue.message)}`;
    case "leaves-undeclared":
      return `it removes the declaration of ${reason.names.map(quoted).join(", ")}, which is still used`;
    case "unknown-members":
      return `it uses the member ${reason.names.map(quoted).join(", ")}, which the workspace does not contain`;
    case "mends-nothing":
      return "it concerns something else of the same name: it fixes no type error";
    case "other-member":
      return "it renames another member of the same name, according to the type checker";
    case "breaks-types": {
      const [first, ...others] = reason.findings;
      const more = others.length === 0 ? "" : `, and ${others.length} more`;
      return `it adds a type error${first === undefined ? "" : `: ${oneLine(first.message)}`}${more}`;
    }
  }
}

/** Formats a share from 0 to 1 as a percentage: `85 %`. */
export function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

function quoted(text: string): string {
  const line = oneLine(text.trim());
  return JSON.stringify(line.length > 40 ? `${line.slice(0, 39)}…` : line);
}

function ago(steps: number): string {
  return steps === 1 ? "with the last edit" : `${steps} edits ago`;
}
