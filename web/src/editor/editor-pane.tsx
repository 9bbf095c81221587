import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { NextBar } from "../next/next-bar.tsx";
import { Messages } from "../shell/messages.tsx";
import type { Page } from "../start-page.ts";
import { ConflictBar } from "./conflict-bar.tsx";
import { DocumentTabs } from "./document-tabs.tsx";
import "./editor-pane.css";

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
