import type { TypeDiagnostic } from "../../../codebase/index.ts";
import { oneLine } from "../../../text/index.ts";

/**
 * Returns the first line of a diagnostic's message as a reason, the end of "Suggested": without a
 * full stop and cut at 120 UTF-16 units.
 */
export function diagnosticReason({ message }: Pick<TypeDiagnostic, "message">): string {
  const text = oneLine(message).replace(/\.$/, "");
  return text.length <= maxReason ? text : `${text.slice(0, maxReason - 1)}…`;
}

const maxReason = 120;
