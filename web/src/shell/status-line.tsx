import type { JSX } from "preact";
import type { Page } from "../start-page.ts";
import "./status-line.css";

/** What goes on, in one line at the bottom. */
export function StatusLine({ page }: { readonly page: Page }): JSX.Element {
  return <footer class="status-line">{page.link.value}</footer>;
}
