import type { CodeBlock } from "../graph/code-block.ts";

/**
 * The atomic changes of a program, labelled as in CodePlan's Table 1 and extended to what modules
 * and types add.
 *
 * M modify, A add, D delete; MB method body, MS method signature (a function's, too), F field, C
 * class header, CC constructor, I import, X export, T interface or type, E enum, V variable, S
 * statement or test. `MOVE` is a move to another file.
 */
export type ChangeLabel =
  | "MMB"
  | "MMS"
  | "MF"
  | "MC"
  | "MCC"
  | "MI"
  | "MX"
  | "MT"
  | "ME"
  | "MV"
  | "MS"
  | "AM"
  | "AF"
  | "AC"
  | "ACC"
  | "AI"
  | "AX"
  | "AT"
  | "AE"
  | "AV"
  | "AS"
  | "DM"
  | "DF"
  | "DC"
  | "DCC"
  | "DI"
  | "DX"
  | "DT"
  | "DE"
  | "DV"
  | "DS"
  | "RENAME"
  | "MOVE";

/**
 * One atomic change: what it is, and the block before and after, as far as there is one. Plain
 * data.
 */
export interface AtomicChange {
  readonly label: ChangeLabel;
  readonly before?: CodeBlock;
  readonly after?: CodeBlock;
  /** The text of the block's own part, before and after. */
  readonly beforeText?: string;
  readonly afterText?: string;
  /**
   * Names of members, parameters, enum members or imported names that went, came, or changed their
   * declaration.
   */
  readonly removedNames: readonly string[];
  readonly addedNames: readonly string[];
  readonly changedNames: readonly string[];
  /**
   * Of a body, or of the value of a constant or field that has a type: whether what it changes can
   * be seen outside (a returned value, a field, a thrown error, a parameter's object). Absent where
   * the signature changed.
   */
  readonly escapes?: boolean;
  /** Of a body: the names of what it calls with other arguments than before. */
  readonly passesOther?: readonly string[];
  /** Of a body: whether all that changed is in the arguments of calls. */
  readonly isInArguments?: boolean;
  /**
   * Of a RENAME or a MOVE: how alike the block is to what it was but for its name, above 0 and up
   * to 1.
   */
  readonly likeness?: number;
}

/** Prints a change in one line, as tests and logs show it: `MMS Complex.add -b +c`. */
export function printAtomicChange(change: AtomicChange): string {
  const { label, before, after, removedNames, addedNames, changedNames, escapes } = change;
  const name = (after ?? before)?.name ?? "";
  const isElsewhere = label === "MOVE" || (label === "RENAME" && before?.path !== after?.path);
  const from = label === "RENAME" ? ` from ${before?.name}` : isElsewhere ? ` from ${before?.path}` : "";
  return [
    `${label} ${name}${from}`,
    ...removedNames.map((one) => `-${one}`),
    ...addedNames.map((one) => `+${one}`),
    ...changedNames.map((one) => `~${one}`),
    ...(escapes === undefined ? [] : [escapes ? "escapes" : "local"]),
  ].join(" ");
}
