import { oneLine } from "../text/index.ts";
import type { HoldReason } from "./outcome.ts";

/** Why a proposal is withheld, in a line for a person, as the end of "withheld:". Settings are named as the file of settings names them. */
export function printHoldReason(reason: HoldReason): string {
  switch (reason.kind) {
    case "nothing-changes":
      return "the text says so already";
    case "white-space-only":
      return "it changes blanks alone, and next.whiteSpace is off";
    case "import-only":
      return "it changes imports alone, and next.imports is off";
    case "too-many-lines":
      return `it is of ${reason.lines.toLocaleString("en")} lines, more than next.maxLines`;
    case "special-mark":
      return `it writes ${JSON.stringify(reason.mark)}, which is a mark for models and for merging, and no code`;
    case "control-character":
      return `it writes ${reason.code}, half a character or one that nobody sees, and the file has none such`;
    case "goes-back":
      return reason.stepsAgo === 1 ? "it takes back the last edit" : `it takes back the last ${reason.stepsAgo} edits`;
    case "deletes-typed":
      return `it takes away ${quoted(reason.text)}, which was written ${ago(reason.stepsAgo)}`;
    case "restores-deleted":
      return `it brings back ${quoted(reason.text)}, which was taken away ${ago(reason.stepsAgo)}`;
    case "rejected":
      return "it was rejected before";
    case "unlikely":
      return `it is less likely than ${percent(reason.threshold)}, which ${reason.setting ?? "next.eagerness"} wants`;
    case "secret-file":
      return "its file may hold keys or passwords";
    case "ignored-file":
      return "its file is ignored";
    case "breaks-syntax":
      return `it adds an error of syntax: ${oneLine(reason.issue.message)}`;
    case "leaves-undeclared":
      return `it takes away what declares ${reason.names.map(quoted).join(", ")}, which is used as before`;
    case "unknown-members":
      return `it says ${reason.names.map(quoted).join(", ")} of something, which nothing has`;
    case "mends-nothing":
      return "it is of something else by the same name: no error of types goes with it";
    case "breaks-types": {
      const [first, ...others] = reason.findings;
      const more = others.length === 0 ? "" : `, and ${others.length} more`;
      return `it adds an error of types${first === undefined ? "" : `: ${oneLine(first.message)}`}${more}`;
    }
  }
}

/** A share from 0 to 1 as a person reads it: `85 %`. */
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
