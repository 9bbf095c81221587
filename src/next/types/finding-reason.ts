import type { TypeFinding } from "../../codebase/index.ts";
import { oneLine } from "../../text/index.ts";

/** A checker's message, as the end of "Suggested": its first sentence. */
export function findingReason({ message }: Pick<TypeFinding, "message">): string {
  const said = oneLine(message).replace(/\.$/, "");
  return said.length <= maxReason ? said : `${said.slice(0, maxReason - 1)}…`;
}

const maxReason = 120;
