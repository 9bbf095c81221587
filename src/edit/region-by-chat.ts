import { endedTexts, type GuidedEnd, guidedText } from "../grammar/index.ts";
import { type Model, ModelError } from "../model/index.ts";
import { EmendError } from "../text/index.ts";
import { countEchoBelow } from "./echo-above.ts";
import type { RegionGuide } from "./region-guides.ts";
import { linesOf } from "./region-place.ts";
import { type RegionMarks, type RegionTrouble, regionMarks, regionPrompt, regionRetryPrompt } from "./region-prompt.ts";
import { type RegionChange, type RegionForm, RegionReader } from "./region-reader.ts";
import {
  anyText,
  type NoTextReason,
  type RegionAnswer,
  type RegionEvent,
  type RegionRefusal,
  type RegionTask,
  type WrittenRegion,
} from "./region-text.ts";
import { untilAborted } from "./until-aborted.ts";

/**
 * Has a model that chats write a region. The answer is held to the guide row by row: where a row cannot stand, the request is
 * stopped, and the model is told and asked again, to go on from the last good line. When the requests are used up, the most
 * of what could stand is ended as soon as it can be.
 */
export async function* writeByChat(
  chat: NonNullable<Model["chat"]>,
  task: RegionTask,
): AsyncGenerator<RegionEvent, RegionAnswer> {
  const { question, maxRequests, signal } = task;
  const first = regionPrompt(question);
  const marks = regionMarks(question);
  const guide = task.guide ?? anyText(task.maxBytes);
  const refusals: RegionRefusal[] = [];
  let messages = first;
  let why: Extract<RegionEvent, { kind: "asking" }>["why"] = question.complaint === undefined ? "first" : "broken";
  let good = "";
  let best: WrittenRegion | undefined;
  for (let request = 1; ; request++) {
    signal?.throwIfAborted();
    yield { kind: "asking", why };
    let take: Take;
    try {
      take = yield* takeAnswer({ chat, messages, marks, task, guide, good });
    } catch (error) {
      if (best === undefined || !(error instanceof ModelError)) throw error;
      return { result: { isWritten: true, ...best }, requests: request, refusals };
    }
    const answer = (result: RegionAnswer["result"]): RegionAnswer => ({ result, requests: request, refusals });
    if (take.refused !== undefined) refusals.push({ ...take.refused, request });
    if (take.end === "declined") return answer({ isWritten: false, reason: "declined", said: take.answer });
    if (take.done !== undefined) return answer({ isWritten: true, ...take.done });
    if (take.lastResort !== undefined && lengthOf(take.lastResort) >= lengthOf(best)) best = take.lastResort;
    if (request >= maxRequests || isRepeated(refusals)) {
      return answer(
        best === undefined
          ? { isWritten: false, reason: reasonOf(take), said: take.answer }
          : { isWritten: true, ...best },
      );
    }
    // An answer that nobody can read is asked for anew, from its start.
    good = take.form === "whole" || take.form === "open-fence" ? take.good : "";
    why = take.trouble.kind === "unfinished" && take.end === "cut" ? "continued" : "refused";
    messages = [...first, ...regionRetryPrompt(take.answer, take.trouble)];
  }
}

/** What one answer comes to. */
interface Take {
  readonly answer: string;
  readonly end: "finished" | "cut" | "declined";
  readonly form: RegionForm;
  /** What of the text can stand, from its start. */
  readonly good: string;
  /** The text, where it may be taken as it is. */
  readonly done?: WrittenRegion;
  /** What can be made of it where it may not. */
  readonly lastResort?: WrittenRegion;
  readonly refused?: RegionRefusal;
  readonly trouble: RegionTrouble;
}

interface TakeOptions {
  readonly chat: NonNullable<Model["chat"]>;
  readonly messages: ReturnType<typeof regionPrompt>;
  readonly marks: RegionMarks;
  readonly task: RegionTask;
  readonly guide: RegionGuide;
  /** What answers before wrote that can stand. */
  readonly good: string;
}

async function* takeAnswer({
  chat,
  messages,
  marks,
  task,
  guide,
  good: before,
}: TakeOptions): AsyncGenerator<RegionEvent, Take> {
  const { question, place } = task;
  const stopping = new AbortController();
  const { signal } = stopping;
  const stop = () => stopping.abort(task.signal?.reason);
  task.signal?.addEventListener("abort", stop, { once: true });
  const kept = before.slice(0, before.lastIndexOf("\n") + 1);
  const partial = before.slice(kept.length);
  const needsFence = task.guide === undefined;
  const reader = new RegionReader({ place, marks, language: question.language, kept, partial, needsFence });
  const heard = new Heard();
  let answer = "";
  let fed = "";
  let end: Take["end"] = "finished";
  let form: RegionForm = "whole";
  async function* text(): AsyncGenerator<string, "finished" | "cut"> {
    let isBegun = false;
    const pass = function* (piece: string): Generator<string> {
      if (piece === "") return;
      const base = isBegun ? "" : baseOf({ before, kept, piece, guide });
      isBegun = true;
      fed += base + piece;
      yield base + piece;
    };
    const rows = answerRows(chat, messages, signal);
    let isOver = false;
    try {
      for (;;) {
        const step = await rows.next();
        if (step.done === true) {
          end = step.value;
          break;
        }
        const { said, row } = step.value;
        answer += said;
        heard.add(said);
        if (row !== undefined) yield* pass(reader.push(row));
      }
      isOver = true;
      const last = reader.end();
      form = last.form;
      yield* pass(last.text);
      if (!isBegun && kept !== "") yield* pass(kept);
      return "finished";
    } finally {
      if (!isOver) await rows.return("cut");
    }
  }
  const guided = guidedText({ guide, ask: text, maxRequests: 1, signal });
  let soFar = "";
  let ended: GuidedEnd | undefined;
  try {
    while (ended === undefined) {
      const next = guided.next();
      yield* heard.during(next);
      const step = await next;
      if (step.done === true) ended = step.value;
      else {
        soFar = step.value.kind === "text-delta" ? soFar + step.value.text : soFar.slice(0, step.value.length);
        yield { kind: "so-far", text: soFar };
      }
    }
  } finally {
    task.signal?.removeEventListener("abort", stop);
    // Whoever leaves early waits for nobody.
    if (ended === undefined) stopping.abort(new EmendError("not-wanted", "Nobody waits for this answer any more."));
  }
  return judge({ ended, answer, fed, end, form, task, guide, changes: reader.changes });
}

/** What a model said while its answer is checked, for those who watch. */
class Heard {
  #said = "";
  #wake: (() => void) | undefined;

  add(text: string): void {
    this.#said += text;
    this.#wake?.();
  }

  /** Tells of what is said until `work` is settled. */
  async *during(work: Promise<unknown>): AsyncGenerator<RegionEvent> {
    let isOver = false;
    const end = () => {
      isOver = true;
    };
    const over = work.then(end, end);
    while (!isOver) {
      const woken = new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      if (this.#said === "") await Promise.race([over, woken]);
      const text = this.#said;
      this.#said = "";
      if (text !== "") yield { kind: "text", text };
    }
  }
}

/** What of the text so far an answer goes on from that begins with `piece`. */
function baseOf({
  before,
  kept,
  piece,
  guide,
}: {
  readonly before: string;
  readonly kept: string;
  readonly piece: string;
  readonly guide: RegionGuide;
}): string {
  const firstOf = (text: string) => /^.*\S.*$/m.exec(text)?.[0].trim();
  // What is asked for from a line on is often written anew from its start.
  if (kept !== "" && firstOf(piece) === firstOf(kept)) return "";
  const partial = before.slice(kept.length).trim();
  const isAnew = partial === "" || piece.trimStart().startsWith(/^\W*\w*/.exec(partial)![0]);
  return !isAnew && !guide.allows(kept + piece) && guide.allows(before + piece) ? before : kept;
}

interface ToJudge {
  readonly ended: GuidedEnd;
  readonly answer: string;
  /** All of the text that came, also what was refused. */
  readonly fed: string;
  readonly end: Take["end"];
  readonly form: RegionForm;
  readonly task: RegionTask;
  readonly guide: RegionGuide;
  readonly changes: RegionReader["changes"];
}

function judge({ ended, answer, fed, end, form, task, guide, changes }: ToJudge): Take {
  const refusal = ended.refusals[0];
  const good = refusal === undefined ? fed : fed.slice(0, refusal.offset);
  const refused: RegionRefusal | undefined = refusal && {
    ...refusal,
    behind: good,
    expected: refusal.cause === "grammar" ? guide.expected(good) : [],
  };
  const made = (
    text: string,
    kind: WrittenRegion["kind"],
    { ending, change }: { readonly ending?: string | undefined; readonly change?: RegionChange } = {},
  ): WrittenRegion => ({
    ...{ text: withBreak(text, task, guide), kind },
    changes: [...new Set([...changes, ...(change === undefined ? [] : [change])])],
    ...(ending !== undefined && { ending }),
  });
  const shared = { answer, end, form, good, ...(refused && { refused }) };
  if (refusal === undefined && form === "no-fence") return { ...shared, trouble: { kind: "no-fence" } };
  if (refusal === undefined && form === "several-fences") return { ...shared, trouble: { kind: "several-fences" } };
  const isEnded = refusal === undefined && end === "finished" && form === "whole";
  const trouble: RegionTrouble =
    refusal === undefined
      ? { kind: "unfinished", good }
      : { kind: "refused", good, refused: refusal.text, expected: refused!.expected };
  if (end !== "declined" && (isEnded || refusal !== undefined)) {
    const bare = withoutEchoBelow(fed, task);
    if (bare !== undefined && guide.mayEnd(bare)) {
      return { ...shared, done: made(bare, "whole", { change: "cut-echo" }), trouble };
    }
    if (isEnded && ended.kind === "whole") return { ...shared, done: made(fed, "whole"), trouble };
    const rest = fed.slice(ended.text.length);
    // What closes too much needs no other answer.
    const isCutBack = ended.kind === "cut-back" && says(ended) && fed.startsWith(ended.text);
    if (task.guide !== undefined && isCutBack && /^[\s)\]}>;,]*$/.test(rest)) {
      return { ...shared, done: made(ended.text, "cut-back", { change: "cut-closers" }), trouble };
    }
  }
  // What nothing holds to a grammar has no end but its own, and an end alone is no answer.
  if (!says(ended) || task.guide === undefined) return { ...shared, trouble };
  const kind = ended.kind === "closed" ? "closed" : "cut-back";
  const lastResort = {
    ...made(ended.text, kind, { ending: ended.ending }),
    *otherEnds() {
      for (const other of endedTexts(guide, good)) {
        if (other.text !== ended.text && says(other)) yield made(other.text, other.kind, { ending: other.ending });
      }
    },
  };
  // Asking again makes no more room.
  if (refusal?.cause === "budget") return { ...shared, done: lastResort, trouble };
  return { ...shared, lastResort, trouble };
}

/** A text that ends otherwise than its model ended it, with the line ending that lines of a region have. */
function withBreak(text: string, { place }: RegionTask, guide: RegionGuide): string {
  const isShort = place.endsWithBreak && text !== "" && !text.endsWith("\n");
  return isShort && guide.mayEnd(`${text}\n`) ? `${text}\n` : text;
}

/** A text without the lines at its end that stand below the region already. */
function withoutEchoBelow(text: string, { place }: RegionTask): string | undefined {
  if (!place.isLines) return undefined;
  const lines = linesOf(text);
  const count = countEchoBelow(lines, place.below, linesOf(place.old));
  if (count === 0) return undefined;
  const rest = lines.slice(0, lines.length - count);
  return rest.map((line, index) => (place.endsWithBreak || index < rest.length - 1 ? `${line}\n` : line)).join("");
}

/** The rows of an answer while they come, each with all that was said since the one before. */
async function* answerRows(
  chat: NonNullable<Model["chat"]>,
  messages: TakeOptions["messages"],
  signal: AbortSignal,
): AsyncGenerator<{ readonly said: string; readonly row: string | undefined }, Take["end"]> {
  const stream = chat({ messages }, { signal });
  let isDone = false;
  let hasSaid = false;
  let rest = "";
  try {
    for (;;) {
      const step = await untilAborted(stream.next(), signal).catch((error: unknown) => {
        // A connection that breaks in the middle of an answer cuts it off as a limit does.
        if (!(hasSaid && error instanceof ModelError && error.code === "cut-off")) throw error;
        return { done: true, value: { reason: "length" } } as const;
      });
      if (step.done === true) {
        isDone = true;
        const { reason } = step.value;
        // A row that was cut off is no row: what comes next begins with it.
        if (rest !== "" && reason !== "length") yield { said: "", row: rest.replace(/\r$/, "") };
        return reason === "length" ? "cut" : reason === "content-filter" ? "declined" : "finished";
      }
      const { text } = step.value;
      hasSaid = true;
      rest += text;
      if (!text.includes("\n")) {
        yield { said: text, row: undefined };
        continue;
      }
      const rows = rest.split("\n");
      rest = rows.pop()!;
      for (const [index, row] of rows.entries()) yield { said: index === 0 ? text : "", row: row.replace(/\r$/, "") };
    }
  } finally {
    // A stream that does not listen to the signal is left to itself.
    if (!isDone) stream.return({ reason: "silent" }).catch(() => undefined);
  }
}

/** Whether something of a text is the model's own. */
function says({ text, ending = "" }: Pick<GuidedEnd, "text" | "ending">): boolean {
  return text.slice(0, text.length - ending.length).trim() !== "";
}

/** How much of a text is the model's own. */
function lengthOf(written: WrittenRegion | undefined): number {
  return written === undefined ? -1 : written.text.length - (written.ending?.length ?? 0);
}

/** Whether the model said again what was refused the last time. */
function isRepeated(refusals: readonly RegionRefusal[]): boolean {
  const [before, last] = refusals.slice(-2);
  return (
    before !== undefined &&
    last !== undefined &&
    before.request === last.request - 1 &&
    before.behind === last.behind &&
    before.text === last.text
  );
}

function reasonOf({ form, end, refused }: Take): NoTextReason {
  if (form === "no-fence") return "no-text";
  if (form === "several-fences") return "several-texts";
  return end === "cut" || form === "open-fence" || refused?.cause === "budget" ? "cut-off" : "nothing-fits";
}
