import type { ModelFailure } from "./model-error.ts";

/** What a model turned out to be when it was tried. */
export interface ModelReport {
  /** As one string, see `printModelName`; as it was written where it cannot be read. */
  readonly name: string;
  /** Whether anything answered at all. */
  readonly isReachable: boolean;
  /** The server's name, with its version where it reports one. */
  readonly server?: string;
  /** Where its key came from: a variable of the environment, or the setting `keyCommand`. */
  readonly keyFrom?: string;
  /** Where fills are sent. */
  readonly endpoint?: string;
  /**
   * Who marks the hole: the server by means of its own, where it did, a template of ours, or an
   * instruction in a chat.
   */
  readonly fillBy?: "server" | "template" | "chat";
  /** The template's name, where one of ours is used. */
  readonly template?: string;
  /**
   * Where the server cannot mark the hole: the names of the templates whose special tokens the
   * model's tokeniser reads as one each.
   */
  readonly fittingTemplates?: readonly string[];
  /** Of a chat that was tried: the answer, and whether the model reasoned before it. */
  readonly chatAnswer?: { readonly text: string; readonly isReasoned: boolean };
  /** The name of the model that was loaded, or of its file, where the server reports it. */
  readonly family?: string;
  /**
   * How the model was trained, where the server reports it: `base` completes, `instruct` converses.
   */
  readonly training?: "base" | "instruct";
  /** The most tokens of a prompt and its answer together. */
  readonly contextTokens?: number;
  /**
   * What succeeded in the trial. `chat` only means that chat is supported, unless it was `tried`.
   */
  readonly can: { readonly fill: boolean; readonly chat: boolean; readonly next: boolean };
  /** What was tried, and nothing else was; default: filling. */
  readonly tried?: "chat";
  /** Milliseconds from the request to the first text, with the model loaded. */
  readonly firstTokenMs?: number;
  /**
   * Tokens of an answer a second, as the server reports them, else pieces of text, which are tokens
   * with nearly all servers; absent for fewer than 8.
   */
  readonly tokensPerSecond?: number;
  /**
   * Tokens of a prompt that it reads a second, measured with up to 2,000; absent where the server
   * had kept the prompt.
   */
  readonly promptTokensPerSecond?: number;
  readonly problems: readonly ModelProblem[];
}

/**
 * Something that keeps a model from being of use. The message is one line, with the command or
 * setting that helps.
 */
export interface ModelProblem {
  readonly code:
    | ModelFailure
    | "name"
    | "no-model-server"
    | "other-server"
    | "model-not-listed"
    | "template-mismatch"
    | "context-too-large"
    | "slow-prompt"
    | "silent"
    | "prose";
  readonly message: string;
}

/**
 * The report as lines for a person, without a line end behind the last: the name, what is known,
 * and each problem with its remedy.
 */
export function printModelReport(report: ModelReport): string {
  const rows: (readonly [string, string])[] = [];
  const { server, endpoint, contextTokens, family, training, firstTokenMs, tokensPerSecond, can } = report;
  const { promptTokensPerSecond: read } = report;
  if (report.isReachable) rows.push(["Server", server ?? "it answers, and does not say what it is"]);
  else if (report.problems.some(({ code }) => unanswered.has(code))) rows.push(["Server", "no answer"]);
  if (report.keyFrom !== undefined) rows.push(["Key", `from ${report.keyFrom}`]);
  if (report.fillBy !== undefined) {
    rows.push([
      "Fills by",
      `${printFillWay(report.fillBy, report.template)}${endpoint === undefined ? "" : `, at ${endpoint}`}`,
    ]);
  }
  if (report.fillBy === undefined && endpoint !== undefined) rows.push(["Asked", endpoint]);
  const known = [
    ...(family === undefined ? [] : [family.replace(/^.*[\\/](?=[^\\/]*\.gguf$)/i, "")]),
    ...(training === undefined ? [] : [training === "base" ? "trained to complete" : "trained to converse"]),
    ...(contextTokens === undefined ? [] : [`${contextTokens.toLocaleString("en")} tokens of context`]),
  ];
  if (known.length > 0) rows.push(["Model", known.join(", ")]);
  const isChatTried = report.tried === "chat" || (report.fillBy === "chat" && can.fill);
  const abilities = (["fill", "chat", "next"] as const)
    .filter((face) => can[face])
    .map((face) => (face === "chat" && !isChatTried ? "chat (not tried)" : face));
  rows.push(["Can", abilities.length === 0 ? "nothing yet" : abilities.join(", ")]);
  if (firstTokenMs !== undefined) {
    const speed = tokensPerSecond === undefined ? "" : `, then about ${Math.round(tokensPerSecond)} tokens a second`;
    const reading = read === undefined ? "" : `; reads about ${Math.round(read).toLocaleString("en")} tokens a second`;
    rows.push(["Speed", `first token after ${Math.round(firstTokenMs)} ms${speed}${reading}`]);
  }
  for (const { message } of report.problems) rows.push(["Problem", message]);
  const width = Math.max(...rows.map(([title]) => title.length));
  return [report.name, ...rows.map(([title, text]) => `  ${title.padEnd(width)}  ${text}`)].join("\n");
}

/**
 * Problems of a server that was sent a request and did not answer. With all other problems of an
 * unreachable server, no request was sent.
 */
const unanswered: ReadonlySet<ModelProblem["code"]> = new Set(["unreachable", "timed-out", "cut-off"]);

/**
 * A phrase on who marks the hole, for a person, such as `the template qwen`; `template` is the name
 * of one of ours.
 */
export function printFillWay(by: NonNullable<ModelReport["fillBy"]>, template?: string): string {
  return fillWays[by](template);
}

const fillWays: Readonly<Record<NonNullable<ModelReport["fillBy"]>, (template: string | undefined) => string>> = {
  server: () => "the server's own template",
  template: (template) => `the template ${template ?? "of the settings"}`,
  chat: () => "an instruction in a chat, for want of something better",
};
