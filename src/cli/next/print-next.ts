import { readEditFiles } from "../../edit/node/index.ts";
import {
  describeFilterReason,
  describeNoNextEdit,
  explainNextOutcome,
  type FilteredProposal,
  isGuess,
  type NextEditOrigin,
  type NextEditOutcome,
  type NextTraceStep,
  type Proposal,
  printNextPlace,
  printProposed,
  printSuggestion,
  type WholeChain,
  type WorkspaceTexts,
} from "../../next/index.ts";
import { byteOrderMark, type Edit, Lines, type TextRange, toUnifiedDiff } from "../../text/index.ts";
import { countText, listed } from "../terminal/print-amount.ts";
import { printDiff } from "../terminal/print-diff.ts";
import { printable, styled, type Terminal } from "../terminal/terminal.ts";

/** A place for programs: lines and columns from 1, columns in UTF-16 code units. */
export interface PlaceReport {
  readonly path: string;
  readonly line?: number;
  readonly column?: number;
}

/** A proposed edit or location in a file. */
export interface ProposalReport extends PlaceReport {
  readonly origin: NextEditOrigin;
  readonly reason: string;
  /** The whole message of the type error that the recent edits caused there. */
  readonly error?: string;
  /** Whether the type checker finds no new error after the edit, and that error gone. */
  readonly isCertain?: boolean;
  /** From 0 to 1; absent for a place that has an error, and for a certain edit. */
  readonly likelihood?: number;
}

/** The output of `--json`. Fields may be added; none changes its meaning. */
export interface NextReport {
  readonly kind: "offered" | "no-suggestion";
  /** The absolute folder that paths are relative to. */
  readonly root: string;
  /** The place of the request. */
  readonly requestedAt: PlaceReport;
  /** The number of recent edits. */
  readonly historyEdits: number;
  /** Only with a suggestion. Without a `diff` the place is only to be looked at. */
  readonly suggestion?: ProposalReport & {
    readonly model?: string;
    /** In the unified format, with paths from the root. */
    readonly diff?: string;
    /** With `--chain`: the files that are edited together. */
    readonly chain?: readonly string[];
    /** With `--chain`: the places of the change that are left for another run; absent for none. */
    readonly left?: number;
    /** With `--chain`: set where a type checker took too long to name all places. */
    readonly isLate?: true;
  };
  /** Only without a suggestion. */
  readonly reason?: { readonly kind: string; readonly message: string };
  /** Only with `--all`: further places, the nearest first. */
  readonly others?: readonly (ProposalReport & { readonly diff?: string })[];
  /** Only with `--explain`. */
  readonly trace?: readonly NextTraceStep[];
  readonly filteredOut?: readonly (ProposalReport & {
    readonly filter: { readonly kind: string; readonly message: string };
  })[];
  readonly notes: readonly string[];
  /** Milliseconds from the request to the answer. */
  readonly answerMs: number;
}

/** What a report is made from. */
export interface AnsweredNext {
  readonly outcome: NextEditOutcome;
  readonly chain: WholeChain | undefined;
  readonly requestedAt: { readonly path: string; readonly offset: number };
  readonly root: string;
  readonly historyEdits: number;
  readonly files: Pick<WorkspaceTexts, "textOf">;
  /** Files with a byte order mark on the disk, which their texts here lack; none by default. */
  readonly marked?: ReadonlySet<string>;
  readonly notes: readonly string[];
  readonly answerMs: number;
  readonly options: { readonly all: boolean; readonly explain: boolean };
}

/**
 * Makes the report of an answer, for `--json` and {@link printNext}. Lines and columns count from
 * 1.
 */
export function reportNext(answered: AnsweredNext): NextReport {
  const { outcome, chain, requestedAt, root, historyEdits, files, notes, answerMs, options } = answered;
  const { marked = new Set<string>() } = answered;
  const { path, offset } = requestedAt;
  const proposed = (one: Proposal) => ({
    ...placeReport(one.path, files.textOf(one.path), one.place),
    ...{ origin: one.origin, reason: one.reason },
    ...judged(one),
  });
  const base = {
    ...{ kind: outcome.kind, root, requestedAt: placeReport(path, files.textOf(path), { start: offset, end: offset }) },
    historyEdits,
  };
  const explained = options.explain && {
    trace: outcome.trace,
    filteredOut: outcome.filteredOut.map(({ proposal, reason }: FilteredProposal) => ({
      ...proposed(proposal),
      filter: { kind: reason.kind, message: describeFilterReason(reason) },
    })),
  };
  const end = { ...explained, notes, answerMs: Math.round(answerMs * 10) / 10 };
  if (outcome.kind === "no-suggestion") {
    return { ...base, reason: { kind: outcome.reason.kind, message: describeNoNextEdit(outcome.reason) }, ...end };
  }
  const { suggestion } = outcome;
  const { text, edit, place, origin, reason, model, others } = suggestion;
  const diff = chain === undefined ? edit && diffOf(suggestion.path, text, edit, marked) : diffOfChain(chain, marked);
  return {
    ...base,
    suggestion: {
      ...placeReport(suggestion.path, text, place),
      ...{ origin, reason, ...judged(suggestion), ...(model !== undefined && { model }) },
      ...(diff !== undefined && { diff }),
      ...(chain && { chain: [...chain.files.keys()] }),
      ...(chain && chain.left > 0 && { left: chain.left }),
      ...(chain?.isLate && { isLate: true as const }),
    },
    ...(options.all && {
      others: others.map((one) => {
        const before = files.textOf(one.path);
        const isFit = one.edit !== undefined && before !== undefined;
        return { ...proposed(one), ...(isFit && { diff: diffOf(one.path, before, one.edit, marked) }) };
      }),
    }),
    ...end,
  };
}

/**
 * An answer for people: place and reason, the change as a diff that `git apply` accepts, and what
 * the options request. Without a suggestion, it begins with `Nothing` and the reason instead. A
 * suggestion without a diff shows the line of its place.
 *
 * `all` adds the further places; `explain` adds how the answer was found, the number of recent
 * edits and the place of the request.
 */
export function printNext(
  report: NextReport,
  {
    outcome,
    files,
    options,
    terminal,
  }: {
    readonly outcome: NextEditOutcome;
    readonly files: Pick<WorkspaceTexts, "textOf">;
    readonly options: { readonly all: boolean; readonly explain: boolean };
    readonly terminal: Pick<Terminal, "colour" | "isShown">;
  },
): string {
  const { colour } = terminal;
  const sections: string[] = [];
  if (outcome.kind === "no-suggestion") {
    const { message } = report.reason!;
    sections.push(`${styled("Nothing", "bold", colour)}: ${printable(message)}\n`);
  } else {
    const { suggestion } = outcome;
    const { diff, chain } = report.suggestion!;
    const together = chain === undefined || chain.length < 2 ? "" : `, together in ${listed(chain)}`;
    sections.push(`${styled(printable(printSuggestion(suggestion)), "bold", colour)}${printable(together)}\n`);
    sections.push(diff === undefined ? `${lineAt(suggestion.text, suggestion.place)}\n` : printDiff(diff, terminal));
    if (options.all) sections.push(printOthers(suggestion.others, files));
  }
  if (options.explain) {
    // Its first line is printed above.
    const [, ...rest] = explainNextOutcome(outcome, files).split("\n");
    sections.push(`${printable(rest.join("\n").trim())}\n`);
    sections.push(`${countText(report.historyEdits, "recent edit")}, requested at ${printed(report.requestedAt)}.\n`);
  }
  return sections.join(options.explain || options.all ? "\n" : "");
}

/** How sure a proposal is: an error as its whole message, and the likelihood of a guess. */
function judged(one: Pick<Proposal, "edit" | "error" | "isCertain"> & { readonly likelihood?: number }) {
  const { error, isCertain, likelihood } = one;
  return {
    ...(error && { error: error.message }),
    ...(isCertain && { isCertain }),
    ...(likelihood !== undefined && isGuess(one) && { likelihood }),
  };
}

/**
 * A sentence with what a chain leaves out and the command for the rest; `undefined` where that is
 * nothing.
 */
export function printRestOfChain({ left, isLate }: WholeChain, apply: boolean): string | undefined {
  const rest =
    left > 0 ? `${countText(left, "place")} of this change ${left === 1 ? "is" : "are"} left` : "Places may be left";
  if (left === 0 && !isLate) return undefined;
  const why = isLate ? ": the type checker took longer than `next.typesMs`" : "";
  const again = apply ? "Run `emend next --chain --apply` again." : "Apply these, and run `emend next --chain` again.";
  return `${rest}${why}. ${again}`;
}

function printOthers(others: readonly Proposal[], files: Pick<WorkspaceTexts, "textOf">): string {
  if (others.length === 0) return "No further places.\n";
  const rows = others.map((one) => {
    const text = files.textOf(one.path);
    const line = text === undefined ? "" : `\n    ${lineAt(text, one.place)}`;
    return printable(`  ${printNextPlace(one.path, text, one.place)}${printProposed(one)} (${one.origin})`) + line;
  });
  return `Further places:\n${rows.join("\n")}\n`;
}

/** The line of a place, without its indentation. */
function lineAt(text: string, { start }: TextRange): string {
  const lines = Lines.of(text);
  return printable(lines.text(lines.lineAt(Math.min(start, text.length))).trim());
}

function diffOf(path: string, before: string, edit: Edit, marked: ReadonlySet<string>): string {
  const mark = marked.has(path) ? byteOrderMark : "";
  return toUnifiedDiff({ before: mark + before, after: mark + edit.apply(before), path, pathBefore: path });
}

function diffOfChain({ files }: WholeChain, marked: ReadonlySet<string>): string {
  return [...files].map(([path, { text, edit }]) => diffOf(path, text, edit, marked)).join("");
}

function placeReport(path: string, text: string | undefined, { start }: TextRange): PlaceReport {
  if (text === undefined || start > text.length) return { path };
  const { line, column } = Lines.of(text).positionAt(start);
  return { path, line: line + 1, column: column + 1 };
}

function printed({ path, line, column }: PlaceReport): string {
  return line === undefined ? path : `${path}:${line}:${column}`;
}

/**
 * The paths, from the root, of those files in a suggestion that begin with a byte order mark on the
 * disk. The engine's texts have no mark, but `git apply` requires it in a patch. Rejects with the
 * signal's reason on abort.
 */
export async function markedFiles(
  outcome: NextEditOutcome,
  chain: WholeChain | undefined,
  { root, signal }: { readonly root: string; readonly signal: AbortSignal },
): Promise<ReadonlySet<string>> {
  if (outcome.kind === "no-suggestion") return new Set();
  const { path, others } = outcome.suggestion;
  const paths = new Set([path, ...others.map((other) => other.path), ...(chain?.files.keys() ?? [])]);
  const { files } = await readEditFiles(root, [...paths], { signal });
  return new Set(files.filter(({ text }) => text.startsWith(byteOrderMark)).map((file) => file.path));
}
