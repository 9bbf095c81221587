import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { EditPanel } from "./edit/edit-panel.tsx";
import { EditorPane } from "./editor/editor-pane.tsx";
import { ExplainPanel } from "./explain/explain-panel.tsx";
import { FileTree } from "./files/file-tree.tsx";
import { kept } from "./kept.ts";
import { listenForKeys } from "./palette/commands.ts";
import { Palette } from "./palette/palette.tsx";
import { PlanPanel } from "./plan/plan-panel.tsx";
import { KeyHint } from "./shell/key-hint.tsx";
import { Panels } from "./shell/panels.tsx";
import { closeSheet, isNarrow, shownSheet } from "./shell/sheets.ts";
import { Splitter } from "./shell/splitter.tsx";
import { StatusLine } from "./shell/status-line.tsx";
import { TopBar } from "./shell/top-bar.tsx";
import { useEscape } from "./shell/use-escape.ts";
import type { Page } from "./start-page.ts";
import { StatusPanel } from "./status/status-panel.tsx";
import "./app.css";

const treeWidth = kept("treeWidth", 208, { of: "page" });
const panelWidth = kept("panelWidth", 392, { of: "page" });

/** The whole page: top bar, files, editor, panels and status line. */
export function App({ page }: { readonly page: Page }): JSX.Element {
  const { services } = page;
  useEscape(isNarrow.value && shownSheet.value !== undefined ? closeSheet : undefined);
  useEffect(() => {
    const listening = listenForKeys(page);
    return () => listening[Symbol.dispose]();
  }, [page]);
  return (
    <>
      <TopBar page={page} />
      <main
        class={`parts${shownSheet.value === undefined ? "" : " with-sheet"}`}
        style={{ "--tree-width": `${treeWidth.value}px`, "--panel-width": `${panelWidth.value}px` }}
      >
        <FileTree page={page} />
        {!isNarrow.value && (
          <Splitter label="File tree width" width={treeWidth} min={140} max={420} of="left" controls="files" />
        )}
        <EditorPane page={page} />
        {!isNarrow.value && (
          <Splitter label="Panel width" width={panelWidth} min={280} max={640} of="right" controls="panels" />
        )}
        <Panels
          panels={[
            { id: "explain", title: "Explain", icon: "explain", content: <ExplainPanel page={page} /> },
            { id: "edit", title: "Edit", icon: "edit", content: <EditPanel page={page} /> },
            { id: "plan", title: "Plan", icon: "plan", content: <PlanPanel services={services} link={page.link} /> },
            {
              ...{ id: "status", title: "Status", icon: "status", content: <StatusPanel page={page} /> },
              problem: page.server.problem.value,
            },
          ]}
        />
      </main>
      <KeyHint view={page.views.front.value} onClose={() => page.editor.focus()} />
      <StatusLine page={page} />
      <Palette page={page} />
    </>
  );
}
