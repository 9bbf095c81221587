import type { TextEdit } from "../../text/text-edit.ts";
import type { CodeBlock } from "../graph/code-block.ts";
import type { TypeDiagnostic } from "../graph/reference.ts";
import type { ScriptTree } from "../graph/script-tree.ts";
import type { ExportIndex } from "./export-index.ts";
import type { ChangeFacts, NewParameter } from "./facts/change-facts.ts";

/** A place where code no longer agrees with what changed, and all that is needed to mend it. */
export interface RepairQuestion {
  readonly finding: TypeDiagnostic;
  readonly text: string;
  readonly tree: ScriptTree;
  /** The block that the finding lies in. */
  readonly block: CodeBlock;
  readonly facts: ChangeFacts;
  /** What the files of the workspace export; without it, no import is written. */
  readonly exports?: ExportIndex;
}

/** A way to mend a finding. Plain data; the edits speak of the question's text. */
export interface Repair {
  readonly edits: readonly TextEdit[];
  /**
   * `follows` from the change alone; `guess` is what people often do, and only tells where it would
   * lead; a `skeleton` writes what has to stand there, and leaves open to a person what nobody can
   * know.
   */
  readonly certainty: "follows" | "guess" | "skeleton";
  /** What it adds, as displayed: the names of properties, or cases. */
  readonly about?: readonly string[];
  /**
   * Names that mean something by it and did not before; what the checker then says of how they are
   * used was there, and hidden.
   */
  readonly names?: readonly string[];
  /** What it makes other code pass in turn. */
  readonly grows?: { readonly name: string; readonly parameter: NewParameter };
}

/**
 * Ways to mend a finding that the rule understands; none for others. Several are rivals, of which
 * types choose.
 */
export type RepairRule = (question: RepairQuestion) => readonly Repair[];
