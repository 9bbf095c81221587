import type { Clock } from "../codebase/index.ts";
import type { AccessVerdict } from "../complete/index.ts";
import type { Syntax } from "../syntax/index.ts";
import type { CodeFormatter } from "./layout/code-formatter.ts";
import type { AskedModels } from "./model-edits.ts";
import type { NameTables } from "./names/name-tables.ts";
import type { NextEditSource } from "./next-edit-source.ts";
import type { NextEditSettings } from "./settings.ts";
import type { TypeJudge } from "./type-judge.ts";
import type { WorkspaceTexts } from "./workspace-texts.ts";

/** What the engine of next edits works with; the host owns all of it. */
export interface NextEditParts {
  /** Asked in this order: those that answer at once first. */
  readonly sources: readonly NextEditSource[];
  /** Asked where nothing else is proposed, and for what comes after; none unless told. */
  readonly model?: AskedModels;
  readonly files: WorkspaceTexts;
  readonly syntax: Syntax;
  /** What types say; nothing is asked of them without one. */
  readonly types?: TypeJudge;
  /** The names of texts: edits by example that leave names undeclared are withheld. All are offered without them. */
  readonly names?: NameTables;
  /** Lays out the lines of what the sources propose; they stay as they are without one. */
  readonly formatter?: CodeFormatter;
  readonly clock: Clock;
  /** Whether the file at `path`, from the workspace's root, may be looked at. */
  access(path: string): AccessVerdict;
  readonly settings: NextEditSettings;
}
