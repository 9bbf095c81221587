import type { JSX } from "preact";
import type { Page } from "../start-page.ts";

/** What became of the last request. */
export function ExplainPanel({ page: _page }: { readonly page: Page }): JSX.Element {
  return <p class="dim">Type something: what is thought about it is explained here.</p>;
}
