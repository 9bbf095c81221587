import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { EditPanel } from "./edit/edit-panel.tsx";
import { EditorPane } from "./editor/editor-pane.tsx";
import { ExplainPanel } from "./explain/explain-panel.tsx";
import { FileTree } from "./files/file-tree.tsx";
import { kept } from "./kept.ts";
import { PlanPanel } from "./plan/plan-panel.tsx";
import { Panels } from "./shell/panels.tsx";
import { Splitter } from "./shell/splitter.tsx";
import { StatusLine } from "./shell/status-line.tsx";
import { TopBar } from "./shell/top-bar.tsx";
import type { Page } from "./start-page.ts";
import { StatusPanel } from "./status/status-panel.tsx";
import "./app.css";

const treeWidth = kept("emend.treeWidth", 208);
const panelWidth = kept("emend.panelWidth", 392);

/** The whole page: top bar, files, editor, panels and status line. */
export function App({ page }: { readonly page: Page }): JSX.Element {
  const { services } = page;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== "F6") return;
      event.preventDefault();
      goToNextRegion(event.shiftKey ? -1 : 1);
    };
    addEventListener("keydown", onKeyDown, true);
    return () => removeEventListener("keydown", onKeyDown, true);
  }, []);
  return (
    <>
      <TopBar page={page} />
      <main class="parts" style={{ "--tree-width": `${treeWidth.value}px`, "--panel-width": `${panelWidth.value}px` }}>
        <FileTree page={page} />
        <Splitter label="File tree width" width={treeWidth} min={140} max={420} of="left" controls="files" />
        <EditorPane page={page} />
        <Splitter label="Panel width" width={panelWidth} min={280} max={640} of="right" controls="panels" />
        <Panels
          panels={[
            { id: "explain", title: "Explain", icon: "explain", content: <ExplainPanel page={page} /> },
            { id: "edit", title: "Edit", icon: "edit", content: <EditPanel services={services} /> },
            { id: "plan", title: "Plan", icon: "plan", content: <PlanPanel services={services} /> },
            { id: "status", title: "Status", icon: "status", content: <StatusPanel page={page} /> },
          ]}
        />
      </main>
      <StatusLine page={page} />
    </>
  );
}

/** F6 moves the focus to the next region of the page, because the editor uses Tab itself. */
function goToNextRegion(by: 1 | -1): void {
  const regions = [...document.querySelectorAll<HTMLElement>("[data-region]")];
  const at = regions.findIndex((region) => region.contains(document.activeElement));
  const next = regions[(at + by + regions.length) % regions.length];
  next
    ?.querySelector<HTMLElement>("[data-region-focus], textarea.inputarea, .native-edit-context, [tabindex='0']")
    ?.focus();
}
