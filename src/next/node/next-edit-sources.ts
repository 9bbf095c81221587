import type { Clock, FileSystem } from "../../codebase/index.ts";
import type { Syntax } from "../../syntax/index.ts";
import type { NextEditSource } from "../next-edit-source.ts";
import type { TextIndex } from "../text-index.ts";
import type { TypeJudge } from "../type-judge.ts";

/** What sources of next edits are made with. */
export interface NextEditTools {
  readonly root: string | undefined;
  readonly files: TextIndex;
  readonly fileSystem: FileSystem;
  readonly clock: Clock;
  readonly syntax: Syntax;
  onProblem(message: string): void;
}

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
