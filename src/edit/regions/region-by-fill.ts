import { guidedText, type Refusal, RefusedCandidates } from "../../grammar/index.ts";
import type { FillRequest, Model, ModelEnd } from "../../model/index.ts";
import { withLineFeeds } from "../../text/index.ts";
import type { RegionGuide } from "./region-guides.ts";
import { linesOf } from "./region-place.ts";
import {
  anyText,
  type NoTextReason,
  type RegionAnswer,
  type RegionEvent,
  type RegionRefusal,
  type RegionTask,
} from "./region-text.ts";

/**
 * Writes a region with a fill-in-the-middle model, without the old text in place. Such models
 * continue the surrounding text; instruction and old text are passed as context, which few of them
 * follow. A model that reports next-token alternatives is requested for them where its text is
 * refused.
 *
 * Where there is no text to return, the answer has `isWritten: false` and the reason. Throws the
 * model's error when a request fails, and the reason of the task's signal.
 */
export async function* writeByFill(
  model: Model & Required<Pick<Model, "fill">>,
  task: RegionTask,
): AsyncGenerator<RegionEvent, RegionAnswer> {
  const { question, place, maxRequests, maxBytes, signal } = task;
  // Fill-in-the-middle models continue best after the indentation of the line.
  const lead = place.isLines ? (/^[ \t]*(?=\S)/m.exec(place.old)?.[0] ?? "") : "";
  const guide = behindLead(lead, withoutBreak(task.guide ?? anyText(maxBytes), place.endsWithBreak));
  const watched = new RefusedCandidates(guide);
  const before = withLineFeeds(question.text.slice(0, place.range.start)) + lead;
  const behind = (place.endsWithBreak ? "\n" : "") + withLineFeeds(question.text.slice(place.range.end));
  const { path, language } = question;
  const request = (soFar: string): FillRequest => ({
    ...{ path, language, prefix: before + soFar, suffix: behind },
    context: [
      ...(question.context ?? []),
      ...(place.old.trim() === "" ? [] : [{ kind: "task", path: "What stood here before", text: place.old } as const]),
      { kind: "task", path: "What is to be done here", text: question.instruction },
    ],
    maxLines: 20 + 2 * linesOf(place.old).length,
    maxTokens: Math.ceil(maxBytes / bytesPerToken),
    ...(model.followsGuide && { guide: watched.watching(soFar) }),
  });
  const received: string[] = [];
  let requests = 0;
  let reason: ModelEnd["reason"] = "finished";
  async function* requestText(soFar: string): AsyncGenerator<string, "finished" | "cut"> {
    watched.request = ++requests;
    const parts = model.fill(request(soFar), signal === undefined ? {} : { signal });
    try {
      for (;;) {
        const part = await parts.next();
        if (part.done === true) {
          reason = part.value.reason;
          return reason === "length" ? "cut" : "finished";
        }
        received.push(part.value.text);
        yield withLineFeeds(part.value.text);
      }
    } finally {
      await parts.return({ reason: "length" });
    }
  }
  const { next } = model;
  const alternatives = (soFar: string) =>
    // Many servers do not report alternatives; the model is then simply requested again.
    next!
      .call(model, { path, language, prefix: before + soFar, suffix: behind }, signal === undefined ? {} : { signal })
      .catch(() => {
        signal?.throwIfAborted();
        return [];
      });
  yield { kind: "asking", why: question.complaint === undefined ? "first" : "broken" };
  const parts = guidedText({
    ...{ guide, ask: requestText, maxRequests, signal },
    ...(next !== undefined && !model.followsGuide && { alternatives }),
  });
  let soFar = "";
  try {
    for (;;) {
      const step = await parts.next();
      for (const text of received.splice(0)) yield { kind: "text", text };
      if (step.done !== true) {
        soFar = step.value.kind === "text-delta" ? soFar + step.value.text : soFar.slice(0, step.value.length);
        yield { kind: "so-far", text: lead + soFar };
        continue;
      }
      const { kind, text, ending, refusals: refused } = step.value;
      const expectedBehind = (good: string, { cause }: Refusal) => (cause === "grammar" ? guide.expected(good) : []);
      const refusals = [
        ...watched.refusals.map((refusal) => ({ ...refusal, expected: expectedBehind(refusal.behind, refusal) })),
        ...refused.map((refusal): RegionRefusal => {
          const good = text.slice(0, refusal.offset);
          return { ...refusal, behind: lead + good, expected: expectedBehind(good, refusal) };
        }),
      ];
      const shared = { requests: step.value.requests, refusals };
      const none = (why: NoTextReason): RegionAnswer => ({
        result: { isWritten: false, reason: why, lastAnswer: soFar },
        ...shared,
      });
      const end = endOf(reason);
      if (end === "declined") return none("declined");
      if (kind === "impossible") return none("nothing-fits");
      // Without a grammar, only the model determines where a text ends.
      if (task.guide === undefined && (end === "cut" || kind !== "whole")) return none("cut-off");
      // An empty answer does not mean that the region is to be empty.
      if (text.trim() === "" || text === ending) return none("no-text");
      const written = place.endsWithBreak ? `${lead}${text}\n` : lead + text;
      return { result: { isWritten: true, text: written, kind, changes: [], ...(ending && { ending }) }, ...shared };
    }
  } finally {
    await parts.return({ kind: "impossible", text: "", requests, refusals: [] });
  }
}

function endOf(reason: ModelEnd["reason"]): "finished" | "cut" | "declined" {
  return reason === "content-filter" ? "declined" : reason === "length" ? "cut" : "finished";
}

/** An estimate of the bytes of one token. */
const bytesPerToken = 4;

/** The guide for a region's text without its final line ending. */
function withoutBreak(guide: RegionGuide, endsWithBreak: boolean): RegionGuide {
  if (!endsWithBreak) return guide;
  return {
    ...guide,
    mayEnd: (text) => guide.mayEnd(`${text}\n`),
    ending(text) {
      if (guide.mayEnd(`${text}\n`)) return "";
      const ending = guide.ending(text);
      if (ending === undefined) return undefined;
      if (ending.endsWith("\n")) return ending.slice(0, -1);
      return guide.mayEnd(`${text}${ending}\n`) ? ending : undefined;
    },
  };
}

/** The guide for text that continues `lead`. */
function behindLead(lead: string, guide: RegionGuide): RegionGuide {
  if (lead === "") return guide;
  return {
    allows: (text) => guide.allows(lead + text),
    canContinue: (text) => guide.canContinue(lead + text),
    mayEnd: (text) => guide.mayEnd(lead + text),
    ending: (text) => guide.ending(lead + text),
    expected: (text) => guide.expected(lead + text),
  };
}
