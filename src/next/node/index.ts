export { NextEditSources } from "./next-edit-sources.ts";
export {
  type NextEditChoice,
  type NextEditTools,
  NextEditWorkspace,
  type NextEditWorkspaceOptions,
} from "./next-edit-workspace.ts";
