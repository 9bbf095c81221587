import type { CodeBlock } from "../graph/code-block.ts";

/**
 * Labels of atomic changes, as in CodePlan's Table 1 and extended to modules and types.
 *
 * M modify, A add, D delete; MB method body, MS signature of a method or function, F field, C class
 * header, CC constructor, I import, X export, T interface or type, E enum, V variable, S statement
 * or test. `MOVE` is a move to another file.
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

/** One atomic change, with its block before and after, as far as each exists. Plain data. */
export interface AtomicChange {
  readonly label: ChangeLabel;
  readonly before?: CodeBlock;
  readonly after?: CodeBlock;
  /** The text of the block's own part, before and after. */
  readonly beforeText?: string;
  readonly afterText?: string;
  /**
   * Names of members, parameters, enum members or imported names that were removed, added, or
   * declared differently.
   */
  readonly removedNames: readonly string[];
  readonly addedNames: readonly string[];
  readonly changedNames: readonly string[];
  /**
   * For a body, or the value of a typed constant or field: whether its change is visible outside (a
   * returned value, a field, a thrown error, a parameter's object). Where the signature changed:
   * `false` if it only uses the new names of other blocks, otherwise absent.
   */
  readonly escapes?: boolean;
  /** For a body: the names of the functions that it calls with other arguments than before. */
  readonly passesOther?: readonly string[];
  /** For a body: whether only arguments of calls changed. */
  readonly isInArguments?: boolean;
  /**
   * For a RENAME or a MOVE: the similarity of the block before and after, names ignored; above 0,
   * up to 1.
   */
  readonly likeness?: number;
}

/** Prints a change in one line for tests and logs: `MMS Complex.add -b +c`. */
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
