import type { Normalization, Refusal } from "../formats/index.ts";
import { type FileChange, type TextEdit, type TextRange, toWorkspaceDiff } from "../text/index.ts";
import type { BoundaryRepair } from "./boundaries/boundary-repair.ts";
import type { EditOutcome, EditProposal } from "./edit-outcome.ts";
import { proposalOf } from "./explain-edit.ts";
import type { AddedIssue } from "./repair/added-issues.ts";

/**
 * An outcome as JSON data. Offsets count UTF-16 code units; offsets, lines and rows count from 0.
 */
export interface EditJson {
  readonly kind: EditOutcome["kind"];
  /** The proposed change, or the best attempt. */
  readonly proposal?: ProposalJson;
  /** Present for `unchanged`. */
  readonly message?: string;
  /** Present for `refused`. */
  readonly refusals?: readonly Refusal[];
  /** Present for `refused` where the answer contains no edit: its first rows. */
  readonly firstRows?: readonly string[];
  /** Present for `broken`: the syntax errors, with their ranges in the texts after the change. */
  readonly issues?: readonly {
    readonly path: string;
    readonly issue: Pick<AddedIssue, "message"> & { readonly kind: AddedIssue["code"]; readonly range: TextRange };
    readonly suspectLine: number;
  }[];
  /** Present for `failed-verification`. */
  readonly report?: string;
  /** Present for `stale`. */
  readonly paths?: readonly string[];
}

/** A proposal as JSON data, without the texts that it applies to. */
export interface ProposalJson extends Pick<EditProposal, "format" | "normalizations" | "warnings" | "requests"> {
  readonly changes: readonly FileChangeJson[];
  /** The change as a unified diff. */
  readonly diff: string;
  readonly repairs: readonly BoundaryRepair[];
  readonly normalizations: readonly Normalization[];
}

/** The change of one file. */
export interface FileChangeJson {
  readonly kind: FileChange["kind"];
  readonly path: string;
  /** Present for `rename`. */
  readonly pathAfter?: string;
  /** Present for `edit` and `rename`: sorted and disjoint, in offsets of the text before. */
  readonly edits?: readonly TextEdit[];
  /** Present for `create`. */
  readonly text?: string;
}

/**
 * Converts an outcome to JSON data, without the texts that the change was made for; the diff and
 * the texts of created files are included. Offsets are those of the texts before the change.
 */
export function editToJson(outcome: EditOutcome): EditJson {
  const proposal = proposalOf(outcome);
  const { kind } = outcome;
  return {
    kind,
    ...(kind === "unchanged" && { message: outcome.message }),
    ...(kind === "refused" && { refusals: outcome.refusals }),
    ...(kind === "refused" && outcome.firstRows && { firstRows: outcome.firstRows }),
    ...(kind === "broken" && { issues: outcome.issues.map(issueToJson) }),
    ...(kind === "failed-verification" && { report: outcome.report }),
    ...(kind === "stale" && { paths: outcome.paths }),
    ...(proposal && { proposal: proposalToJson(proposal) }),
  };
}

function proposalToJson({
  edit,
  files,
  format,
  repairs,
  normalizations,
  warnings,
  requests,
}: EditProposal): ProposalJson {
  const changes = edit.changes.map(changeToJson);
  return { changes, diff: toWorkspaceDiff(files, edit), format, requests: requests, repairs, normalizations, warnings };
}

function issueToJson({ file: { path }, code: kind, start, end, message, suspectLine }: AddedIssue) {
  return { path, issue: { kind, range: { start, end }, message }, suspectLine };
}

function changeToJson(change: FileChange): FileChangeJson {
  const { kind, uri: path } = change;
  if (kind === "delete") return { kind, path };
  if (kind === "create") return { kind, path, text: change.text };
  const { edits } = change.edit;
  return kind === "rename" ? { kind, path, pathAfter: change.uriAfter, edits } : { kind, path, edits };
}
