import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { NextBar } from "../next/next-bar.tsx";
import { Messages } from "../shell/messages.tsx";
import type { Page } from "../start-page.ts";
import { DocumentTabs } from "./document-tabs.tsx";
import "./editor-pane.css";
import { Icon } from "../look/icons.tsx";
import { ConflictChoices } from "./conflict-choices.tsx";
import { comparisonId, showComparison } from "./disk-comparison.tsx";
import "./conflict-bar.css";

/** The main area of the page: tabs, and the editor or a view in front of it. */
export function EditorPane({ page }: { readonly page: Page }): JSX.Element {
  const element = useRef<HTMLDivElement>(null);
  const { views } = page;
  useEffect(() => {
    const mounted = page.editor.mount(element.current!);
    return () => mounted[Symbol.dispose]();
  }, [page]);
  return (
    <section class="editor-pane" aria-label="Editor" data-region>
      <DocumentTabs page={page} />
      <ConflictBar page={page} />
      <div class="editor-place" id="editor-place" role="tabpanel" aria-label="Active editor">
        <div class="editor" ref={element} hidden={views.front.value !== undefined} />
        {views.all.value.map((view) => (
          <div key={view.id} class="main-view" hidden={views.front.value !== view.id}>
            <view.render />
          </div>
        ))}
      </div>
      <Messages />
      {views.front.value === undefined && <NextBar page={page} />}
    </section>
  );
}

/**
 * A bar above the editor when the file has changed on disk and has unsaved changes, or was deleted.
 * In a comparison of the two texts, the buttons are beside the comparison.
 */
function ConflictBar({ page }: { readonly page: Page }): JSX.Element | null {
  const document = page.documents.active.value;
  const conflict = document?.conflict.value;
  if (document === undefined || conflict === undefined || page.views.front.value === comparisonId) return null;
  return (
    <div class="conflict-bar" role="alert">
      <Icon name="warning" />
      {conflict.kind === "changed" ? (
        <>
          <span>{document.path} has changed on disk and in the editor.</span>
          <button type="button" class="button" onClick={() => showComparison(page, document)}>
            Compare
          </button>
        </>
      ) : (
        <span>{document.path} was deleted on disk.</span>
      )}
      <ConflictChoices page={page} document={document} />
    </div>
  );
}
