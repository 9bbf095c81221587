import { fenced } from "./edit-as-diff.ts";
import type { Explanation } from "./protocol.ts";

/** Prints the traces of requests as a Markdown page, in their order. */
export function printExplanations(explanations: readonly Explanation[]): string {
  return explanations.map(printExplanation).join("\n\n---\n\n");
}

function printExplanation(explanation: Explanation): string {
  const { of, uri, position, result, model, likelihood, changes, steps, totalMs, pieces, tokens, refusals } =
    explanation;
  const path = decodeURIComponent(uri.split("/").at(-1) ?? uri);
  const who =
    model === undefined
      ? ""
      : ` By ${model}${likelihood === undefined ? "" : `, ${Math.round(likelihood * 100)} % sure`}.`;
  return [
    `# ${of === "ghost-text" ? "Ghost text" : "Next edit"} at ${plain(path)}:${position.line + 1}:${position.character + 1}`,
    `**${plain(result)}**${plain(who)}`,
    ...(changes.length === 0 ? [] : [`Changes to the model's text: ${changes.map(plain).join(", ")}.`]),
    `## Steps, ${milliseconds(totalMs)}`,
    table(
      ["step", "took", "result"],
      steps.map(({ name, title, tookMs, detail }, index) => [
        name === steps[index - 1]?.name ? "" : title,
        milliseconds(tookMs),
        // The last step may repeat the result above.
        detail === result ? "see above" : detail,
      ]),
    ),
    ...(pieces.length === 0 ? [] : [`## Prompt${tokens === undefined ? "" : `, ${tokens.size}`}`]),
    ...(pieces.length === 0 || tokens === undefined ? [] : [tokens.limits.join(" ")]),
    ...pieces.flatMap(({ title, origin, tokens: count, status, why, text }) => [
      `### ${plain(title)}`,
      `${plain(origin)}, ${count} tokens, ${status}${why === undefined ? "" : `: ${plain(why)}`}`,
      ...(text === "" ? [] : [fenced(text, "")]),
    ]),
    ...(refusals.length === 0 ? [] : ["## Filtered out"]),
    ...refusals.map(
      ({ what, why, by }) => `- ${plain(what)}: ${plain(why)}${by === undefined ? "" : ` (${plain(by)})`}`,
    ),
  ].join("\n\n");
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => plain(cell).replace(/[\r\n]+/g, " ")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

/** Escapes the Markdown syntax of a text. */
function plain(text: string): string {
  return text === "---" ? text : text.replace(/[\\`*_{}[\]<>#|~!]/g, "\\$&");
}

function milliseconds(ms: number): string {
  return `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`;
}
