import {
  closingReasoningRow,
  FenceState,
  hasReasoningOpening,
  hasReasoningTag,
  readReasoning,
  reasoningTagNames,
} from "../../answers/index.ts";
import type { ChatRequest, Model, ModelCallOptions } from "../model.ts";
import type { ReportsChatTemplate } from "./chat-template.ts";
import type { WirePart } from "./server-client.ts";

/**
 * Whether the server reports a template that ends with an opening tag of reasoning; never rejects.
 */
type ReportsOpenTag = (options: ModelCallOptions) => Promise<boolean>;

/**
 * The `chat` of a model, with the opening tag of its reasoning where the template wrote that tag
 * into the prompt, so that all engines read the answer alike.
 *
 * That is so where the server reports such a template, or where an earlier answer of the model had
 * a row with nothing but a closing tag and no opening one. The beginning of an answer is then held
 * until such a row has come. An answer without one is passed on as it is, unless it was cut off:
 * then all of it is reasoning.
 */
export function withOpeningTag(chat: NonNullable<Model["chat"]>, reports?: ReportsOpenTag): NonNullable<Model["chat"]> {
  let wasClosed = false;
  return async function* (request, options = {}) {
    const isReported = wasClosed ? Promise.resolve(true) : (reports?.(options) ?? Promise.resolve(false));
    const answer = chat(request, options);
    let hold: OpeningTagBuffer | undefined;
    const rows = mentionsTags(request) ? undefined : new ClosingRowWatch();
    try {
      for (;;) {
        const next = await answer.next();
        if (next.done !== true) {
          const { text, isBehindReasoning } = next.value;
          hold ??= new OpeningTagBuffer(isBehindReasoning !== true && (await isReported));
          if (!wasClosed && isBehindReasoning !== true) wasClosed = rows?.push(text) === true;
          const passed = hold.push(text);
          if (passed !== "") yield { ...next.value, text: passed };
          continue;
        }
        if (!wasClosed) wasClosed = rows?.push("\n") === true;
        const rest = hold?.end(next.value.reason === "length" ? "reasoning" : "text") ?? "";
        if (rest !== "") yield { kind: "text-delta", text: rest };
        return next.value;
      }
    } finally {
      await answer.return({ reason: "finished" });
    }
  };
}

/** Whether a conversation shows such tags, so that the model may write them for other reasons. */
function mentionsTags({ messages }: ChatRequest): boolean {
  return messages.some(({ text }) => hasReasoningTag(text));
}

/**
 * {@link withOpeningTag} for the parts of a fill. Where the prompt is made by no template
 * (`isTemplated` false), only an answer that begins as prose is held, and only for such a one a
 * request is sent to the server.
 *
 * An answer that is cut off before a closing tag is passed on as it is: most fills are cut off
 * somewhere.
 */
export async function* restoreOpeningTag(
  parts: AsyncIterable<WirePart>,
  { reports, isTemplated, ...options }: ModelCallOptions & FillTemplating,
): AsyncGenerator<WirePart, void> {
  let beginning = "";
  let hold: OpeningTagBuffer | undefined;
  for await (const part of parts) {
    beginning += part.text ?? "";
    const isLast = part.end !== undefined;
    if (hold === undefined) {
      const isProse = isTemplated || beginsAsProse(beginning, isLast);
      const { text: _, ...rest } = part;
      if (isProse === undefined) {
        yield rest;
        continue;
      }
      hold = new OpeningTagBuffer(isProse && (await reports(options)));
      yield { ...rest, text: hold.push(beginning) + (isLast ? hold.end("text") : "") };
      continue;
    }
    yield { ...part, text: hold.push(part.text ?? "") + (isLast ? hold.end("text") : "") };
  }
}

/** How a fill's prompt comes to an opening tag. */
export interface FillTemplating {
  readonly reports: ReportsOpenTag;
  /** Whether the server puts its template around the prompt. */
  readonly isTemplated: boolean;
}

/**
 * Whether a text begins with a sentence or with a closing tag; `undefined` while too little of it
 * has come.
 */
function beginsAsProse(text: string, isWhole: boolean): boolean | undefined {
  const begun = text.trimStart();
  if (/^(?:\p{Lu}[\p{L}'’]*(?:,? [\p{L}`'"]|[,.!:] )|<\/)/u.test(begun)) return true;
  return !isWhole && /^(?:<|\p{Lu}[\p{L}'’]*[,.!:]? ?)?$/u.test(begun) ? undefined : false;
}

/**
 * Holds text until the row that closes reasoning, and gives it with the opening tag that it lacks.
 */
class OpeningTagBuffer {
  #held: string | undefined;
  /** How much of the held text is in rows that were looked at. */
  #seen = 0;

  constructor(isInside: boolean) {
    this.#held = isInside ? "" : undefined;
  }

  push(text: string): string {
    if (this.#held === undefined) return text;
    this.#held += text;
    if (readReasoning(this.#held).length > 0) return this.#release(this.#held);
    for (;;) {
      const end = this.#held.indexOf("\n", this.#seen);
      if (end < 0) return "";
      const row = this.#held.slice(this.#seen, end);
      const name = closingReasoningRow(row);
      if (name !== undefined) return this.#release(this.#closed(name, end));
      this.#seen = end + 1;
    }
  }

  /** What is left when the answer ends: `as` is its kind if no row closes reasoning. */
  end(as: "reasoning" | "text"): string {
    const held = this.#held;
    if (held === undefined || held === "") return "";
    const name = closingReasoningRow(held.slice(this.#seen));
    if (name !== undefined) return this.#release(this.#closed(name, held.length));
    return this.#release(as === "reasoning" ? `<think>${held}` : held);
  }

  /** The held text with the tag `name` around the text before the row that ends at `rowEnd`. */
  #closed(name: string, rowEnd: number): string {
    const held = this.#held!;
    const reasoning = held.slice(0, this.#seen).replaceAll(`</${name}>`, "");
    return `<${name}>${reasoning}</${name}>${held.slice(rowEnd)}`;
  }

  #release(text: string): string {
    this.#held = undefined;
    return text;
  }
}

/** Watches an answer for a row that closes reasoning which nothing in the answer opens. */
class ClosingRowWatch {
  #row = "";
  #isOver = false;
  readonly #fence = new FenceState();

  /** Takes a piece of the answer; answers whether such a row has come. */
  push(text: string): boolean {
    if (this.#isOver) return false;
    const rows = (this.#row + text).split("\n");
    this.#row = rows.pop()!;
    for (const row of rows) {
      this.#fence.take(row);
      const isClosing = !this.#fence.isOpen && closingReasoningRow(row) !== undefined;
      this.#isOver = isClosing || hasReasoningOpening(row);
      if (this.#isOver) return isClosing;
    }
    return false;
  }
}

/** Returns a function that reports by a server's chat template whether it opens reasoning. */
export function openTagReporter(reports: ReportsChatTemplate): ReportsOpenTag {
  return async (options) => endsWithOpeningTag((await reports(options))?.text ?? "");
}

/**
 * Whether a prompt made by a template, in Jinja or Go's notation, ends with an opening tag of
 * reasoning: only the ends of conditions, quotes and blanks follow it, or in Go the model's own
 * answer.
 */
export function endsWithOpeningTag(template: string): boolean {
  const answer = template.search(/\{\{-?\s*\.Response\b/);
  const texts = answer < 0 ? [template] : [template, template.slice(0, answer)];
  return texts.some((text) => openTag.test(withoutActions(text)));
}

const openTag = new RegExp(`<(?:${reasoningTagNames.join("|")})>$`);

/** A text without the blanks, quotes and ends of conditions behind its last words. */
function withoutActions(text: string): string {
  for (let rest = text; ; ) {
    const shorter = rest.trimEnd().replace(/(?:\\n|\\r|["'`)])$/, "");
    const ending = endings.find(([, close]) => shorter.endsWith(close));
    const next = ending === undefined ? shorter : withoutLast(shorter, ending[0], ending[1]);
    if (next === rest) return rest;
    rest = next;
  }
}

/** What actions begin and end with. */
const endings = [
  ["{%", "%}"],
  ["{#", "#}"],
  ["{{", "}}"],
] as const;

/**
 * A text without the action at its end, or only without that action's end where it writes a text in
 * quotes.
 */
function withoutLast(text: string, open: string, close: string): string {
  const start = text.lastIndexOf(open);
  if (start < 0) return text;
  const action = text.slice(start + open.length, -close.length);
  return open === "{{" && /["'`]/.test(action) ? text.slice(0, -close.length).replace(/-$/, "") : text.slice(0, start);
}
