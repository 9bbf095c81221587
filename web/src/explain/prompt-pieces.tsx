import type { JSX } from "preact";
import type { Explanation, ExplanationPiece } from "../../../src/server/protocol/explanation.ts";
import { codeIn } from "../look/code-in.tsx";
import { printCount } from "../look/numbers.ts";

/** The badge of a piece: its look and its label. */
const badges: Readonly<Record<ExplanationPiece["status"], readonly [look: string, label: string]>> = {
  whole: ["good", "complete"],
  cut: ["warn", "truncated"],
  "left out": ["", "omitted"],
};

/** The pieces of the prompt, and those that exceeded the token budget. */
export function PromptPieces({
  explanation: { pieces, noPrompt, tokens },
}: {
  readonly explanation: Explanation;
}): JSX.Element {
  if (pieces.length === 0) {
    return (
      <section>
        <h2>Prompt</h2>
        <p class="dim">None. {noPrompt}</p>
      </section>
    );
  }
  return (
    <section>
      <h2>Prompt {tokens && <span class="dim">{tokens.size}</span>}</h2>
      {tokens && <p class="dim small">{codeIn(tokens.limits.join(" "))}</p>}
      {tokens && (
        <div class="pieces-bar" aria-hidden="true">
          {pieces
            .filter(({ status }) => status !== "left out")
            .map(({ title, tokens: count }, index) => (
              <span
                key={index}
                title={`${title}: ${count} tokens`}
                style={{
                  width: `${(100 * count) / Math.max(tokens.budget, tokens.used, 1)}%`,
                  background: `var(--series-${1 + (index % 6)})`,
                }}
              />
            ))}
        </div>
      )}
      <ul class="pieces">
        {pieces.map((piece, index) => (
          <Piece key={index} piece={piece} />
        ))}
      </ul>
    </section>
  );
}

function Piece({ piece }: { readonly piece: ExplanationPiece }): JSX.Element {
  const { title, origin, tokens, status, why, text } = piece;
  const [look, label] = badges[status];
  return (
    <li>
      <details>
        <summary>
          <span class="piece-title">{title}</span>
          <span class="piece-origin dim one-line">{origin}</span>
          <span class="piece-tokens">{printCount(tokens)}</span>
          <span class={`badge ${look}`}>{label}</span>
        </summary>
        {why !== undefined && <p class="dim small">{why}</p>}
        {text === "" ? <p class="dim small">Not sent to the model.</p> : <pre class="piece-text scroll">{text}</pre>}
      </details>
    </li>
  );
}
