export { AccessRules, type AccessRulesOptions } from "../../workspace/index.ts";
export { AcceptanceModelStore } from "./acceptance-model-store.ts";
export {
  type DependencyTypesOptions,
  findDependencyTypes,
  type ImportedModule,
  importedModules,
} from "./dependency-types.ts";
export { type ChatModels, type EditSettings, loadEditSettings, openChatModels } from "./edit-settings.ts";
export { FallbackChat, type FallbackChatOptions } from "./fallback-chat.ts";
export {
  isDependency,
  type LearnOptions,
  type LearnProgress,
  type LearntWorkspace,
  learnWorkspace,
} from "./learn-workspace.ts";
export { Latencies, type ModelStatus, type ModelUse } from "./model-health.ts";
export { loadNextEditSettings, type NextEditSessionSettings } from "./next-edit-settings.ts";
export type { NextEditEvent, NextEdits, NextEditsOptions } from "./next-edits.ts";
export { isSavedText } from "./saved-text.ts";
export type { DocumentPlace, OpenDocumentFile, SessionHost } from "./session-host.ts";
export { SessionPrompts, type SessionPromptsParts } from "./session-prompts.ts";
export type { OpenedModel } from "./session-settings.ts";
export {
  loadSessionSettings,
  modelSettingsOf,
  type SessionSettings,
  type SettingsPlace,
  type SettingsSource,
} from "./session-settings.ts";
export { SharedModel, type SharedModelLease } from "./shared-model.ts";
export { TypeScriptMembers, type TypeScriptMembersOptions } from "./typescript-members.ts";
export { type ChangedFilesOptions, mayShowChanges, Uncommitted, type UncommittedOptions } from "./uncommitted.ts";
export type { LearningState } from "./workspace-learning.ts";
export {
  type SessionStatus,
  WorkspaceSession,
  type WorkspaceSessionOptions,
  withModelIssues,
} from "./workspace-session.ts";
