import type { AccessVerdict } from "../../complete/index.ts";
import type { PastEdit } from "../../context/index.ts";
import {
  type CheckedDocument,
  type Language,
  languageById,
  Structure,
  type Syntax,
  type SyntaxErrorCache,
} from "../../syntax/index.ts";
import type { Edit } from "../../text/index.ts";
import type { FilterReason } from "../engine/outcome.ts";
import type { NextEditSettings } from "../engine/settings.ts";
import type { WorkspaceTexts } from "../engine/text-index.ts";
import type { Rejections } from "../feedback/rejections.ts";
import type { UndoGuard } from "../feedback/undo-guard.ts";
import type { LineLayout } from "../layout/line-layout.ts";
import { partnerEdits } from "../providers/brackets/partner-edits.ts";
import type { ProvidedProposal } from "../providers/next-edit-provider.ts";
import { editRefusal } from "./edit-filters.ts";
import type { EditTypeCheck, TypeVerdict } from "./edit-type-check.ts";
import { type UndeclaredNamesCheck, unknownMembers } from "./undeclared-names-check.ts";

/** The dependencies of {@link checkProposal}. */
export interface ProposalChecks {
  access(path: string): AccessVerdict;
  readonly rejections: Rejections;
  readonly undoGuard: UndoGuard;
  readonly syntax: Syntax;
  readonly syntaxErrors: SyntaxErrorCache;
  readonly types?: EditTypeCheck | undefined;
  /** Finds the names that an edit by example leaves undeclared. Without it they are not checked. */
  readonly undeclaredNames?: UndeclaredNamesCheck | undefined;
  /**
   * The texts that are searched for the members an edit by example uses. Without them members are
   * not checked.
   */
  readonly files?: WorkspaceTexts | undefined;
  /** Formats the proposed edit. Without it the edit stays as it is. */
  readonly layout?: LineLayout | undefined;
  readonly settings: NextEditSettings;
}

/**
 * A proposal that passes, with its final likelihood and edit, or the reason why it is filtered out.
 */
export type CheckedProposal =
  | { readonly kind: "passes"; readonly proposal: ProvidedProposal }
  | { readonly kind: "held"; readonly reason: FilterReason };

/**
 * The edits of a chain: `edit` joins those in the proposal's file, its own included, and `others`
 * are the new texts of other files by path.
 */
export interface ChainEdit {
  readonly edit: Edit;
  readonly others: ReadonlyMap<string, string>;
}

/** The text that a proposal is checked against, and the conditions. */
export interface CheckOrder {
  /** The present text of its file. */
  readonly text: string;
  /** The language id. */
  readonly language: string;
  /** The least likelihood of a proposal that passes, from 0 to 1. */
  readonly threshold: number;
  /** Returns the edits of the whole chain; called where the part alone adds type errors. */
  readonly together?: () => Promise<ChainEdit | undefined>;
  /** The recent edits of the user; the proposal may belong to the same change. */
  readonly history?: readonly PastEdit[];
  /** Whether the proposal may do again what the user undid, as for an invoked request. */
  readonly mayRedo?: boolean;
  readonly signal: AbortSignal;
}

/**
 * Runs all edit checks on a proposal, the cheapest first, and returns the proposal or the first
 * reason against it.
 *
 * The type check comes last. A proposal that adds type errors is filtered out; one that fixes
 * errors becomes likelier; one whose new errors concern the same names as those of the user's own
 * edits becomes less likely.
 *
 * A part of a chain may add errors alone, such as one of two names that must agree: it passes where
 * the whole chain adds none. Rejects with the signal's reason when the request is cancelled.
 */
export async function checkProposal(
  proposed: ProvidedProposal,
  order: CheckOrder,
  checks: ProposalChecks,
): Promise<CheckedProposal> {
  const { path, likelihood } = proposed;
  const { text, language, threshold, mayRedo, signal } = order;
  const unlikely = { kind: "held", reason: { kind: "unlikely", threshold } } as const;
  const verdict = checks.access(path);
  if (verdict.kind !== "allowed") return { kind: "held", reason: { kind: `${verdict.kind}-file` } };
  if (proposed.edit === undefined) return likelihood < threshold ? unlikely : { kind: "passes", proposal: proposed };
  if (likelihood < threshold && !(await mayFixErrors(proposed, order, checks))) return unlikely;
  const whole = await withPartners({ uri: path, language, text }, proposed.edit, checks);
  const edit = (await checks.layout?.laidOut({ path, language, text }, whole)) ?? whole;
  const proposal = edit === proposed.edit ? proposed : { ...proposed, edit };
  if (checks.rejections.isRejected(path, text, edit)) return { kind: "held", reason: { kind: "rejected" } };
  const refused =
    checks.undoGuard.refusalOf(path, text, edit, { mayRedo }) ??
    (await refusedByFilters({ text, language, edit }, checks));
  if (refused !== undefined) return { kind: "held", reason: refused };
  const [issue] = await checks.syntaxErrors.added({ uri: path, language, text }, edit);
  if (issue !== undefined) return { kind: "held", reason: { kind: "breaks-syntax", issue } };

  const { needsKnownNames = false } = proposal.policy;
  const left = needsKnownNames ? (checks.undeclaredNames?.of({ uri: path, language, text }, edit) ?? []) : [];
  if (left.length > 0) return { kind: "held", reason: { kind: "leaves-undeclared", names: left } };
  const unknown = needsKnownNames && checks.files !== undefined ? unknownMembers(text, edit, checks.files) : [];
  if (unknown.length > 0) return { kind: "held", reason: { kind: "unknown-members", names: unknown } };

  const typeVerdict = await checkTypes(proposal, order, checks);
  signal.throwIfAborted();
  if (typeVerdict.kind === "worse")
    return { kind: "held", reason: { kind: "breaks-types", findings: typeVerdict.findings } };
  if (proposal.isByNameAlone && isTyped(language) && typeVerdict.kind === "fits" && typeVerdict.mended === 0)
    return { kind: "held", reason: { kind: "mends-nothing" } };
  const finalLikelihood = likelihoodAfterTypes(proposal, typeVerdict);
  // With new errors only a likely edit is useful, even for an invoked request.
  const { normal } = checks.settings.leastLikelihoodByEagerness;
  const least = typeVerdict.kind === "unfinished" && threshold > 0 ? Math.max(threshold, normal) : threshold;
  if (finalLikelihood >= least) {
    const isClean = typeVerdict.kind === "fits" && typeVerdict.mended > 0 && typeVerdict.left === undefined;
    const isCertain = proposal.error !== undefined && isClean;
    const passed = { ...proposal, likelihood: finalLikelihood, ...(isCertain && { isCertain }) };
    return { kind: "passes", proposal: passed };
  }
  return typeVerdict.kind === "unfinished" && likelihood >= threshold
    ? { kind: "held", reason: { kind: "breaks-types", findings: typeVerdict.findings } }
    : unlikely;
}

/**
 * An edit with the partners of the brackets that it inserts or removes, where their lack is its
 * error.
 */
async function withPartners(file: CheckedDocument, edit: Edit, { syntaxErrors }: ProposalChecks): Promise<Edit> {
  const language = languageById(file.language);
  const [first, ...others] = language === undefined ? [] : partnerEdits(file.text, edit, language);
  if (language === undefined || first === undefined) return edit;
  // Without a parser only the brackets can be checked.
  if (language.grammar === undefined && language.script === undefined) return edit.compose(first);
  const isSound = (await syntaxErrors.added(file, edit)).length === 0;
  if (isSound && !hidesOpened(file.text, edit.apply(file.text), language)) return edit;
  for (const way of [first, ...others]) {
    const whole = edit.compose(way);
    if ((await syntaxErrors.added(file, whole)).length === 0) return whole;
  }
  return edit;
}

/**
 * Whether a text whose only errors are unclosed brackets, such as one the user has just opened,
 * hides that an edit leaves more of them unclosed.
 */
function hidesOpened(before: string, after: string, language: Language): boolean {
  const openers = new Set(language.brackets.map(([open]) => open));
  const unmatched = Structure.of(before, language).unmatched;
  if (unmatched.length === 0 || !unmatched.every(({ text }) => openers.has(text))) return false;
  return Structure.of(after, language).unmatched.length > unmatched.length;
}

/** Whether the type checker reports undeclared names in files of a language. */
function isTyped(language: string): boolean {
  return languageById(language)?.script?.startsWith("ts") === true;
}

/**
 * The share of the threshold from which on a proposal is type checked: fixing errors may raise its
 * likelihood above the threshold.
 */
export const typeCheckedShare = 0.6;

/** Whether the type check may raise the likelihood of a proposal that is below the threshold. */
async function mayFixErrors(
  { path, likelihood, policy }: ProvidedProposal,
  { text, language, threshold, history = [], signal }: CheckOrder,
  { types, syntaxErrors }: ProposalChecks,
): Promise<boolean> {
  if (types === undefined || policy.isMadeOfErrors || likelihood < threshold * typeCheckedShare) return false;
  // Errors in code that is being typed disappear with further typing.
  if ((await syntaxErrors.syntaxErrors({ uri: path, language, text })).length > 0) return false;
  if (types.hasErrors === undefined) return true;
  // The errors that the user caused are where the edits were; the edit that fixes them is often
  // elsewhere.
  const edited = new Set(history.map((past) => past.path).toReversed());
  return types.hasErrors([...new Set([path, ...[...edited].slice(0, maxEdited)])], { signal });
}

/** In how many recently edited files errors are looked for. */
const maxEdited = 4;

/** The likelihood of a proposal after the type check. */
function likelihoodAfterTypes({ likelihood, policy }: ProvidedProposal, typeVerdict: TypeVerdict): number {
  if (typeVerdict.kind === "fits" && typeVerdict.mended > 0 && !policy.isMadeOfErrors)
    return timesOdds(likelihood, oddsOfFixing);
  return typeVerdict.kind === "unfinished" ? timesOdds(likelihood, oddsOfUnfinished) : likelihood;
}

/**
 * By what the odds of an edit are multiplied where errors go with it, and where the errors that
 * come are of a change on its way. From 460 proposals in commits of drizzle-orm, stencil,
 * mikro-orm, typeorm, react-router and typescript-eslint, none of which is what is measured with.
 * Of 28 that would be shown and are of a change on its way 16 were exact, as many as predicted in
 * most of their commits; of 13 with other errors none was.
 */
const oddsOfFixing = 2.3;
const oddsOfUnfinished = 0.8;

function timesOdds(likelihood: number, factor: number): number {
  return (likelihood * factor) / (1 - likelihood + likelihood * factor);
}

async function refusedByFilters(
  { text, language, edit }: { readonly text: string; readonly language: string; readonly edit: Edit },
  { settings, syntax }: ProposalChecks,
): Promise<FilterReason | undefined> {
  const { whiteSpace, imports, maxLines } = settings;
  const options = { whiteSpace, imports, maxLines };
  if (imports) return editRefusal({ text, edit }, options);
  const before = await syntax.parse({ language, text });
  const after = before && (await syntax.reparse(before, edit));
  try {
    const trees = before && after && { before, after };
    return editRefusal({ text, edit, ...(trees && { trees }) }, options);
  } finally {
    before?.[Symbol.dispose]();
    after?.[Symbol.dispose]();
  }
}

async function checkTypes(
  proposal: ProvidedProposal,
  { text, threshold, together, history = [], signal }: CheckOrder,
  { types }: ProposalChecks,
): Promise<TypeVerdict> {
  const { path, edit, policy, likelihood } = proposal;
  if (types === undefined || edit === undefined) return { kind: "unknown" };
  // The whole of a rename must add no errors, so its own history is no excuse.
  const alike = policy.mayAddSimilarErrors ? history : [];
  const alone = await types.judge({ path, text, edit, alike }, { signal });
  const isBad =
    alone.kind === "worse" || (alone.kind === "unfinished" && likelihoodAfterTypes(proposal, alone) < threshold);
  // An unlikely proposal is only checked for errors that it fixes.
  if (!isBad || likelihood < threshold) return alone;
  const all = await together?.();
  if (all === undefined || (all.others.size === 0 && all.edit.equals(edit))) return alone;
  const whole = await types.judge({ path, text, edit: all.edit, together: all.others, alike }, { signal });
  return whole.kind === "worse" ? alone : whole;
}
