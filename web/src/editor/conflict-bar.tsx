import type { JSX } from "preact";
import { Icon } from "../look/icons.tsx";
import type { Page } from "../start-page.ts";
import "./conflict-bar.css";

/** Above the editor, where somebody else changed the file that is changed here too. */
export function ConflictBar({ page: { documents, services } }: { readonly page: Page }): JSX.Element | null {
  const document = documents.active.value;
  const conflict = document?.conflict.value;
  if (document === undefined || conflict === undefined) return null;
  const settle = (by: "mine" | "disk") =>
    void documents
      .settle(document, by)
      .catch((error: unknown) => services.tell(error instanceof Error ? error.message : String(error), "error"));
  return (
    <div class="conflict-bar" role="alert">
      <Icon name="warning" />
      <span>
        {conflict === "changed"
          ? `${document.path} has changed on the disk, and here too.`
          : `${document.path} is not on the disk any more.`}
      </span>
      <button type="button" class="button" onClick={() => settle("mine")}>
        {conflict === "changed" ? "Keep mine" : "Write it again"}
      </button>
      <button type="button" class="button" onClick={() => settle("disk")}>
        {conflict === "changed" ? "Take the disk's" : "Close it"}
      </button>
    </div>
  );
}
