import { parseSync } from "oxc-parser";
import type { ScriptTreeParser } from "../graph/script-tree.ts";

/** Reads the tree of a script with `oxc-parser`, in this process. Its offsets are UTF-16 already. */
export const parseScriptTree: ScriptTreeParser = (text, { kind, source }) => {
  const result = parseSync(`text.${kind === "dts" ? "d.ts" : kind}`, text, { lang: kind, sourceType: source });
  const { program, comments } = result;
  // It gives up on what it cannot mend, and then answers with an empty program.
  return program.body.length === 0 && result.errors.length > 0 ? undefined : { program, comments };
};
