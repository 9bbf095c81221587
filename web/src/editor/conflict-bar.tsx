import type { JSX } from "preact";
import { Icon } from "../look/icons.tsx";
import type { Page } from "../start-page.ts";
import { ConflictChoices } from "./conflict-choices.tsx";
import { comparisonId, showComparison } from "./disk-comparison.tsx";
import "./conflict-bar.css";

/**
 * A bar above the editor when the file has changed on disk and has unsaved changes, or was deleted.
 * In a comparison of the two texts, the buttons are beside the comparison.
 */
export function ConflictBar({ page }: { readonly page: Page }): JSX.Element | null {
  const document = page.documents.active.value;
  const conflict = document?.conflict.value;
  if (document === undefined || conflict === undefined || page.views.front.value === comparisonId) return null;
  return (
    <div class="conflict-bar" role="alert">
      <Icon name="warning" />
      {conflict.kind === "changed" ? (
        <>
          <span>{document.path} has changed on disk and in the editor.</span>
          <button type="button" class="button" onClick={() => showComparison(page, document)}>
            Compare
          </button>
        </>
      ) : (
        <span>{document.path} was deleted on disk.</span>
      )}
      <ConflictChoices page={page} document={document} />
    </div>
  );
}
