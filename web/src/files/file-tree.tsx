import type { JSX } from "preact";
import type { Page } from "../start-page.ts";
import "./file-tree.css";

/** The files of the workspace. */
export function FileTree({ page: _page }: { readonly page: Page }): JSX.Element {
  return <nav class="file-tree" id="files" aria-label="Files" data-region />;
}
