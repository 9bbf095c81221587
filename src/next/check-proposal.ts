import type { AccessVerdict } from "../complete/index.ts";
import type { PastEdit } from "../context/index.ts";
import { type Language, languageById, Structure, type Syntax } from "../syntax/index.ts";
import type { Edit } from "../text/index.ts";
import type { AddedSyntaxErrors, FileText } from "./added-syntax-errors.ts";
import { partnerEdits } from "./brackets/partner-edits.ts";
import { editRefusal } from "./edit-filters.ts";
import type { LineLayout } from "./layout/line-layout.ts";
import type { LeftBehind } from "./names/left-behind.ts";
import { unknownMembers } from "./names/unknown-members.ts";
import type { Proposal } from "./next-edit-source.ts";
import type { HoldReason } from "./outcome.ts";
import type { Rejections } from "./rejections.ts";
import type { NextEditSettings } from "./settings.ts";
import type { TypeJudge, TypeVerdict } from "./type-judge.ts";
import type { UndoGuard } from "./undo-guard.ts";
import type { WorkspaceTexts } from "./workspace-texts.ts";

/** What proposals are checked with. */
export interface ProposalChecks {
  access(path: string): AccessVerdict;
  readonly rejections: Rejections;
  readonly undoGuard: UndoGuard;
  readonly syntax: Syntax;
  readonly syntaxErrors: AddedSyntaxErrors;
  readonly types?: TypeJudge | undefined;
  /** Says which names an edit by example leaves behind; it is not asked without one. */
  readonly leftBehind?: LeftBehind | undefined;
  /** The texts in which members are looked for that an edit by example says. */
  readonly files?: WorkspaceTexts | undefined;
  /** Lays out what is proposed; it stays as it is without one. */
  readonly layout?: LineLayout | undefined;
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
 * Whether a proposal may be offered: what costs least is asked first. Types have the last word: what is worse is withheld; where errors go with it, a doubtful one is less
 * doubtful, and where errors come as they came with the person's own edits, it is more so.
 *
 * A part of a chain may be worse alone, as one name of two that have to agree: it passes where all of the chain is no worse.
 */
export async function checkProposal(
  proposed: Proposal,
  order: CheckOrder,
  checks: ProposalChecks,
): Promise<CheckedProposal> {
  const { path, likelihood } = proposed;
  const { text, language, threshold, signal } = order;
  const unlikely = { kind: "held", reason: { kind: "unlikely", threshold } } as const;
  const verdict = checks.access(path);
  if (verdict.kind !== "allowed") return { kind: "held", reason: { kind: `${verdict.kind}-file` } };
  if (proposed.edit === undefined) return likelihood < threshold ? unlikely : { kind: "passes", proposal: proposed };
  if (likelihood < threshold && !(await mayBeConfirmed(proposed, order, checks))) return unlikely;
  const whole = await withPartners({ path, language, text }, proposed.edit, checks);
  const edit = (await checks.layout?.laidOut({ path, language, text }, whole)) ?? whole;
  const proposal = edit === proposed.edit ? proposed : { ...proposed, edit };
  if (checks.rejections.isRejected(path, text, edit)) return { kind: "held", reason: { kind: "rejected" } };
  const refused =
    checks.undoGuard.refusalOf(path, text, edit) ?? (await refusedByFilters({ text, language, edit }, checks));
  if (refused !== undefined) return { kind: "held", reason: refused };
  const [issue] = await checks.syntaxErrors.of({ path, language, text }, edit);
  if (issue !== undefined) return { kind: "held", reason: { kind: "breaks-syntax", issue } };

  // A rename, or a fix, does the rest with it.
  const left = proposal.origin === "example" ? (checks.leftBehind?.of({ path, language, text }, edit) ?? []) : [];
  if (left.length > 0) return { kind: "held", reason: { kind: "leaves-undeclared", names: left } };
  const unknown =
    proposal.origin === "example" && checks.files !== undefined ? unknownMembers(text, edit, checks.files) : [];
  if (unknown.length > 0) return { kind: "held", reason: { kind: "unknown-members", names: unknown } };

  const judged = await judge(proposal, order, checks);
  signal.throwIfAborted();
  if (judged.kind === "worse") return { kind: "held", reason: { kind: "breaks-types", findings: judged.findings } };
  if (proposal.isByNameAlone && isTyped(language) && judged.kind === "fits" && judged.mended === 0)
    return { kind: "held", reason: { kind: "mends-nothing" } };
  const sure = weighed(proposal, judged);
  // With errors, only what is likely is worth a look, also where somebody asks for whatever there is.
  const { normal } = checks.settings.leastLikelihood;
  const least = judged.kind === "unfinished" && threshold > 0 ? Math.max(threshold, normal) : threshold;
  if (sure >= least) return { kind: "passes", proposal: { ...proposal, likelihood: sure } };
  return judged.kind === "unfinished" && likelihood >= threshold
    ? { kind: "held", reason: { kind: "breaks-types", findings: judged.findings } }
    : unlikely;
}

/** An edit with what the brackets lack that it opens or takes out, where that is what is wrong with it. */
async function withPartners(file: FileText, edit: Edit, { syntaxErrors }: ProposalChecks): Promise<Edit> {
  const language = languageById(file.language);
  const [first, ...others] = language === undefined ? [] : partnerEdits(file.text, edit, language);
  if (language === undefined || first === undefined) return edit;
  // Without a parser brackets are all that is known.
  if (language.grammar === undefined && language.script === undefined) return edit.compose(first);
  const isSound = (await syntaxErrors.of(file, edit)).length === 0;
  if (isSound && !hidesOpened(file.text, edit.apply(file.text), language)) return edit;
  for (const way of [first, ...others]) {
    const whole = edit.compose(way);
    if ((await syntaxErrors.of(file, whole)).length === 0) return whole;
  }
  return edit;
}

/** Whether a text in which nothing but opened brackets is wrong, such as one that the person opened a moment ago, hides that an edit opens more. */
function hidesOpened(before: string, after: string, language: Language): boolean {
  const openers = new Set(language.brackets.map(([open]) => open));
  const unmatched = Structure.of(before, language).unmatched;
  if (unmatched.length === 0 || !unmatched.every(({ text }) => openers.has(text))) return false;
  return Structure.of(after, language).unmatched.length > unmatched.length;
}

/** Whether a checker complains in files of a language wherever a name means nothing. */
function isTyped(language: string): boolean {
  return language.startsWith("typescript");
}

/** From what share of the threshold on a proposal is looked at: types are asked whether they confirm a proposal. */
export const leastToConfirm = 0.6;

/** Whether types may say that errors go with a proposal which is not likely enough without. */
async function mayBeConfirmed(
  { path, likelihood, origin }: Proposal,
  { text, language, threshold, history = [], signal }: CheckOrder,
  { types, syntaxErrors }: ProposalChecks,
): Promise<boolean> {
  if (types === undefined || origin === "fix" || likelihood < threshold * leastToConfirm) return false;
  // The errors of what is being typed are mended by typing on.
  if (await syntaxErrors.isBroken({ path, language, text })) return false;
  if (types.hasErrors === undefined) return true;
  // What a person broke is where it was edited, and where that is mended often is elsewhere.
  const edited = new Set(history.map((past) => past.path).toReversed());
  return types.hasErrors([...new Set([path, ...[...edited].slice(0, maxEdited)])], { signal });
}

/** In how many of the files that were edited last it is looked for errors that might be mended. */
const maxEdited = 4;

/** How likely a proposal is by what types say of it. */
function weighed({ likelihood, origin }: Proposal, judged: TypeVerdict): number {
  // A fix was made to mend: that it does is no news.
  if (judged.kind === "fits" && judged.mended > 0 && origin !== "fix") return timesOdds(likelihood, oddsOfMending);
  return judged.kind === "unfinished" ? timesOdds(likelihood, oddsOfUnfinished) : likelihood;
}

/**
 * By what the odds of an edit are multiplied where errors go with it, and where the errors that come are of a change on its way. From 460 proposals in commits of drizzle-orm,
 * stencil, mikro-orm, typeorm, react-router and typescript-eslint, none of which is what is measured with. Of 28 that would be shown and are of a change on its way 16 were exact, as many as
 * foretold in most of their commits; of 13 with other errors none was.
 */
const oddsOfMending = 2.3;
const oddsOfUnfinished = 0.8;

function timesOdds(likelihood: number, factor: number): number {
  return (likelihood * factor) / (1 - likelihood + likelihood * factor);
}

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
  proposal: Proposal,
  { text, threshold, together, history = [], signal }: CheckOrder,
  { types }: ProposalChecks,
): Promise<TypeVerdict> {
  const { path, edit, origin, likelihood } = proposal;
  if (types === undefined || edit === undefined) return { kind: "unknown" };
  // What is worse with all of a rename is not what a rename leaves to be done.
  const alike = origin === "example" ? history : [];
  const alone = await types.judge({ path, text, edit, alike }, { signal });
  const isBad = alone.kind === "worse" || (alone.kind === "unfinished" && weighed(proposal, alone) < threshold);
  // Of a doubtful one it was asked only whether it mends something.
  if (!isBad || likelihood < threshold) return alone;
  const all = await together?.();
  if (all === undefined || (all.others.size === 0 && all.edit.equals(edit))) return alone;
  const whole = await types.judge({ path, text, edit: all.edit, together: all.others, alike }, { signal });
  return whole.kind === "worse" ? alone : whole;
}
