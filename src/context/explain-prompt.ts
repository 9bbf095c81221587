import type { PlacedPiece, Prompt } from "./prompt.ts";

/**
 * Prints a prompt for people: one line a piece in the order of writing, then what was left out and
 * why, then the sum of tokens. Lines count from 1.
 */
export function explainPrompt(prompt: Prompt): string {
  const rows = prompt.pieces.map((piece) => [
    piece.kind,
    printPieceOrigin(piece),
    String(piece.tokens),
    piece.priority.toFixed(3),
    printFate(piece) + printHidden(piece),
  ]);
  const { budget, counter, serverTokens } = prompt;
  const share = Math.round(budget.suffixShare * 100);
  const counted = serverTokens === undefined ? "" : ` (${serverTokens} as its server counted)`;
  const shared = budget.limit === undefined ? "" : `, ${share} % for what follows the cursor`;
  return [
    ...table(["piece", "from", "tokens", "priority", "status"], rows),
    `${printPromptSize(prompt)} by ${counter.name}${counted}${shared}`,
    ...explainPromptLimit(prompt),
  ]
    .map((line) => `${line}\n`)
    .join("");
}

/** How large a prompt is, and how large it may be: `70 tokens of at most 1,536`. */
export function printPromptSize({ tokens, budget }: Pick<Prompt, "tokens" | "budget">): string {
  const size = `${tokens.toLocaleString("en")} ${tokens === 1 ? "token" : "tokens"}`;
  return budget.limit === undefined ? size : `${size} of at most ${budget.maxTokens.toLocaleString("en")}`;
}

/** What limits the size of a prompt, the setting or option included: sentences, one a limit. */
export function explainPromptLimit({ budget }: Pick<Prompt, "budget">): readonly string[] {
  const { maxTokens, limit, freshTokens, pace } = budget;
  if (limit === undefined) return ["The whole text is read; nothing limits it."];
  const most = maxTokens.toLocaleString("en");
  const sentences =
    limit.kind === "setting"
      ? [`The limit of ${most} is \`${limit.key}\`.`]
      : [
          `The limit of ${most} is the context of the model, ${limit.contextTokens.toLocaleString("en")} tokens, without ${limit.answerTokens.toLocaleString("en")} for the answer: its server can be started with more.`,
        ];
  if (freshTokens === undefined) return sentences;
  const why =
    pace === undefined
      ? "as many as it reads in time"
      : `it reads about ${Math.round(pace.tokensPerSecond).toLocaleString("en")} a second, and \`${pace.setting}\` is the time that it has`;
  const fresh = freshTokens.toLocaleString("en");
  return [
    ...sentences,
    `Of these, ${fresh} at most may be new to the server: ${why}. The prompt grows while you pause.`,
  ];
}

/**
 * Where a piece is from, with its lines from 1 where it is a part of a file: `src/cart.ts:11-30`.
 */
export function printPieceOrigin({ path, lines }: Pick<PlacedPiece, "path" | "lines">): string {
  return lines === undefined ? path : `${path}:${lines.start + 1}-${Math.max(lines.start + 1, lines.end)}`;
}

/**
 * Why a piece does not stand in the prompt as a whole, in a few words; `undefined` where it does.
 */
export function printShortfall({ status }: Pick<PlacedPiece, "status">): string | undefined {
  switch (status.kind) {
    case "written":
      return undefined;
    case "clipped":
      return "the rest is over the budget";
    case "left-out":
      return reasons[status.reason];
  }
}

function printFate(piece: PlacedPiece): string {
  const why = printShortfall(piece);
  if (why === undefined) return "written";
  return piece.status.kind === "clipped" ? `written in part: ${why}` : `left out: ${why}`;
}

function printHidden({ hidden = 0 }: PlacedPiece): string {
  if (hidden === 0) return "";
  return `, ${hidden} ${hidden === 1 ? "secret" : "secrets"} hidden`;
}

const reasons = {
  "over-budget": "over the budget",
  "repeats-another": "another piece says it already",
  "adds-nothing": "adds nothing that others do not have",
} as const;

/** Columns as wide as they have to be; numbers to the right. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const widths = head.map((name, i) => Math.max(name.length, ...rows.map((row) => row[i]!.length)));
  return [head, ...rows].map((row) =>
    row
      .map((cell, i) => (i === 2 || i === 3 ? cell.padStart(widths[i]!) : cell.padEnd(widths[i]!)))
      .join("  ")
      .trimEnd(),
  );
}
