import { LRUCache } from "lru-cache";
import { type Diagnostic, isAboutLibrary } from "../../../analysis/index.ts";
import { Edit, minimalEdit, oneLine, type TextRange } from "../../../text/index.ts";
import type { WorkspaceTexts } from "../../engine/text-index.ts";
import { seenByOthers } from "./affected-names.ts";
import type { ParseCache } from "./parse-cache.ts";
import type { PastChange } from "./past-change.ts";
import type { TypeCheckCache } from "./type-check-cache.ts";

/** The input of {@link NewDiagnostics.at}. */
interface NewDiagnosticsRequest {
  readonly types: TypeCheckCache;
  readonly files: Pick<WorkspaceTexts, "textOf">;
  /** The effect of the recent edits, by path. */
  readonly changes: ReadonlyMap<string, PastChange>;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Finds the diagnostics of files that are new since the recent edits, with a cache.
 *
 * The diagnostics of a file that was not edited depend on its text and on the exported signatures
 * of the edited files. While these stay the same, the cached result is returned. Types inferred
 * from bodies are not followed.
 */
export class NewDiagnostics {
  readonly #states: Pick<ParseCache, "blocksOf">;
  /** Results by path. */
  readonly #known = new LRUCache<string, KnownDiagnostics>({ max: maxKnown });

  constructor(states: Pick<ParseCache, "blocksOf">) {
    this.#states = states;
  }

  /**
   * Returns a function that gives the new diagnostics of a file, for one state of the texts. Its
   * promise rejects as the checker does, and with the signal's reason.
   */
  at(question: NewDiagnosticsRequest): (path: string) => Promise<readonly Diagnostic[]> {
    const { types, files, changes } = question;
    const seen = [...changes].flatMap(([path, { before, after }]) => {
      return [path, before, seenByOthers({ text: after, blocks: this.#states.blocksOf(path, after) })];
    });
    return async (path) => {
      const basis = [files.textOf(path) ?? "", ...seen];
      const known = this.#known.get(path);
      const isSame = known?.types === types && known.basis.every((one, at) => one === basis[at]);
      if (!changes.has(path) && isSame && known.basis.length === basis.length) return known.fresh;
      const fresh = await this.#compute(path, question);
      this.#known.set(path, { types, basis, fresh });
      return fresh;
    };
  }

  async #compute(path: string, { types, changes, signal }: NewDiagnosticsRequest): Promise<readonly Diagnostic[]> {
    const now = await types.errorsOf([path], { signal });
    if (now.length === 0) return now;
    const past = new Map([...changes].map(([file, { before }]) => [file, before] as const));
    const before = await types.errorsWith(past, [path], { signal });
    const change = changes.get(path);
    return compareDiagnostics(before, now, change && { edit: minimalEdit(change.before, change.after) }).fresh;
  }
}

/** The number of files whose results are kept. */
const maxKnown = 32;

interface KnownDiagnostics {
  readonly types: TypeCheckCache;
  /**
   * What the result depends on: the file's text, and the exported signatures of the edited files.
   */
  readonly basis: readonly string[];
  readonly fresh: readonly Diagnostic[];
}

/** The difference between the diagnostics of a file before and after an edit. */
interface ComparedDiagnostics {
  /** The new diagnostics, with offsets in the text after the edit. */
  readonly fresh: readonly Diagnostic[];
  /** The diagnostics that are gone, with offsets in the text before the edit. */
  readonly gone: readonly Diagnostic[];
}

/**
 * Compares the diagnostics of one file before and after an edit of it; without an edit, those of
 * any files whatever changed elsewhere. Returns those of `after` and of `before` that have no
 * partner.
 *
 * Two diagnostics are paired, in this order, when they have the same message at the place that the
 * edit moves it to; the same message anywhere in the file, because lines move; or the same code at
 * the same place or, with `lines`, in the edited lines, because messages contain types that change.
 * Each is paired at most once. Diagnostics caused by missing libraries are left out.
 *
 * Law: without an edit, equal lists give neither new nor gone diagnostics.
 */
export function compareDiagnostics(
  before: readonly Diagnostic[],
  after: readonly Diagnostic[],
  { edit, lines }: { readonly edit: Edit; readonly lines?: EditedLines } = { edit: Edit.empty },
): ComparedDiagnostics {
  const lacksLibrary = before.some(isAboutAnyLibrary) || after.some(isAboutAnyLibrary);
  const counts = (diagnostic: Diagnostic) =>
    !isAboutAnyLibrary(diagnostic) && !(lacksLibrary && mayBeForLackOfLibrary(diagnostic));
  let gone = before.filter(counts).map((diagnostic) => ({ diagnostic, at: edit.mapOffset(diagnostic.start, "after") }));
  let fresh = after.filter(counts);
  const pairBy = (keyBefore: (one: Moved) => string | undefined, keyAfter: (one: Diagnostic) => string | undefined) => {
    const waiting = new Map<string, Moved[]>();
    // The lists are reversed, so that `pop` takes the first diagnostic of a key.
    for (const one of gone.toReversed()) {
      const key = keyBefore(one);
      if (key === undefined) continue;
      const same = waiting.get(key);
      if (same === undefined) waiting.set(key, [one]);
      else same.push(one);
    }
    const paired = new Set<Moved>();
    fresh = fresh.filter((one) => {
      const partner = waiting.get(keyAfter(one) ?? "")?.pop();
      if (partner !== undefined) paired.add(partner);
      return partner === undefined;
    });
    gone = gone.filter((one) => !paired.has(one));
  };
  const kind = ({ path, code }: Diagnostic) => `${code} ${path}`;
  const words = (diagnostic: Diagnostic) => `${kind(diagnostic)} ${diagnostic.message}`;
  pairBy(
    ({ diagnostic, at }) => `${at} ${words(diagnostic)}`,
    (diagnostic) => `${diagnostic.start} ${words(diagnostic)}`,
  );
  pairBy(({ diagnostic }) => words(diagnostic), words);
  pairBy(
    ({ diagnostic, at }) => `${at} ${kind(diagnostic)}`,
    (diagnostic) => `${diagnostic.start} ${kind(diagnostic)}`,
  );
  if (lines !== undefined)
    pairBy(
      ({ diagnostic }) => (isIn(lines.before, diagnostic.start) ? kind(diagnostic) : undefined),
      (diagnostic) => (isIn(lines.after, diagnostic.start) ? kind(diagnostic) : undefined),
    );
  return { fresh, gone: gone.map(({ diagnostic }) => diagnostic) };
}

/** The whole lines that an edit changes, as ranges of the text before and of the text after. */
interface EditedLines {
  readonly before: readonly TextRange[];
  readonly after: readonly TextRange[];
}

/**
 * Returns the whole lines that an edit of `before` changes, as ranges of offsets in the text before
 * and in the text after.
 */
export function editedLines(before: string, edit: Edit, after = edit.apply(before)): EditedLines {
  return {
    before: edit.edits.map((range) => wholeLines(before, range)),
    after: edit.rangesAfter().map((range) => wholeLines(after, range)),
  };
}

/** A diagnostic and the offset of its start after the edit. */
interface Moved {
  readonly diagnostic: Diagnostic;
  readonly at: number;
}

function wholeLines(text: string, { start, end }: TextRange): TextRange {
  const feed = text.indexOf("\n", end);
  return { start: start === 0 ? 0 : text.lastIndexOf("\n", start - 1) + 1, end: feed < 0 ? text.length + 1 : feed + 1 };
}

function isIn(ranges: readonly TextRange[], offset: number): boolean {
  return ranges.some(({ start, end }) => start <= offset && offset < end);
}

/**
 * Whether a diagnostic is about a library, or names one that cannot be found: no edit is the cause.
 */
function isAboutAnyLibrary(diagnostic: Diagnostic): boolean {
  const { code, message } = diagnostic;
  return isAboutLibrary(diagnostic) || (code === "2307" && /^Cannot find module '(?![./])/.test(message));
}

/**
 * Whether a missing library may be the cause of a diagnostic: the checker could not infer a type
 * from it.
 */
function mayBeForLackOfLibrary({ code }: Diagnostic): boolean {
  return ofInference.has(code);
}

/** TypeScript's codes for a type that cannot be inferred. */
const ofInference: ReadonlySet<string> = new Set(["7005", "7006", "7008", "7010", "7011", "7019", "7031", "7034"]);

/**
 * Returns the first line of a diagnostic's message as a reason, the end of "Suggested": without a
 * full stop and cut at 120 UTF-16 units.
 */
export function diagnosticReason({ message }: Pick<Diagnostic, "message">): string {
  const text = oneLine(message).replace(/\.$/, "");
  return text.length <= maxReason ? text : `${text.slice(0, maxReason - 1)}…`;
}

const maxReason = 120;
