import type { AccessVerdict } from "../../complete/access.ts";
import type { GhostTextOutcome, GhostTextRequest } from "../../complete/index.ts";
import type { Model } from "../../model/index.ts";

/** What completes, and what may be completed. */
export interface ThinParts {
  readonly models: readonly Model[];
  access(path: string): AccessVerdict;
}

let count = 0;

/** Offers what the first model says, until the ghost text engine takes this place. */
export class GhostTextEngine {
  readonly parts: ThinParts;
  constructor(parts: ThinParts) {
    this.parts = parts;
  }
  async complete(request: GhostTextRequest, options: { signal?: AbortSignal } = {}): Promise<GhostTextOutcome> {
    const verdict = this.parts.access(request.path);
    if (verdict.kind === "secret")
      return { kind: "silent", reason: { kind: "secret-file", path: request.path }, trace: [] };
    if (verdict.kind === "ignored")
      return { kind: "silent", reason: { kind: "ignored-file", path: request.path, by: verdict.by }, trace: [] };
    const [model] = this.parts.models;
    if (model?.fill === undefined) return { kind: "silent", reason: { kind: "no-model", cure: "" }, trace: [] };
    const { document, offset } = request;
    let text = "";
    const stream = model.fill(
      {
        path: request.path,
        language: document.language,
        prefix: document.text.slice(0, offset),
        suffix: document.text.slice(offset),
      },
      options,
    );
    for await (const part of stream) text += part.text;
    if (text === "") return { kind: "silent", reason: { kind: "model-silent", why: "unsure" }, trace: [] };
    return {
      kind: "offered",
      trace: [],
      suggestions: [
        {
          id: `s${++count}`,
          edit: { start: offset, end: offset, text },
          ghost: text,
          origin: "model",
          model: model.name,
          changes: [],
        },
      ],
    };
  }
  shown(_id: string): void {}
  accepted(_id: string, _characters?: number): void {}
  dismissed(_id: string): void {}
  [Symbol.dispose](): void {}
}
