import type { Clock } from "../codebase/index.ts";
import type { Prompt } from "../context/index.ts";
import type { Model } from "../model/index.ts";
import type { Syntax } from "../syntax/index.ts";
import { detectLineEnding, EmendError } from "../text/index.ts";
import type { AccessVerdict } from "./access.ts";
import { Ask, type AskAnswer } from "./ask.ts";
import { debounceMs } from "./debounce.ts";
import { fitText } from "./fit.ts";
import { refuseDocument, refusePlace } from "./gate.ts";
import type { MergedText } from "./merge.ts";
import type { GhostTextOutcome, SilenceReason, Suggestion, TraceStep } from "./outcome.ts";
import { type Place, tryPlace } from "./place.ts";
import { printSilence } from "./print-silence.ts";
import type { GhostTextRequest } from "./request.ts";
import { RequestLife } from "./request-life.ts";
import type { GhostTextSettings } from "./settings.ts";
import { Trimmer } from "./trim.ts";
import { WalkTrace } from "./walk-trace.ts";
import type { WelcomeModel, WelcomeState } from "./welcome-model.ts";

/** What the engine works with; the host owns all of it. */
export interface GhostTextParts {
  /** Asked in order: the first that can fill answers, and the next one only where it fails. */
  readonly models: readonly Model[];
  /** Makes what a model is shown. Takes long only where it must, and heeds the signal. */
  prompt(request: GhostTextRequest, model: Model, options: { readonly signal?: AbortSignal }): Prompt | Promise<Prompt>;
  readonly syntax: Syntax;
  readonly clock: Clock;
  /** Whether the file at `path`, from the workspace's root, may be looked at. */
  access(path: string): AccessVerdict;
  readonly settings: GhostTextSettings;
  readonly welcome: WelcomeModel;
}

/** What the person did, as plain data for the host to keep; it holds no text. */
export interface Observations {
  readonly welcome: WelcomeState;
  readonly shown: number;
  readonly accepted: number;
  readonly partlyAccepted: number;
  readonly dismissed: number;
}

/** Ghost text at a cursor: gate, reuse, context, prompt, model, trim, check, offer. */
export class GhostTextEngine implements Disposable {
  readonly #parts: GhostTextParts;
  readonly #lives = new Map<string, RequestLife>();
  #count = 0;

  constructor(parts: GhostTextParts) {
    this.#parts = parts;
  }

  /**
   * What may be offered at a cursor, or why nothing is. A request supersedes the one before for the same document.
   *
   * Rejects only where Emend itself is broken: a model that fails, a signal that aborts and any text are answered.
   */
  async complete(
    request: GhostTextRequest,
    { signal }: { readonly signal?: AbortSignal } = {},
  ): Promise<GhostTextOutcome> {
    const { uri } = request.document;
    const life = new RequestLife(signal);
    this.#lives.get(uri)?.end("superseded");
    this.#lives.set(uri, life);
    try {
      return await new Walk(this.#parts, request, life, () => this.#newId()).go();
    } finally {
      life.close();
      if (this.#lives.get(uri) === life) this.#lives.delete(uri);
    }
  }

  /** Tells that a suggestion is seen. */
  shown(_id: string): void {}

  /** Tells that a suggestion was taken, or its first `acceptedCharacters` UTF-16 units. */
  accepted(_id: string, _acceptedCharacters?: number): void {}

  /** Tells that a suggestion was sent away. */
  dismissed(_id: string): void {}

  /** What the person did so far. */
  get observations(): Observations {
    return { welcome: this.#parts.welcome.state, shown: 0, accepted: 0, partlyAccepted: 0, dismissed: 0 };
  }

  [Symbol.dispose](): void {
    for (const life of this.#lives.values()) life.end("cancelled");
  }

  #newId(): string {
    this.#count++;
    return `ghost-${this.#count}`;
  }
}

/** One request on its way. */
class Walk {
  readonly #parts: GhostTextParts;
  readonly #request: GhostTextRequest;
  readonly #life: RequestLife;
  readonly #trace: WalkTrace;
  readonly #newId: () => string;
  #prompt: Prompt | undefined;

  constructor(parts: GhostTextParts, request: GhostTextRequest, life: RequestLife, newId: () => string) {
    this.#parts = parts;
    this.#request = request;
    this.#life = life;
    this.#trace = new WalkTrace(parts.clock);
    this.#newId = newId;
  }

  async go(): Promise<GhostTextOutcome> {
    const { settings, access, models, welcome, clock } = this.#parts;
    const over = this.#life.over;
    if (over !== undefined) return this.#silent("gate", { kind: over });
    const refused = refuseDocument(this.#request, (path) => access(path), settings);
    if (refused !== undefined) return this.#silent("gate", refused);
    const place = tryPlace(this.#request);
    if (place === undefined) return this.#silent("gate", { kind: "disagrees-with-picked" });
    const midLine = refusePlace(place, settings);
    if (midLine !== undefined) return this.#silent("gate", midLine);
    this.#trace.note("gate", "open");

    const model = models.find((candidate) => candidate.fill !== undefined);
    if (model === undefined) return this.#silent("model", { kind: "no-model", cure: "name one with --model." });
    if (!settings.instantModels.includes(model.name) && place.trigger === "automatic") {
      const { language, lineBefore, rest } = place;
      const { score } = welcome.score({ language, lineBefore, rest, recent: [] });
      await this.#life.wait(sleep(clock, debounceMs(score, settings.debounce)));
    }
    if (this.#life.over !== undefined) return this.#silent("model", { kind: this.#life.over });

    const controller = new AbortController();
    const stop = this.#life.onEnd(() => controller.abort(new EmendError("not-wanted", "Nobody waits any more.")));
    const prompt = await this.#life.wait(
      Promise.resolve(this.#parts.prompt(this.#request, model, { signal: controller.signal })),
    );
    stop[Symbol.dispose]();
    if (prompt === undefined) return this.#silent("prompt", { kind: this.#life.over ?? "cancelled" });
    this.#prompt = prompt;
    this.#trace.note("prompt", `${prompt.tokens} tokens`);

    const trimmer = new Trimmer({ place, shape: "line", maxLines: settings.maxStatementLines });
    const ask = new Ask({
      model,
      request: {
        path: place.path,
        language: place.language,
        prefix: prompt.prefix,
        suffix: prompt.suffix,
        context: prompt.context,
        maxLines: 1,
        maxTokens: settings.tokensPerLine,
      },
      clock,
      timeoutMs: settings.modelMs,
      patienceMs: settings.patienceMs,
      isEnough: (text) => trimmer.isEnough(text),
      isUsable: (text) => trimmer.isUsable(text),
    });
    const answer = await this.#life.wait(ask.answer);
    if (answer === undefined) ask.abort();
    const failure: SilenceReason | undefined =
      answer === undefined ? { kind: this.#life.over ?? "cancelled" } : refusalOf(answer);
    if (failure !== undefined) return this.#silent("model", failure);
    const { text, reason, probability } = answer as Extract<AskAnswer, { kind: "answered" }>;
    this.#trace.note("model", `${model.name}: ${text.length} characters, ${reason}`);

    const fit = await this.#life.wait(
      fitText(text, { place, trimmer, syntax: this.#parts.syntax, settings, isWhole: reason === "finished" }),
    );
    if (fit === undefined) return this.#silent("check", { kind: this.#life.over ?? "cancelled" });
    if (fit.kind === "silent") return this.#silent(fit.step, fit.reason);
    this.#trace.note("check", fit.changes.join(", ") || "unchanged");
    const known = probability === undefined ? {} : { probability };
    const suggestion: Suggestion = {
      id: this.#newId(),
      ...toEdit(fit, place, this.#request),
      ...known,
      origin: "model",
      model: model.name,
      changes: fit.changes,
    };
    this.#trace.note("offer", "from the model");
    return { kind: "offered", suggestions: [suggestion], ...this.#explained() };
  }

  #silent(step: TraceStep["step"], reason: SilenceReason): GhostTextOutcome {
    this.#trace.note(step, printSilence(reason));
    return { kind: "silent", reason, ...this.#explained() };
  }

  #explained(): Pick<GhostTextOutcome, "trace" | "prompt"> {
    return { trace: this.#trace.steps, ...(this.#prompt && { prompt: this.#prompt }) };
  }
}

function refusalOf(answer: AskAnswer): SilenceReason | undefined {
  switch (answer.kind) {
    case "aborted":
      return { kind: "cancelled" };
    case "timed-out":
      return { kind: "timed-out", afterMs: answer.afterMs };
    case "failed":
      return answer.error instanceof EmendError
        ? { kind: "model-failed", code: answer.error.code, message: answer.error.message }
        : { kind: "model-failed", code: "unknown", message: String(answer.error) };
    case "answered":
      if (answer.reason === "silent") return { kind: "model-silent", why: "it is not sure enough" };
      return answer.text.trim() === "" ? { kind: "empty" } : undefined;
  }
}

function toEdit(
  { text, covered, overlap }: MergedText,
  { picked, rest, autoClosed }: Place,
  { document, offset }: GhostTextRequest,
): Pick<Suggestion, "edit" | "ghost"> {
  const ending = detectLineEnding(document.text) ?? "\n";
  // Closers that the editor has put there, and the model wrote too, are taken with the text.
  const own = rest.slice(0, Math.min(overlap, autoClosed));
  const shown = picked.text + text.replaceAll("\n", ending);
  const typed = document.text.slice(picked.start, Math.max(picked.start, Math.min(offset, picked.end)));
  return {
    edit: { start: picked.start, end: picked.end + Math.max(covered, own.length), text: shown + own },
    ghost: shown.startsWith(typed) ? shown.slice(typed.length) : shown,
  };
}

function sleep(clock: Clock, ms: number): Promise<void> {
  return new Promise((resolve) => void clock.after(ms, resolve));
}
