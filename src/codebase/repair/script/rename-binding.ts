import type { Program } from "oxc-parser";
import type { TextEdit } from "../../../text/text-edit.ts";
import { bindingUses } from "./binding-uses.ts";

/**
 * Renames what the top level of a script binds, at its uses: `{ name }` becomes `{ name: to }`, and
 * what it exports is exported under the new name. The place that binds it is left as it is.
 *
 * `undefined` where the new name means something else already at one of the places. Law: renamed
 * there and back, the text is as before, but for `{ to: to }`, which says what `{ to }` says.
 */
export function renameUses(program: Program, name: string, to: string): readonly TextEdit[] | undefined {
  const { uses, collides } = bindingUses(program, name, to);
  if (collides || uses.some(({ isShadowed }) => isShadowed)) return undefined;
  return uses.map(({ start, end, form }) =>
    form === "shorthand" ? { start: end, end, text: `: ${to}` } : { start, end, text: to },
  );
}
