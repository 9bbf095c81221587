import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import type { LinkState } from "../link/language-client.ts";
import { printCount, printMs } from "../look/numbers.ts";
import type { Page } from "../start-page.ts";
import { shownPanel } from "./panels.tsx";
import "./status-line.css";

const links: Readonly<Record<LinkState, string>> = {
  connecting: "Connecting",
  ready: "Connected",
  lost: "The server has gone: start `emend serve` again and open its new address",
};

/** What continues, in one line at the bottom. */
export function StatusLine({ page }: { readonly page: Page }): JSX.Element {
  const link = page.link.value;
  const document = page.documents.active.value;
  return (
    <footer class="status-line" data-region>
      <span class={`link-state ${link}`} role="status">
        <span class="link-dot" aria-hidden="true" />
        {links[link]}
      </span>
      {document && <span>{document.model.getLanguageId()}</span>}
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

/** What the server works on, with how far it has come. */
function Busy({ page }: { readonly page: Page }): JSX.Element | null {
  const learning = page.server.condition.value?.learning;
  const [work] = page.progress.running.value.values();
  if (learning !== undefined) {
    return (
      <span class="busy">
        <progress value={learning.done} max={Math.max(1, learning.of)} aria-label="Learning the workspace" />
        Learning {printCount(learning.done)} of {printCount(learning.of)}
      </span>
    );
  }
  if (work === undefined) return null;
  return (
    <span class="busy">
      <progress {...(work.percentage !== undefined && { value: work.percentage, max: 100 })} aria-label={work.title} />
      {work.title} {work.message}
    </span>
  );
}

/**
 * What became of the last request, who answered, and after how long; leads to the panel that
 * explains it.
 */
function LastResult({ page }: { readonly page: Page }): JSX.Element {
  const explanation = page.explanations.of(page.explanations.latest.value).value;
  const condition = page.server.condition.value;
  const isWarning = condition?.kind === "warning";
  const text = isWarning
    ? condition.message
    : explanation?.silence
      ? `Silent: ${explanation.silence.text}`
      : (explanation?.result ?? "");
  return (
    <>
      <button
        type="button"
        class={`last-result${isWarning ? " warning" : ""}`}
        data-region-focus
        title={`${text} (explain)`}
        onClick={() => {
          shownPanel.value = isWarning ? "status" : "explain";
        }}
      >
        {text === "" ? "Nothing was asked yet" : text}
      </button>
      {explanation?.model !== undefined && <span class="code">{explanation.model}</span>}
      {explanation && <span class="latency">{printMs(explanation.totalMs)}</span>}
    </>
  );
}
