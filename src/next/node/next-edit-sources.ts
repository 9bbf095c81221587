import type { NextEditSource } from "../next-edit-source.ts";
import type { TypeJudge } from "../type-judge.ts";
import type { NextEditTools } from "./next-edit-workspace.ts";

/** Who proposes next edits in a workspace without a model, and what types say of them. */
export class NextEditSources implements AsyncDisposable {
  /** Those that answer at once first. */
  readonly all: readonly NextEditSource[];
  readonly judge: TypeJudge | undefined;

  constructor(tools: NextEditTools) {
    void tools;
    this.all = [];
    this.judge = undefined;
  }

  /** A file has another text; `undefined` when it is gone. */
  tell(path: string, text: string | undefined): void {
    void [path, text];
  }

  async [Symbol.asyncDispose](): Promise<void> {}
}
