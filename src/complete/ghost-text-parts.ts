import type { Clock } from "../codebase/index.ts";
import type { Prompt } from "../context/index.ts";
import type { Model } from "../model/index.ts";
import type { Syntax } from "../syntax/index.ts";
import type { AccessVerdict } from "./access.ts";
import type { GuideSource, MembersOf } from "./guide-source.ts";
import type { GhostTextRequest } from "./request.ts";
import type { GhostTextSettings } from "./settings.ts";
import type { WelcomeModel } from "./welcome-model.ts";

/** What the engine works with; the host owns all of it. */
export interface GhostTextParts {
  /**
   * Asked in order: the first that can fill answers, and the next one only where it fails. An instant one behind a slow
   * one also writes the draft that hides its latency.
   */
  readonly models: readonly Model[];
  /** Makes what a model is shown, and heeds the signal. */
  prompt(request: GhostTextRequest, model: Model, options: { readonly signal?: AbortSignal }): Prompt | Promise<Prompt>;
  readonly syntax: Syntax;
  readonly clock: Clock;
  /** Whether the file at `path`, from the workspace's root, may be looked at. */
  access(path: string): AccessVerdict;
  readonly settings: GhostTextSettings;
  /** The guides for answers; there are none unless told. */
  readonly guide?: GuideSource;
  /** Who knows the members of types; nobody unless told. */
  readonly members?: MembersOf;
  /** Says when ghost text is welcome; the engine teaches it. */
  readonly welcome: WelcomeModel;
}
