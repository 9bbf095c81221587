import { invariant } from "../text/index.ts";
import type { EditFormat, FormatName } from "./edit-format.ts";
import { elided } from "./elided.ts";
import { lineCommands } from "./line-commands.ts";
import { numbered } from "./numbered.ts";
import { range } from "./range.ts";
import { searchReplace } from "./search-replace.ts";
import { strReplace } from "./str-replace.ts";
import { udiff } from "./udiff.ts";
import { v4a } from "./v4a.ts";
import { whole } from "./whole.ts";

/** All edit formats, our own first. */
export const formats: readonly EditFormat[] = [
  range,
  numbered,
  whole,
  searchReplace,
  udiff,
  v4a,
  strReplace,
  elided,
  lineCommands,
];

/** Returns the format of a name. Throws `InvariantError` where there is none. */
export function formatNamed(name: FormatName): EditFormat {
  const format = formats.find((one) => one.name === name);
  invariant(format !== undefined, () => `There is no format ${name}`);
  return format;
}
