export {
  isDependency,
  type LearnOptions,
  type LearnProgress,
  type LearntWorkspace,
  learnWorkspace,
  skippedByReading,
} from "./learn-workspace.ts";
export { loadSessionSettings, type SessionSettings, type SettingsSource } from "./session-settings.ts";
export { WelcomeStore } from "./welcome-store.ts";
export type { LearningState } from "./workspace-learning.ts";
export {
  type SessionHost,
  type SessionStatus,
  WorkspaceSession,
  type WorkspaceSessionOptions,
} from "./workspace-session.ts";
