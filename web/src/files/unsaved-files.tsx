import type { ComponentChildren, JSX } from "preact";
import type { PageServices } from "../page-services.ts";

/**
 * Says which files of a change are open and not on the disk yet, and saves them; once all are,
 * shows `children` instead.
 */
export function UnsavedFiles({
  paths,
  services: { texts, tell },
  children,
}: {
  /** The files that were changed. */
  readonly paths: readonly string[];
  readonly services: Pick<PageServices, "texts" | "tell">;
  readonly children?: ComponentChildren;
}): JSX.Element {
  const unsaved = texts.unsaved.value.filter((path) => paths.includes(path));
  if (unsaved.length === 0) return <>{children}</>;
  const save = () =>
    texts
      .save(unsaved)
      .catch((error: unknown) => tell(error instanceof Error ? error.message : String(error), "error"));
  const isOne = unsaved.length === 1;
  return (
    <>
      <p class="small">
        {isOne
          ? `${unsaved[0]} is not saved yet.`
          : `${unsaved.length} files are not saved yet: ${unsaved.join(", ")}.`}
      </p>
      <div>
        <button type="button" class="button" onClick={save}>
          {isOne ? "Save it" : "Save all"}
        </button>
      </div>
    </>
  );
}
