import { countRepeatedBelow } from "../../answers/index.ts";
import { EventQueue, LinkedController, raceAbort } from "../../async/index.ts";
import { endedTexts, type GuidedEnd, guidedText } from "../../grammar/index.ts";
import { type Model, ModelError } from "../../model/index.ts";
import { EmendError } from "../../text/index.ts";
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

/**
 * Writes a region with a chat model. The guide checks the answer row by row: at a row that does not
 * fit, the request is stopped and the model is requested to continue from the last good line. When
 * the requests are used up, or two in a row are refused for the same text at the same place, the
 * longest text that fits is ended as early as possible.
 *
 * Where there is no text to return, the answer has `isWritten: false` and the reason; so it has
 * when the model declines to answer. When a request fails, the best text of earlier requests is
 * returned; without one, the {@link ModelError} is thrown. Throws the reason of the task's signal.
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
    let attempt: RegionAttempt;
    try {
      attempt = yield* readAttempt({ chat, messages, marks, task, guide, good });
    } catch (error) {
      if (best === undefined || !(error instanceof ModelError)) throw error;
      return { result: { isWritten: true, ...best }, requests: request, refusals };
    }
    const answer = (result: RegionAnswer["result"]): RegionAnswer => ({ result, requests: request, refusals });
    if (attempt.refused !== undefined) refusals.push({ ...attempt.refused, request });
    if (attempt.end === "declined") return answer({ isWritten: false, reason: "declined", lastAnswer: attempt.answer });
    if (attempt.done !== undefined) return answer({ isWritten: true, ...attempt.done });
    if (attempt.lastResort !== undefined && lengthOf(attempt.lastResort) >= lengthOf(best)) best = attempt.lastResort;
    if (request >= maxRequests || isRepeated(refusals)) {
      return answer(
        best === undefined
          ? { isWritten: false, reason: reasonOf(attempt), lastAnswer: attempt.answer }
          : { isWritten: true, ...best },
      );
    }
    // An unreadable answer is requested again from its start.
    good = attempt.form === "whole" || attempt.form === "open-fence" ? attempt.good : "";
    why = attempt.trouble.kind === "unfinished" && attempt.end === "cut" ? "continued" : "refused";
    messages = [...first, ...regionRetryPrompt(attempt.answer, attempt.trouble)];
  }
}

/** The result of one answer. */
interface RegionAttempt {
  readonly answer: string;
  readonly end: "finished" | "cut" | "declined";
  readonly form: RegionForm;
  /** The beginning of the text that the guide accepts. */
  readonly good: string;
  /** The text, where it can be used as it is. */
  readonly done?: WrittenRegion;
  /** The text that can be used after all retries, where it is incomplete. */
  readonly lastResort?: WrittenRegion;
  readonly refused?: RegionRefusal;
  readonly trouble: RegionTrouble;
}

interface AttemptOptions {
  readonly chat: NonNullable<Model["chat"]>;
  readonly messages: ReturnType<typeof regionPrompt>;
  readonly marks: RegionMarks;
  readonly task: RegionTask;
  readonly guide: RegionGuide;
  /** The text accepted from earlier answers. */
  readonly good: string;
}

async function* readAttempt({
  chat,
  messages,
  marks,
  task,
  guide,
  good: before,
}: AttemptOptions): AsyncGenerator<RegionEvent, RegionAttempt> {
  const { question, place } = task;
  const stopping = new LinkedController(task.signal);
  const { signal } = stopping;
  const kept = before.slice(0, before.lastIndexOf("\n") + 1);
  const partial = before.slice(kept.length);
  const needsFence = task.guide === undefined;
  const reader = new RegionReader({ place, marks, language: question.language, kept, partial, needsFence });
  const textEvents = new EventQueue<RegionEvent>();
  let answer = "";
  let fed = "";
  let end: RegionAttempt["end"] = "finished";
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
        const { received, row } = step.value;
        answer += received;
        if (received !== "") textEvents.push({ kind: "text", text: received });
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
      yield* textEvents.until(next);
      const step = await next;
      if (step.done === true) ended = step.value;
      else {
        soFar = step.value.kind === "text-delta" ? soFar + step.value.text : soFar.slice(0, step.value.length);
        yield { kind: "so-far", text: soFar };
      }
    }
  } finally {
    stopping[Symbol.dispose]();
    // A caller that leaves the generator early does not wait for the stream.
    if (ended === undefined) stopping.abort(new EmendError("not-wanted", "The answer is no longer needed."));
  }
  return assessAttempt({ ended, answer, fed, end, form, task, guide, changes: reader.changes });
}

/** The part of the text so far that an answer beginning with `piece` continues. */
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
  const firstOf = (text: string) =>
    text
      .split("\n")
      .find((line) => line.trim() !== "")
      ?.trim();
  // A model that is requested to continue often starts again from the beginning.
  if (kept !== "" && firstOf(piece) === firstOf(kept)) return "";
  const partial = before.slice(kept.length).trim();
  const isRestart = partial === "" || piece.trimStart().startsWith(/^\W*\w*/.exec(partial)![0]);
  return !isRestart && !guide.allows(kept + piece) && guide.allows(before + piece) ? before : kept;
}

interface AttemptInput {
  readonly ended: GuidedEnd;
  readonly answer: string;
  /** All text of the answer, including what was refused. */
  readonly fed: string;
  readonly end: RegionAttempt["end"];
  readonly form: RegionForm;
  readonly task: RegionTask;
  readonly guide: RegionGuide;
  readonly changes: RegionReader["changes"];
}

function assessAttempt({ ended, answer, fed, end, form, task, guide, changes }: AttemptInput): RegionAttempt {
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
    const bare = withoutRepeatedBelow(fed, task);
    if (bare !== undefined && guide.mayEnd(bare)) {
      return { ...shared, done: made(bare, "whole", { change: "cut-echo" }), trouble };
    }
    if (isEnded && ended.kind === "whole") return { ...shared, done: made(fed, "whole"), trouble };
    const rest = fed.slice(ended.text.length);
    // Superfluous closing brackets at the end are removed without another request.
    const isCutBack = ended.kind === "cut-back" && hasOwnText(ended) && fed.startsWith(ended.text);
    if (task.guide !== undefined && isCutBack && /^[\s)\]}>;,]*$/.test(rest)) {
      return { ...shared, done: made(ended.text, "cut-back", { change: "cut-closers" }), trouble };
    }
  }
  // Without a grammar, only the model can end a text; and an ending alone is no answer.
  if (!hasOwnText(ended) || task.guide === undefined) return { ...shared, trouble };
  const kind = ended.kind === "closed" ? "closed" : "cut-back";
  const lastResort = {
    ...made(ended.text, kind, { ending: ended.ending }),
    *otherEnds() {
      for (const other of endedTexts(guide, good)) {
        if (other.text !== ended.text && hasOwnText(other))
          yield made(other.text, other.kind, { ending: other.ending });
      }
    },
  };
  // Another request would not raise the size limit.
  if (refusal?.cause === "budget") return { ...shared, done: lastResort, trouble };
  return { ...shared, lastResort, trouble };
}

/** Adds the final line ending that the lines of a region have, where the guide allows it. */
function withBreak(text: string, { place }: RegionTask, guide: RegionGuide): string {
  const isShort = place.endsWithBreak && text !== "" && !text.endsWith("\n");
  return isShort && guide.mayEnd(`${text}\n`) ? `${text}\n` : text;
}

/** The text without last lines that repeat those below the region; `undefined` if none do. */
function withoutRepeatedBelow(text: string, { place }: RegionTask): string | undefined {
  if (!place.isLines) return undefined;
  const lines = linesOf(text);
  const count = countRepeatedBelow(lines, place.below, linesOf(place.old));
  if (count === 0) return undefined;
  const rest = lines.slice(0, lines.length - count);
  return rest.map((line, index) => (place.endsWithBreak || index < rest.length - 1 ? `${line}\n` : line)).join("");
}

/** Streams the rows of an answer, each with the text received since the previous one. */
async function* answerRows(
  chat: NonNullable<Model["chat"]>,
  messages: AttemptOptions["messages"],
  signal: AbortSignal,
): AsyncGenerator<{ readonly received: string; readonly row: string | undefined }, RegionAttempt["end"]> {
  const stream = chat({ messages }, { signal });
  let isDone = false;
  let hasText = false;
  let rest = "";
  try {
    for (;;) {
      const step = await raceAbort(stream.next(), signal).catch((error: unknown) => {
        // A connection that breaks in the middle of an answer counts as a cut at a limit.
        if (!(hasText && error instanceof ModelError && error.code === "cut-off")) throw error;
        return { done: true, value: { reason: "length" } } as const;
      });
      if (step.done === true) {
        isDone = true;
        const { reason } = step.value;
        // An unfinished row is dropped at a cut, since the continuation starts with it.
        if (rest !== "" && reason !== "length") yield { received: "", row: rest.replace(/\r$/, "") };
        return reason === "length" ? "cut" : reason === "content-filter" ? "declined" : "finished";
      }
      const { text } = step.value;
      hasText = true;
      rest += text;
      if (!text.includes("\n")) {
        yield { received: text, row: undefined };
        continue;
      }
      const rows = rest.split("\n");
      rest = rows.pop()!;
      for (const [index, row] of rows.entries())
        yield { received: index === 0 ? text : "", row: row.replace(/\r$/, "") };
    }
  } finally {
    // A stream that ignores the signal is not waited for.
    if (!isDone) stream.return({ reason: "silent" }).catch(() => undefined);
  }
}

/** Whether the text contains something besides white space and its ending. */
function hasOwnText({ text, ending = "" }: Pick<GuidedEnd, "text" | "ending">): boolean {
  return text.slice(0, text.length - ending.length).trim() !== "";
}

/** The length of a text without its ending; -1 if there is none. */
function lengthOf(written: WrittenRegion | undefined): number {
  return written === undefined ? -1 : written.text.length - (written.ending?.length ?? 0);
}

/** Whether two requests in a row were refused for the same text at the same place. */
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

function reasonOf({ form, end, refused }: RegionAttempt): NoTextReason {
  if (form === "no-fence") return "no-text";
  if (form === "several-fences") return "several-texts";
  return end === "cut" || form === "open-fence" || refused?.cause === "budget" ? "cut-off" : "nothing-fits";
}
