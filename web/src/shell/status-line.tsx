import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import type { LinkState } from "../link/language-client.ts";
import { printCount, printMs } from "../look/numbers.ts";
import type { Page } from "../start-page.ts";
import { showPanel } from "./panels.tsx";
import "./status-line.css";

const links: Readonly<Record<LinkState, string>> = {
  connecting: "Connecting",
  ready: "Connected",
  lost: "Disconnected. Start `emend serve` again and open its new address.",
};

/** The status line: connection, language, cursor position, work of the server, last result. */
export function StatusLine({ page }: { readonly page: Page }): JSX.Element {
  const link = page.link.value;
  const document = page.documents.active.value;
  return (
    <footer class="status-line" data-region>
      <span class={`link-state ${link}`} role="status">
        <span class="link-dot" aria-hidden="true" />
        <span class="one-line">{links[link]}</span>
      </span>
      {document && <span class="language">{document.model.getLanguageId()}</span>}
      {document && <CursorPlace page={page} />}
      <Busy page={page} />
      <LastResult page={page} />
    </footer>
  );
}

function CursorPlace({ page }: { readonly page: Page }): JSX.Element {
  const place = useSignal("");
  useEffect(() => {
    const read = () => {
      const position = page.editor.editor?.getPosition();
      if (position) place.value = `${position.lineNumber}:${position.column}`;
    };
    read();
    const following = page.documents.onSelection(read);
    return () => following[Symbol.dispose]();
  }, [page]);
  return <span class="cursor-place">{place.value}</span>;
}

/** The current work of the server and its progress. */
function Busy({ page }: { readonly page: Page }): JSX.Element | null {
  const learning = page.server.condition.value?.learning;
  const [work] = page.progress.running.value.values();
  if (learning !== undefined) {
    return (
      <span class="busy">
        <progress value={learning.done} max={Math.max(1, learning.of)} aria-label="Learning the workspace" />
        <span class="one-line">
          Learning {printCount(learning.done)} of {printCount(learning.of)}
        </span>
      </span>
    );
  }
  if (work === undefined) return null;
  return (
    <span class="busy">
      <progress {...(work.percentage !== undefined && { value: work.percentage, max: 100 })} aria-label={work.title} />
      <span class="one-line">
        {work.title} {work.message}
      </span>
    </span>
  );
}

/**
 * The result of the last request, its model and its latency. A click opens the panel that explains
 * the result.
 */
function LastResult({ page }: { readonly page: Page }): JSX.Element {
  const explanation = page.explanations.of(page.explanations.latest.value).value;
  const condition = page.server.condition.value;
  const isWarning = condition?.kind === "warning";
  const text = isWarning
    ? condition.message
    : explanation?.noSuggestion
      ? `No suggestion: ${explanation.noSuggestion.text}`
      : (explanation?.result ?? "");
  return (
    <>
      <button
        type="button"
        class={`last-result${isWarning ? " warning" : ""}`}
        data-region-focus
        title={`${text} (show trace)`}
        onClick={() => showPanel(isWarning ? "status" : "explain")}
      >
        <span class="one-line">{text === "" ? "No requests yet" : text}</span>
      </button>
      {explanation?.model !== undefined && <span class="code one-line last-model">{explanation.model}</span>}
      {explanation && <span class="latency">{printMs(explanation.totalMs)}</span>}
    </>
  );
}
