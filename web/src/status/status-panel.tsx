import type { JSX } from "preact";
import type { Page } from "../start-page.ts";

/** How the server stands. */
export function StatusPanel({ page: _page }: { readonly page: Page }): JSX.Element {
  return <p class="dim">The server has not said anything yet.</p>;
}
