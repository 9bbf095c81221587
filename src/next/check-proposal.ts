import type { AccessVerdict } from "../complete/index.ts";
import type { PastEdit } from "../context/index.ts";
import type { Syntax } from "../syntax/index.ts";
import type { Edit } from "../text/index.ts";
import type { AddedSyntaxErrors } from "./added-syntax-errors.ts";
import { editRefusal } from "./edit-filters.ts";
import type { Proposal } from "./next-edit-source.ts";
import type { HoldReason } from "./outcome.ts";
import type { Rejections } from "./rejections.ts";
import type { NextEditSettings } from "./settings.ts";
import type { TypeJudge, TypeVerdict } from "./type-judge.ts";
import type { UndoGuard } from "./undo-guard.ts";

/** What proposals are checked with. */
export interface ProposalChecks {
  access(path: string): AccessVerdict;
  readonly rejections: Rejections;
  readonly undoGuard: UndoGuard;
  readonly syntax: Syntax;
  readonly syntaxErrors: AddedSyntaxErrors;
  readonly types?: TypeJudge | undefined;
  readonly settings: NextEditSettings;
}

/** A proposal that may be offered, as likely as it is after all, or why not. */
export type CheckedProposal =
  | { readonly kind: "passes"; readonly proposal: Proposal }
  | { readonly kind: "held"; readonly reason: HoldReason };

/** What a chain does: in the file of a proposal, that included, as one edit, and the texts that it gives to other files. */
export interface ChainEdit {
  readonly edit: Edit;
  readonly others: ReadonlyMap<string, string>;
}

/** How a proposal is checked. */
export interface CheckOrder {
  /** The present text of its file, and the id of the language. */
  readonly text: string;
  readonly language: string;
  /** The least likelihood of what is offered. */
  readonly threshold: number;
  /** All that is one thing with the proposal: asked where the part alone is worse. */
  readonly together?: () => Promise<ChainEdit | undefined>;
  /** What the person did lately, which the proposal may be the like of. */
  readonly history?: readonly PastEdit[];
  readonly signal: AbortSignal;
}

/**
 * Whether a proposal may be offered: what costs least is asked first. Types have the last word, and where they say that errors go with it, a
 * doubtful one is no longer doubtful.
 *
 * A part of a chain may be worse alone, as one name of two that have to agree: it passes where all of the chain is no worse.
 */
export async function checkProposal(
  proposal: Proposal,
  order: CheckOrder,
  checks: ProposalChecks,
): Promise<CheckedProposal> {
  const { path, edit, likelihood } = proposal;
  const { text, language, threshold, signal } = order;
  const unlikely = { kind: "held", reason: { kind: "unlikely", threshold } } as const;
  const verdict = checks.access(path);
  if (verdict.kind !== "allowed") return { kind: "held", reason: { kind: `${verdict.kind}-file` } };
  if (edit === undefined) return likelihood < threshold ? unlikely : { kind: "passes", proposal };
  if (likelihood < (checks.types === undefined ? threshold : threshold * leastToConfirm)) return unlikely;
  if (checks.rejections.isRejected(path, text, edit)) return { kind: "held", reason: { kind: "rejected" } };
  const refused =
    checks.undoGuard.refusalOf(path, text, edit) ?? (await refusedByFilters({ text, language, edit }, checks));
  if (refused !== undefined) return { kind: "held", reason: refused };
  const [issue] = await checks.syntaxErrors.of({ path, language, text }, edit);
  if (issue !== undefined) return { kind: "held", reason: { kind: "breaks-syntax", issue } };

  const judged = await judge(proposal, order, checks);
  signal.throwIfAborted();
  if (judged.kind === "worse") return { kind: "held", reason: { kind: "breaks-types", findings: judged.findings } };
  // A fix was made to mend: that it does is no news.
  const isConfirmed = judged.kind === "fits" && judged.mended > 0 && proposal.origin !== "fix";
  const sure = isConfirmed ? 1 - (1 - likelihood) * doubtLeft : likelihood;
  return sure < threshold ? unlikely : { kind: "passes", proposal: { ...proposal, likelihood: sure } };
}

/** From what share of the threshold on a proposal is looked at: types are asked whether they confirm a proposal. */
export const leastToConfirm = 0.6;

/** How much of the doubt is left when errors go with an edit. */
const doubtLeft = 0.3;

async function refusedByFilters(
  { text, language, edit }: { readonly text: string; readonly language: string; readonly edit: Edit },
  { settings, syntax }: ProposalChecks,
): Promise<HoldReason | undefined> {
  const { holdsWhiteSpace, holdsImports, maxLines } = settings;
  const options = { holdsWhiteSpace, holdsImports, maxLines };
  if (!holdsImports) return editRefusal({ text, edit }, options);
  const before = await syntax.parse({ language, text });
  const after = before && syntax.reparse(before, edit);
  try {
    const trees = before && after && { before, after };
    return editRefusal({ text, edit, ...(trees && { trees }) }, options);
  } finally {
    before?.[Symbol.dispose]();
    after?.[Symbol.dispose]();
  }
}

async function judge(
  { path, edit, origin }: Proposal,
  { text, together, history = [], signal }: CheckOrder,
  { types }: ProposalChecks,
): Promise<TypeVerdict> {
  if (types === undefined || edit === undefined) return { kind: "unknown" };
  const alike = origin === "example" || origin === "name" ? history : [];
  const alone = await types.judge({ path, text, edit, alike }, { signal });
  if (alone.kind !== "worse") return alone;
  const all = await together?.();
  if (all === undefined || (all.others.size === 0 && all.edit.equals(edit))) return alone;
  const whole = await types.judge({ path, text, edit: all.edit, together: all.others, alike }, { signal });
  return whole.kind === "worse" ? alone : whole;
}
