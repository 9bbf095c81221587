import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { errorMessage } from "../../../src/text/index.ts";
import { languageIdOf } from "../editor/documents.ts";
import type { LinkState } from "../link/language-client.ts";
import { disconnected } from "../link/wire.ts";
import { codeIn } from "../look/code-in.tsx";
import { printCount, printMs } from "../look/numbers.ts";
import type { Page } from "../start-page.ts";
import { showPanel } from "./panels.tsx";
import "./status-line.css";

const links: Readonly<Record<LinkState, string>> = {
  connecting: "Connecting",
  ready: "Connected",
  lost: disconnected,
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
      <Off page={page} />
      {link !== "lost" && <Busy page={page} />}
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

/** Whether automatic suggestions are off or snoozed. A click turns them on. */
function Off({ page: { documents, server, services, suggestions } }: { readonly page: Page }): JSX.Element | null {
  const minutes = server.condition.value?.snoozedMinutes;
  const language = documents.active.value === undefined ? "*" : languageIdOf(documents.active.value);
  const isOn = suggestions.isOn(language);
  if (isOn && minutes === undefined) return null;
  const turnOn = () => {
    if (!isOn) suggestions.turn(suggestions.isOn("*") ? language : "*", true);
    else suggestions.snooze(0).catch((error: unknown) => services.showMessage(errorMessage(error), "error"));
  };
  return (
    <button type="button" class="button quiet suggestions-off" title="Turn suggestions on" onClick={turnOn}>
      {isOn ? `Snoozed for ${minutes} min` : "Suggestions off"}
    </button>
  );
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
  const latest = page.explanations.of(page.explanations.latest.value).value;
  // The result of another file is no result of the visible one.
  const explanation = latest?.uri === page.documents.active.value?.uri ? latest : undefined;
  const condition = page.server.condition.value;
  // The dot on the tab of the Status panel stays; the result of a request comes before the problem.
  const other = explanation === undefined ? page.server.problem.value : undefined;
  const problem = condition?.kind === "warning" ? condition.message : other;
  const isWarning = problem !== undefined;
  const text = isWarning
    ? problem
    : explanation?.noSuggestion
      ? `No suggestion: ${explanation.noSuggestion.text}`
      : (explanation?.result ?? "");
  return (
    <>
      <button
        type="button"
        class={`last-result${isWarning ? " warning" : ""}`}
        data-region-focus
        title={isWarning ? `${text} (show status)` : `${text} (show trace)`}
        onClick={() => showPanel(isWarning ? "status" : "explain")}
      >
        <span class="one-line">{text === "" ? "No requests in this file yet" : codeIn(text)}</span>
      </button>
      {explanation?.model !== undefined && <span class="code one-line last-model">{explanation.model}</span>}
      {explanation && <span class="latency">{printMs(explanation.totalMs)}</span>}
    </>
  );
}
