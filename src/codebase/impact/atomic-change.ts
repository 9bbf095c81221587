import type { CodeBlock } from "../graph/code-block.ts";

/**
 * The atomic changes of a program, labelled as in CodePlan's Table 1 and extended to what modules and types add.
 *
 * M modify, A add, D delete; MB method body, MS method signature (a function's, too), F field, C class header, CC constructor,
 * I import, X export, T interface or type, E enum, V variable, S statement or test. `MOVE` is a move to another file.
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

/** One atomic change: what it is, and the block before and after, as far as there is one. */
export interface AtomicChange {
  readonly label: ChangeLabel;
  readonly before?: CodeBlock;
  readonly after?: CodeBlock;
  /** The text of the block's own part, before and after. */
  readonly beforeText?: string;
  readonly afterText?: string;
  /** Names of members, parameters, enum members or imported names that went, came, or changed their declaration. */
  readonly removedNames: readonly string[];
  readonly addedNames: readonly string[];
  readonly changedNames: readonly string[];
  /** Of a body: whether what it changes can be seen outside (a returned value, a field, a thrown error, a parameter's object). */
  readonly escapes?: boolean;
}
