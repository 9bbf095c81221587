export { NextEditSources, type NextEditTools } from "./next-edit-sources.ts";
export { type NextEditChoice, NextEditWorkspace, type NextEditWorkspaceOptions } from "./next-edit-workspace.ts";
