import type { Clock } from "../../async/index.ts";
import type { AccessVerdict } from "../../complete/index.ts";
import type { NameTables } from "../../names/index.ts";
import type { Syntax, SyntaxErrorCache } from "../../syntax/index.ts";
import type { EditTypeCheck } from "../edit-checks/edit-type-check.ts";
import type { CodeFormatter } from "../layout/code-formatter.ts";
import type { ConfiguredStyle } from "../layout/line-layout.ts";
import type { RequestedModels } from "../providers/model/model-edits.ts";
import type { NextEditProvider } from "../providers/next-edit-provider.ts";
import type { RenamedMembers } from "../providers/rename/renamed-members.ts";
import type { NextEditSettings } from "./settings.ts";
import type { WorkspaceTexts } from "./text-index.ts";

/** The dependencies of the next edit engine. The host owns and disposes all of them. */
export interface NextEditParts {
  /** The providers, called in this order, the synchronous ones first. */
  readonly sources: readonly NextEditProvider[];
  /** The model, which is called where no provider has an edit. Without it no model is used. */
  readonly model?: RequestedModels;
  readonly files: WorkspaceTexts;
  readonly syntax: Syntax;
  /** The cached errors of texts, shared with the providers. Default: a cache of this engine. */
  readonly syntaxErrors?: SyntaxErrorCache;
  /** The type check of proposed edits. Without it types are not checked. */
  readonly types?: EditTypeCheck;
  /** Whether a type checker is being opened, so that there are no proposals from types yet. */
  isOpeningTypes?(): boolean;
  /**
   * Keeps the rename of a member away from other members of the same name. Without it nothing does.
   */
  readonly members?: RenamedMembers;
  /**
   * The names of each text, to filter out edits by example that leave names undeclared. Without it
   * none is filtered out.
   */
  readonly names?: NameTables;
  /** Formats the lines of proposed edits. Without it they stay as they are. */
  readonly formatter?: CodeFormatter;
  /** The configured style of a file. Without it the style is detected in its text. */
  readonly configuredStyle?: ConfiguredStyle;
  readonly clock: Clock;
  /** Whether the file at `path`, relative to the workspace's root, may be read. */
  access(path: string): AccessVerdict;
  readonly settings: NextEditSettings;
  /** Returns a new id for a suggestion; default: the numbers of this engine. */
  readonly newId?: (() => string) | undefined;
}
