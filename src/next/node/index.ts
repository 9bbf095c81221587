export { NextEditProviders, type NextEditTools } from "./next-edit-providers.ts";
export {
  type DiskFollower,
  type NextEditChoice,
  NextEditWorkspace,
  type NextEditWorkspaceOptions,
} from "./next-edit-workspace.ts";
export { RecordingFile, type RecordingFileOptions } from "./recording-file.ts";
export { type ReplayOptions, type ReplayStep, replayRecording, typingMs } from "./replay-recording.ts";
