import { type Signal, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import type { Explanation, ExplanationSubject } from "../../../src/server/protocol/explanation.ts";
import { codeIn } from "../look/code-in.tsx";
import { printShare } from "../look/numbers.ts";
import type { Page } from "../start-page.ts";
import { PromptPieces } from "./prompt-pieces.tsx";
import { Timeline } from "./timeline.tsx";
import "./explain.css";

const subjects: readonly { readonly of: ExplanationSubject; readonly title: string }[] = [
  { of: "ghost-text", title: "Ghost text" },
  { of: "next-edit", title: "Next edit" },
];

/**
 * The trace of the last request: its result, steps and prompt, and the suggestions filtered out.
 */
export function ExplainPanel({ page }: { readonly page: Page }): JSX.Element {
  const chosen = useSignal<ExplanationSubject | undefined>(undefined);
  const subject = chosen.value ?? page.explanations.latest.value;
  const explanation = page.explanations.of(subject).value;
  return (
    <>
      <SubjectChoice chosen={chosen} />
      {explanation === undefined ? (
        <p class="dim explain-empty">
          {subject === "ghost-text"
            ? "Type in the editor. The trace of each ghost text request appears here."
            : "Edit a name that is used elsewhere, or press Alt+N. The trace of each next edit request appears here."}
        </p>
      ) : (
        <ExplanationView explanation={explanation} path={page.files.tryPathOf(explanation.uri) ?? explanation.uri} />
      )}
    </>
  );
}

function SubjectChoice({ chosen }: { readonly chosen: Signal<ExplanationSubject | undefined> }): JSX.Element {
  const choice = (is: boolean, title: string, choose: ExplanationSubject | undefined) => (
    <button
      key={title}
      type="button"
      aria-pressed={is}
      onClick={() => {
        chosen.value = choose;
      }}
    >
      {title}
    </button>
  );
  return (
    // biome-ignore lint/a11y/useSemanticElements: These are toggle buttons, not form fields.
    <div class="choice" role="group" aria-label="Explained request">
      {choice(chosen.value === undefined, "Latest", undefined)}
      {subjects.map(({ of, title }) => choice(chosen.value === of, title, of))}
    </div>
  );
}

function ExplanationView({
  explanation,
  path,
}: {
  readonly explanation: Explanation;
  readonly path: string;
}): JSX.Element {
  const { of, noSuggestion, result, model, likelihood, changes, refusals, position } = explanation;
  return (
    <article class="explanation">
      <header>
        <p class="dim small">
          {of === "ghost-text" ? "Ghost text" : "Next edit"} at{" "}
          <span class="code anywhere">{`${path}:${position.line + 1}`}</span>
        </p>
        {noSuggestion === undefined ? (
          <>
            <p class="notice good">{codeIn(result)}</p>
            {of === "next-edit" && (
              <p class="dim small">
                In parentheses: what the edit follows from
                {/\d %\)$/.test(result) && ", and how likely it is that you accept it"}.
              </p>
            )}
          </>
        ) : (
          <div class="notice silence">
            <strong>No suggestion.</strong> {codeIn(sentence(noSuggestion.text))}
            <span class="badge code">{noSuggestion.kind}</span>
          </div>
        )}
        <p class="facts">
          {model !== undefined && !result.includes(model) && <span class="badge one-line">{model}</span>}
          {likelihood !== undefined && !result.includes("%") && (
            <span class="badge">likelihood {printShare(likelihood)}</span>
          )}
        </p>
      </header>
      <Timeline explanation={explanation} />
      {changes.length > 0 && (
        <section>
          <h2>Changes to the model's text</h2>
          <ul class="marks">
            {changes.map((change) => (
              <li key={change}>{codeIn(change)}</li>
            ))}
          </ul>
        </section>
      )}
      {refusals.length > 0 && (
        <section>
          <h2>Filtered out</h2>
          <ul class="refusals">
            {refusals.map(({ what, why, by }, index) => (
              <li key={index}>
                <code class="one-line">{what}</code>
                <span class="dim">
                  {codeIn(why)}
                  {by === undefined ? "" : ` (${by})`}
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
      <PromptPieces explanation={explanation} />
    </article>
  );
}

function sentence(text: string): string {
  const first = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(first) ? first : `${first}.`;
}
