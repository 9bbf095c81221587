import type { Clock } from "../../async/index.ts";
import type { GuidePreparation, GuideSource } from "../../complete/index.ts";
import type { OpenFile } from "../../context/index.ts";
import type { IndexCache } from "../../model/node/index.ts";
import type { NextEditWorkspaceOptions } from "../../next/node/index.ts";
import type { Syntax } from "../../syntax/index.ts";
import type { FileSystem, Watch } from "../../workspace/index.ts";
import type { SettingsSource } from "./session-settings.ts";

/** What a session takes from its environment. */
export interface SessionHost {
  readonly fileSystem: FileSystem;
  /** Watches the disk; without it, changes there are not noticed. */
  readonly watch?: Watch | undefined;
  /** Caches the index; without it, nothing that is learnt is kept. */
  readonly cache?: IndexCache | undefined;
  readonly clock: Clock;
  /** The host disposes of it. */
  readonly syntax: Syntax;
  /**
   * Constrains ghost text to the grammars of languages; without it, ghost text is not constrained.
   */
  readonly guide?: GuideSource | undefined;
  /** Prepares {@link guide} for a text, with pauses. */
  readonly prepareGuide?: GuidePreparation | undefined;
  /**
   * The most milliseconds that ghost text waits for the members of a type; without it, members are
   * not checked.
   */
  readonly membersMs?: number;
  /** How the types of next edits are opened, and their providers; see `NextEditWorkspace`. */
  readonly nextEdits?: Pick<NextEditWorkspaceOptions, "openTypes" | "openSources"> | undefined;
  /**
   * The difference to the last commit below a folder, as a unified diff; `undefined` where git
   * gives none.
   */
  readDiff?(folder: string, options: { readonly signal: AbortSignal }): Promise<string | undefined>;
  /** The source of the configuration. */
  readonly settings: Omit<SettingsSource, "fileSystem">;
  /** Lets other tasks of the thread run. */
  yieldThread(): Promise<void>;
}

/** A document's path in a session. */
export interface DocumentPlace {
  /** Relative to the session's root, with `/`. */
  readonly path: string;
  /**
   * The path of the file whose access rules apply: `path`, unless the document is another revision
   * or a part of that file; absolute for a file outside of all folders.
   */
  readonly judgedAs: string;
  /** Whether the document is the current text of a whole file, or one that was never saved. */
  readonly isFile: boolean;
}

/** A document that is open in the editor, or the cells of a notebook. */
export interface OpenDocumentFile extends OpenFile, DocumentPlace {
  /** Whether its text is that of no file: it was never saved, or is that of cells. */
  readonly isUnsaved: boolean;
}
