import { effect, untracked } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { errorMessage } from "../../../src/text/index.ts";
import { Icon } from "../look/icons.tsx";
import { newFile } from "../palette/commands.ts";
import { isHiddenSheet, shownSheet } from "../shell/sheets.ts";
import type { Page } from "../start-page.ts";
import type { TreeRow } from "./file-tree-state.ts";
import "./file-tree.css";

/** The files of the workspace, with the keys of the tree of the ARIA practices. */
export function FileTree({ page }: { readonly page: Page }): JSX.Element {
  const { tree, documents, services } = page;
  const list = useRef<HTMLDivElement>(null);
  const showError = (error: unknown) => services.showMessage(errorMessage(error), "error");
  const open = (path: string) => {
    shownSheet.value = undefined;
    void documents.open(services.files.uriOf(path)).catch(showError);
  };
  useEffect(() => {
    tree.expand("").catch(showError);
    // The tree reveals the active file.
    return effect(() => {
      const path = documents.active.value?.path;
      if (path !== undefined) untracked(() => tree.reveal(path)).catch(showError);
    });
  }, [page]);
  const current = tree.current.value ?? tree.rows.value[0]?.entry.path;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    let isOpening = false;
    const isHandled = tree.press(event.key, (path) => {
      isOpening = true;
      open(path);
    });
    if (!isHandled) return;
    event.preventDefault();
    // An opened file takes the focus.
    if (!isOpening) requestAnimationFrame(() => list.current?.querySelector<HTMLElement>("[tabindex='0']")?.focus());
  };
  const onClick = ({ entry, isExpanded }: TreeRow) => {
    tree.current.value = entry.path;
    if (entry.kind === "file") open(entry.path);
    else if (isExpanded === true) tree.collapse(entry.path);
    else tree.expand(entry.path).catch(showError);
  };
  return (
    <nav class="file-tree" id="files" aria-label="Files" data-region hidden={isHiddenSheet("files")}>
      <h2>Files</h2>
      {tree.isEmpty.value && (
        <div class="file-tree-empty">
          <p class="dim">The folder is empty.</p>
          <button type="button" class="button" onClick={() => void newFile(page).catch(showError)}>
            New file
          </button>
        </div>
      )}
      <div class="scroll" role="tree" aria-label="Files" ref={list} onKeyDown={onKeyDown}>
        {tree.rows.value.map((row) => (
          <TreeItem
            key={row.entry.path}
            row={row}
            isCurrent={row.entry.path === current}
            isOpen={documents.active.value?.path === row.entry.path}
            onClick={onClick}
          />
        ))}
      </div>
    </nav>
  );
}

interface TreeItemParts {
  readonly row: TreeRow;
  readonly isCurrent: boolean;
  readonly isOpen: boolean;
  onClick(row: TreeRow): void;
}

function TreeItem({ row, isCurrent, isOpen, onClick }: TreeItemParts): JSX.Element {
  const { entry, level, isExpanded, position, siblings } = row;
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isCurrent) element.current?.scrollIntoView({ block: "nearest" });
  }, [isCurrent]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: The tree handles the keys of its items.
    <div
      ref={element}
      class={`tree-item${entry.isIgnored ? " ignored" : ""}`}
      role="treeitem"
      aria-level={level}
      aria-posinset={position}
      aria-setsize={siblings}
      aria-expanded={isExpanded}
      aria-selected={isOpen}
      tabIndex={isCurrent ? 0 : -1}
      title={entry.isIgnored ? `${entry.path} (ignored: no suggestions, not sent to models)` : entry.path}
      style={{ paddingLeft: `${8 + (level - 1) * 14}px` }}
      onClick={() => onClick(row)}
    >
      <span class={`tree-mark${isExpanded === true ? " open" : ""}`}>
        {entry.kind === "folder" && <Icon name="chevron-right" />}
      </span>
      <span class="one-line">{entry.name}</span>
    </div>
  );
}
