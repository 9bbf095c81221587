import type { Clock, FileSystem, Watch } from "../../codebase/index.ts";
import type { GuideSource } from "../../complete/index.ts";
import type { IndexCache } from "../../model/node/index.ts";
import type { NextEditWorkspaceOptions } from "../../next/node/index.ts";
import type { Syntax } from "../../syntax/index.ts";
import type { SettingsSource } from "./session-settings.ts";
import type { TypeScriptMembers } from "./typescript-members.ts";

/** The outside, as whoever opens a session gives it. */
export interface SessionHost {
  readonly fileSystem: FileSystem;
  /** Without one, changes on the disk are not followed. */
  readonly watch?: Watch | undefined;
  /** Nothing that is learnt is kept without one. */
  readonly cache?: IndexCache | undefined;
  readonly clock: Clock;
  /** The host owns it. */
  readonly syntax: Syntax;
  /** Holds ghost text to the grammars of languages; nothing does without one. */
  readonly guide?: GuideSource | undefined;
  /** Opens what knows the members of types in a folder; nothing does without one. The session disposes it. */
  openMembers?(root: string): TypeScriptMembers;
  /** How types are opened that judge next edits, and who proposes; see `NextEditWorkspace`. */
  readonly nextEdits?: Pick<NextEditWorkspaceOptions, "openTypes" | "openSources"> | undefined;
  /** What differs from the last commit below a folder, as a unified diff; `undefined` where there is no answer. */
  readDiff?(folder: string, options: { readonly signal: AbortSignal }): Promise<string | undefined>;
  /** Where the configuration comes from. */
  readonly settings: Omit<SettingsSource, "fileSystem">;
  /** Lets whoever waits for the thread have its turn. */
  yieldThread(): Promise<void>;
}
