import type { Lenience, Refusal } from "../formats/index.ts";
import { type FileChange, type TextEdit, toWorkspaceDiff } from "../text/index.ts";
import type { BoundaryRepair } from "./boundary-repair.ts";
import type { EditOutcome, EditProposal, FileIssue } from "./edit-outcome.ts";
import { proposalOf } from "./explain-edit.ts";

/** An outcome as plain data for machines. Offsets count UTF-16 units, lines and rows count, all from 0. */
export interface EditJson {
  readonly kind: EditOutcome["kind"];
  /** What would change: the change that is offered, or the best that came of the tries. */
  readonly proposal?: ProposalJson;
  /** Of `unchanged`. */
  readonly message?: string;
  /** Of `refused`. */
  readonly refusals?: readonly Refusal[];
  /** Of `refused`, where the answer holds no edit: how it begins. */
  readonly said?: readonly string[];
  /** Of `broken`. */
  readonly issues?: readonly FileIssue[];
  /** Of `failed-check`. */
  readonly report?: string;
  /** Of `stale`. */
  readonly paths?: readonly string[];
}

/** A proposal as plain data, without the texts that it starts from. */
export interface ProposalJson extends Pick<EditProposal, "format" | "leniences" | "warnings" | "asks"> {
  readonly changes: readonly FileChangeJson[];
  /** The change in the unified format. */
  readonly diff: string;
  readonly repairs: readonly BoundaryRepair[];
  readonly leniences: readonly Lenience[];
}

/** What happens to one file. */
export interface FileChangeJson {
  readonly kind: FileChange["kind"];
  readonly path: string;
  /** Of `rename`. */
  readonly pathAfter?: string;
  /** Of `edit` and `rename`: sorted and disjoint, in offsets of the text before. */
  readonly edits?: readonly TextEdit[];
  /** Of `create`. */
  readonly text?: string;
}

/** The outcome as plain data. */
export function editToJson(outcome: EditOutcome): EditJson {
  const proposal = proposalOf(outcome);
  const { kind } = outcome;
  return {
    kind,
    ...(kind === "unchanged" && { message: outcome.message }),
    ...(kind === "refused" && { refusals: outcome.refusals }),
    ...(kind === "refused" && outcome.said && { said: outcome.said }),
    ...(kind === "broken" && { issues: outcome.issues }),
    ...(kind === "failed-check" && { report: outcome.report }),
    ...(kind === "stale" && { paths: outcome.paths }),
    ...(proposal && { proposal: proposalToJson(proposal) }),
  };
}

function proposalToJson({ edit, files, format, repairs, leniences, warnings, asks }: EditProposal): ProposalJson {
  const changes = edit.changes.map(changeToJson);
  return { changes, diff: toWorkspaceDiff(files, edit), format, asks, repairs, leniences, warnings };
}

function changeToJson(change: FileChange): FileChangeJson {
  const { kind, uri: path } = change;
  if (kind === "delete") return { kind, path };
  if (kind === "create") return { kind, path, text: change.text };
  const { edits } = change.edit;
  return kind === "rename" ? { kind, path, pathAfter: change.uriAfter, edits } : { kind, path, edits };
}
