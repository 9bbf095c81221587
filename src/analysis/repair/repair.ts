import type { ScriptTree } from "../../names/index.ts";
import type { TextEdit } from "../../text/index.ts";
import type { FileDiagnostic } from "../diagnostics/type-checker.ts";
import type { CodeBlock } from "../graph/code-block.ts";
import type { ExportIndex } from "./export-index.ts";
import type { ChangeFacts, NewParameter } from "./facts/change-facts.ts";

/** A diagnostic in code that depends on a change, with all that a rule needs to repair it. */
export interface RepairContext {
  readonly diagnostic: FileDiagnostic;
  readonly text: string;
  readonly tree: ScriptTree;
  /** The block that contains the diagnostic. */
  readonly block: CodeBlock;
  readonly facts: ChangeFacts;
  /** The exports of the workspace's files; without them, no import is added. */
  readonly exports?: ExportIndex;
}

/** A repair of a diagnostic. Plain data; the edits are of the question's text. */
export interface Repair {
  readonly edits: readonly TextEdit[];
  /**
   * `follows`: implied by the change alone. `guess`: what people often do, used only to find out
   * what it would affect. `stub`: a stub, whose unknown parts are left to a person.
   */
  readonly certainty: "follows" | "guess" | "stub";
  /** What it adds, as displayed: names of properties, or of cases. */
  readonly about?: readonly string[];
  /** Names that the repair resolves. Diagnostics about their use were masked until then. */
  readonly names?: readonly string[];
  /** The parameter that it adds to a function, which callers have to pass in turn. */
  readonly grows?: { readonly name: string; readonly parameter: NewParameter };
}

/**
 * Returns repairs of a diagnostic that the rule applies to, otherwise none. Several are
 * alternatives; the type checker chooses.
 */
export type RepairRule = (question: RepairContext) => readonly Repair[];
