import type { TypeFinding } from "../codebase/index.ts";
import type { Edit, TextRange } from "../text/index.ts";

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
      /** Lines, `[start, end)` of the present texts, where the person did the like: what is wrong there in the same way does not count against the edit. */
      readonly alike?: readonly { readonly path: string; readonly lines: TextRange }[];
    },
    options?: { readonly signal?: AbortSignal },
  ): Promise<TypeVerdict>;
}

/** What types say of an edit. */
export type TypeVerdict =
  /** No checker knows the file, or it did not answer in its time. */
  | { readonly kind: "unknown" }
  /** There are no errors that were not there before; `mended` of those before are gone. */
  | { readonly kind: "fits"; readonly mended: number }
  /** These errors come with it, in the text after the edit. */
  | { readonly kind: "worse"; readonly findings: readonly TypeFinding[] };
