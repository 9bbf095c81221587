import { chat } from "./chat.ts";
import { fillInTheMiddle } from "./fill-in-the-middle.ts";
import { instinct } from "./instinct.ts";
import { mercury } from "./mercury.ts";
import type { NextEditFormat, NextEditFormatName } from "./next-edit-format.ts";
import { sweep } from "./sweep.ts";
import { unified } from "./unified.ts";
import { zeta } from "./zeta.ts";
import { zeta2 } from "./zeta-2.ts";
import { zeta21 } from "./zeta-2-1.ts";

/**
 * All formats: those of models that were trained for next edits first, then those for any model.
 */
export const nextEditFormats: readonly NextEditFormat[] = [
  zeta,
  zeta2,
  zeta21,
  sweep,
  instinct,
  mercury,
  unified,
  chat,
  fillInTheMiddle,
];

/** Returns the format of that name, or `undefined`. */
export function nextEditFormatNamed(name: NextEditFormatName | string): NextEditFormat | undefined {
  return nextEditFormats.find((format) => format.name === name);
}
