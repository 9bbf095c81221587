import type { JSX } from "preact";
import type { Explanation, ExplanationPiece } from "../../../src/server/protocol/explanation.ts";
import { printCount } from "../look/numbers.ts";

const fates: Readonly<Record<ExplanationPiece["fate"], string>> = { whole: "good", cut: "warn", "left out": "" };

/** What a model was shown, and what there was no room for. */
export function PromptPieces({
  explanation: { of, pieces, tokens },
}: {
  readonly explanation: Explanation;
}): JSX.Element {
  if (pieces.length === 0) {
    return (
      <section>
        <h3>The prompt</h3>
        <p class="dim">
          {of === "ghost-text"
            ? "There was none: the built-in model has learnt your files, and needs only what stands before the cursor."
            : "There was none: what follows from your edits was found without asking a model."}
        </p>
      </section>
    );
  }
  return (
    <section>
      <h3>
        The prompt{" "}
        {tokens && (
          <span class="dim">
            {printCount(tokens.used)} of {printCount(tokens.budget)} tokens
          </span>
        )}
      </h3>
      {tokens && (
        <div class="pieces-bar" aria-hidden="true">
          {pieces
            .filter(({ fate }) => fate !== "left out")
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
  const { title, origin, tokens, fate, why, text } = piece;
  return (
    <li>
      <details>
        <summary>
          <span class="piece-title">{title}</span>
          <span class="piece-origin dim">{origin}</span>
          <span class="piece-tokens">{printCount(tokens)}</span>
          <span class={`badge ${fates[fate]}`}>{fate}</span>
        </summary>
        {why !== undefined && <p class="dim small">{why}</p>}
        {text === "" ? (
          <p class="dim small">The model did not read it.</p>
        ) : (
          <pre class="piece-text scroll">{text}</pre>
        )}
      </details>
    </li>
  );
}
