import type { ComponentChildren, JSX } from "preact";
import { errorMessage } from "../../../src/text/index.ts";
import type { PageServices } from "../page-services.ts";

/**
 * Lists the unsaved files of a change, with a button that saves them. Shows `children` when all are
 * saved.
 */
export function UnsavedFiles({
  paths,
  services: { texts, showMessage },
  children,
}: {
  /** The paths of the changed files. */
  readonly paths: readonly string[];
  readonly services: Pick<PageServices, "texts" | "showMessage">;
  readonly children?: ComponentChildren;
}): JSX.Element {
  const unsaved = texts.unsaved.value.filter((path) => paths.includes(path));
  if (unsaved.length === 0) return <>{children}</>;
  const save = () => texts.save(unsaved).catch((error: unknown) => showMessage(errorMessage(error), "error"));
  const isOne = unsaved.length === 1;
  return (
    <>
      <p class="small">
        {isOne
          ? `${unsaved[0]} has unsaved changes.`
          : `${unsaved.length} files have unsaved changes: ${unsaved.join(", ")}.`}
      </p>
      <div>
        <button type="button" class="button" onClick={save}>
          {isOne ? "Save" : "Save all"}
        </button>
      </div>
    </>
  );
}
