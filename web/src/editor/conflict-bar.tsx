import type { JSX } from "preact";
import { errorMessage } from "../../../src/text/index.ts";
import { Icon } from "../look/icons.tsx";
import type { Page } from "../start-page.ts";
import "./conflict-bar.css";

/** A bar above the editor when the file has changed on disk and has unsaved changes. */
export function ConflictBar({ page: { documents, services } }: { readonly page: Page }): JSX.Element | null {
  const document = documents.active.value;
  const conflict = document?.conflict.value;
  if (document === undefined || conflict === undefined) return null;
  const settle = (by: "mine" | "disk") =>
    void documents.settle(document, by).catch((error: unknown) => services.showMessage(errorMessage(error), "error"));
  return (
    <div class="conflict-bar" role="alert">
      <Icon name="warning" />
      <span>
        {conflict === "changed"
          ? `${document.path} has changed on disk and in the editor.`
          : `${document.path} was deleted on disk.`}
      </span>
      <button type="button" class="button" onClick={() => settle("mine")}>
        {conflict === "changed" ? "Keep editor version" : "Save again"}
      </button>
      <button type="button" class="button" onClick={() => settle("disk")}>
        {conflict === "changed" ? "Use disk version" : "Close file"}
      </button>
    </div>
  );
}
