export {
  isDependency,
  type LearnOptions,
  type LearnProgress,
  type LearntWorkspace,
  learnWorkspace,
  skippedByReading,
} from "./learn-workspace.ts";
export type { LearningState } from "./workspace-learning.ts";
export {
  type SessionHost,
  type SessionStatus,
  WorkspaceSession,
  type WorkspaceSessionOptions,
} from "./workspace-session.ts";
