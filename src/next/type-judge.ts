import type { TypeFinding } from "../codebase/index.ts";
import type { PastEdit } from "../context/index.ts";
import type { Edit } from "../text/index.ts";

/** Says what types have to say of an edit, where they have. */
export interface TypeJudge {
  /**
   * Compares the errors with the edit to those without it, in the edited file and in those that may feel it. `text` is the present text of the file at
   * `path`; texts of other files are as they were told.
   */
  judge(
    proposed: {
      readonly path: string;
      readonly text: string;
      readonly edit: Edit;
      /** The texts that other files get together with it, such as for the rest of a rename. */
      readonly together?: ReadonlyMap<string, string>;
      /** What the person did lately that the edit is the like of: names that mean nothing by it are a part of what the person is about where they are the same. */
      readonly alike?: readonly PastEdit[];
    },
    options?: { readonly signal?: AbortSignal },
  ): Promise<TypeVerdict>;

  /**
   * Whether anything is wrong in these files now that an edit might mend, which costs much less to say than what an edit mends. Nothing is where no checker knows them,
   * or where it does not answer. A judge that cannot say is asked about each edit.
   */
  hasErrors?(paths: readonly string[], options?: { readonly signal?: AbortSignal }): Promise<boolean>;
}

/** What types say of an edit. */
export type TypeVerdict =
  /** No checker knows the file, or it did not answer in its time. */
  | { readonly kind: "unknown" }
  /** There are no errors that were not there before; `mended` of those before are gone. */
  | { readonly kind: "fits"; readonly mended: number }
  /** These errors come with it, all of them of names that the person's last edits wrote or took away as well: the change is on its way. In the text after the edit. */
  | { readonly kind: "unfinished"; readonly findings: readonly TypeFinding[] }
  /** These errors come with it, in the text after the edit. */
  | { readonly kind: "worse"; readonly findings: readonly TypeFinding[] };
