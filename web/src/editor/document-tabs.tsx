import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Icon } from "../look/icons.tsx";
import type { Page } from "../start-page.ts";
import "./document-tabs.css";

/** A tab of the main area: a document or a view. */
interface Tab {
  readonly key: string;
  readonly title: string;
  readonly detail: string;
  readonly isShown: boolean;
  readonly isDirty: boolean;
  show(): void;
  close(): void;
}

/**
 * The tabs of open documents and views. Arrow keys select a tab, Delete closes the selected tab.
 */
export function DocumentTabs({ page }: { readonly page: Page }): JSX.Element {
  const list = useRef<HTMLDivElement>(null);
  const tabs = tabsOf(page);
  const chosen = Math.max(
    0,
    tabs.findIndex(({ isShown }) => isShown),
  );
  const shown = tabs[chosen]?.key;
  // The row has no scrollbar, so the selected tab must be scrolled into view, also after the row
  // has changed: the dot of an unsaved file makes its tab wider.
  const row = tabs.map(({ key, isDirty }) => `${key}${isDirty ? " unsaved" : ""}`).join("\n");
  useEffect(
    () =>
      list.current?.querySelector("[aria-selected='true']")?.scrollIntoView({ block: "nearest", inline: "nearest" }),
    [shown, row],
  );
  const focusChosen = () => list.current?.querySelector<HTMLElement>("[aria-selected='true']")?.focus();
  const onKeyDown = (event: KeyboardEvent) => {
    const to = { ArrowRight: chosen + 1, ArrowLeft: chosen - 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (to !== undefined) tabs.at(to % tabs.length)?.show();
    else if (event.key === "Delete") tabs[chosen]?.close();
    else return;
    event.preventDefault();
    requestAnimationFrame(focusChosen);
  };
  return (
    <div class="document-tabs">
      <div class="document-tab-list" role="tablist" aria-label="Open editors" ref={list} onKeyDown={onKeyDown}>
        {tabs.map(({ key, title, detail, isShown, isDirty, show, close }) => (
          <button
            key={key}
            type="button"
            role="tab"
            class="document-tab"
            aria-selected={isShown}
            aria-controls="editor-place"
            tabIndex={isShown ? 0 : -1}
            title={`${detail} (close: Delete)`}
            onClick={show}
            onAuxClick={close}
          >
            <span class="one-line">{title}</span>
            {isDirty && <span class="dirty" role="img" aria-label="unsaved" title="Unsaved changes" />}
            {/* For the mouse only, because buttons cannot be nested; the key is Delete. */}
            {/* biome-ignore lint/a11y/noStaticElementInteractions: See above. */}
            {/* biome-ignore lint/a11y/useKeyWithClickEvents: See above. */}
            <span
              class="document-close"
              title="Close"
              onClick={(event) => {
                event.stopPropagation();
                close();
              }}
            >
              <Icon name="close" />
            </span>
          </button>
        ))}
      </div>
    </div>
  );
}

function tabsOf({ documents, views }: Page): readonly Tab[] {
  const front = views.front.value;
  const ofDocuments = documents.all.value.map((document) => ({
    key: document.path,
    title: document.path.split("/").at(-1) ?? document.path,
    detail: document.path,
    isShown: front === undefined && documents.active.value === document,
    isDirty: document.isDirty.value,
    show: () => documents.activate(document),
    close: () => {
      if (!document.isDirty.value || confirm(`Close ${document.path} without saving?`)) documents.close(document);
    },
  }));
  const ofViews = views.all.value.map((view) => ({
    ...{ key: `view:${view.id}`, title: view.title, detail: view.title, isShown: front === view.id, isDirty: false },
    show: () => views.bringToFront(view),
    close: () => views.close(view),
  }));
  return [...ofDocuments, ...ofViews];
}
