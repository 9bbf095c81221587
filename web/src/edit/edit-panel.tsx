import type { JSX } from "preact";
import type { PageServices } from "../page-services.ts";

/** Edits by an instruction. */
export function EditPanel({ services: _services }: { readonly services: PageServices }): JSX.Element {
  return <p class="dim">Edits by an instruction.</p>;
}
