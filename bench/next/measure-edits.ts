import type { Clock } from "../../src/async/index.ts";
import type { NameTables } from "../../src/names/index.ts";
import {
  defaultNextEditSettings,
  type EditTypeCheck,
  NextEditEngine,
  type NextEditProvider,
  prettierFormatter,
  type TextIndex,
} from "../../src/next/index.ts";
import type { Syntax } from "../../src/syntax/index.ts";
import type { MadeEdit } from "./made-edits.ts";

/** One edit, and what it took to say what may be next. */
export interface MeasuredEdit {
  readonly kind: MadeEdit["kind"];
  readonly cpuMs: number;
  readonly wallMs: number;
  readonly isOffered: boolean;
}

/** How much memory is in use after so many edits, with everything unreachable gone. */
export interface MeasuredHeap {
  readonly edits: number;
  readonly megabytes: number;
}

/** What edits are measured in; all of it stays its owner's. */
export interface MeasuredParts {
  readonly index: TextIndex;
  readonly sources: readonly NextEditProvider[];
  readonly names: NameTables;
  readonly syntax: Syntax;
  readonly types: EditTypeCheck | undefined;
  readonly clock: Clock;
  /** Passes a file's new text to others that follow it, which counts as well. */
  readonly onText?: (path: string, text: string) => void;
  /** Milliseconds of processor time so far, of all that works. */
  readonly cpuMs: () => number;
  readonly megabytes: () => number;
}

/** Edits that are not measured, in which everything is compiled and loaded. */
const warmUp = 50;

/** After how many edits memory is looked at. */
const heapEvery = 1000;

/**
 * Makes so many edits, and after each asks for the next. Nothing is accepted: the person continues
 * alone.
 */
export async function measureEdits(
  edits: Iterator<MadeEdit>,
  count: number,
  { index, sources, names, syntax, types, clock, onText, cpuMs, megabytes }: MeasuredParts,
): Promise<{ readonly measured: readonly MeasuredEdit[]; readonly heap: readonly MeasuredHeap[] }> {
  using engine = new NextEditEngine({
    ...{
      sources,
      files: index,
      syntax,
      clock,
      settings: defaultNextEditSettings,
      formatter: prettierFormatter(),
      names,
      ...(types && { types }),
    },
    access: () => ({ kind: "allowed" }),
  });
  const measured: MeasuredEdit[] = [];
  const heap: MeasuredHeap[] = [];
  let open: string[] = [];
  for (let i = -warmUp; i < count; i++) {
    const next = edits.next();
    if (next.done === true) break;
    const { kind, path, edit } = next.value;
    const before = index.textOf(path)!;
    if (open[0] !== path) {
      open = [path, ...open.filter((one) => one !== path)].slice(0, 8);
      index.show(open);
    }
    const started = { cpuMs: cpuMs(), wallMs: performance.now() };
    const text = edit.apply(before);
    index.update(path, text);
    onText?.(path, text);
    engine.changed(path, before, edit);
    const document = { uri: `file:///${path}`, language: index.languageOf(path), version: i, text };
    const offset = edit.rangesAfter().at(-1)?.end ?? 0;
    const outcome = await engine.suggest({ document, path, offset, trigger: "automatic" });
    const ended = { cpuMs: cpuMs(), wallMs: performance.now() };
    if (i < 0) continue;
    const isOffered = outcome.kind === "offered";
    measured.push({ kind, cpuMs: ended.cpuMs - started.cpuMs, wallMs: ended.wallMs - started.wallMs, isOffered });
    if (isOffered) engine.shown(outcome.suggestion.id);
    if ((i + 1) % heapEvery === 0) heap.push({ edits: i + 1, megabytes: megabytes() });
  }
  return { measured, heap };
}
