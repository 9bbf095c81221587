import type { JSX } from "preact";
import type { PageServices } from "../page-services.ts";

/** Changes carried through the repository. */
export function PlanPanel({ services: _services }: { readonly services: PageServices }): JSX.Element {
  return <p class="dim">Changes carried through the repository.</p>;
}
