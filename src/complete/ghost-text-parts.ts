import type { Clock } from "../async/index.ts";
import type { Prompt } from "../context/index.ts";
import type { Model } from "../model/index.ts";
import type { Syntax } from "../syntax/index.ts";
import type { TextEdit } from "../text/index.ts";
import type { GuidePreparation, GuideSource, MembersOf } from "./answers/guide-at-place.ts";
import type { AcceptanceModel } from "./feedback/acceptance-model.ts";
import type { AccessVerdict } from "./gate.ts";
import type { GhostTextRequest } from "./request.ts";
import type { GhostTextSettings } from "./settings.ts";

/** What the engine works with; the host owns all of it. */
export interface GhostTextParts {
  /**
   * Requested in order: the first that can fill answers, and the next one only where it fails. An
   * instant one behind a slow one also writes the draft that hides its latency.
   */
  readonly models: readonly Model[];
  /** Makes what a model is shown, and heeds the signal. */
  prompt(request: GhostTextRequest, model: Model, options: { readonly signal?: AbortSignal }): Prompt | Promise<Prompt>;
  /**
   * Has a slow model evaluate the next larger prompt of a place, before it is requested; resolves
   * to whether there was one. Rejects as the model does. Default: no prompt grows.
   */
  growPrompt?(request: GhostTextRequest, model: Model, options: { readonly signal: AbortSignal }): Promise<boolean>;
  readonly syntax: Syntax;
  readonly clock: Clock;
  /** Whether the file at `path`, from the workspace's root, may be looked at. */
  access(path: string): AccessVerdict;
  readonly settings: GhostTextSettings;
  /** The guides for answers; default: none. */
  readonly guide?: GuideSource;
  /** Called before {@link guide} for the same text, where reading it takes long. */
  readonly prepareGuide?: GuidePreparation;
  /** The members of types; default: none. */
  readonly members?: MembersOf;
  /**
   * Whether an edit of the file at `path`, whose text is `text`, brings back what the person has
   * just deleted or undone there; never where the edits are not followed.
   */
  bringsBack?(path: string, text: string, edit: TextEdit): boolean;
  /** Returns a new id for a suggestion; default: the numbers of this engine. */
  readonly newId?: () => string;
  /** Estimates when ghost text is accepted; the engine trains it. */
  readonly acceptance: AcceptanceModel;
}
