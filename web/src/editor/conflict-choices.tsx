import type { JSX } from "preact";
import { errorMessage } from "../../../src/text/index.ts";
import type { Page } from "../start-page.ts";
import type { OpenDocument } from "./documents.ts";

/** The buttons that resolve the conflict of a document with the disk. */
export function ConflictChoices({
  page: { documents, services, views, editor },
  document,
}: {
  readonly page: Page;
  readonly document: OpenDocument;
}): JSX.Element | null {
  const conflict = document.conflict.value;
  if (conflict === undefined) return null;
  const settle = async (by: "mine" | "disk") => {
    try {
      await documents.settle(document, by);
      if (document.conflict.value !== undefined) return;
      // The buttons are gone, and the focus with them.
      views.bringEditorsToFront();
      editor.focus();
    } catch (error) {
      services.showMessage(errorMessage(error), "error");
    }
  };
  const closeFile = () => {
    // No version of the text is on the disk.
    if (confirm(`Close ${document.path} without saving?`)) void settle("disk");
  };
  const [mine, disk] = conflict.kind === "changed" ? ["Keep mine", "Take the disk's"] : ["Save again", "Close file"];
  return (
    <>
      <button
        type="button"
        class="button"
        title="Write the editor's text to the disk"
        onClick={() => void settle("mine")}
      >
        {mine}
      </button>
      <button
        type="button"
        class="button"
        title={
          conflict.kind === "changed" ? "Replace the editor's text; Undo brings it back" : "Discard the editor's text"
        }
        onClick={conflict.kind === "changed" ? () => void settle("disk") : closeFile}
      >
        {disk}
      </button>
    </>
  );
}
