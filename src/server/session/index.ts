export {
  isDependency,
  type LearnOptions,
  type LearnProgress,
  type LearntWorkspace,
  learnWorkspace,
  skippedByReading,
} from "./learn-workspace.ts";
