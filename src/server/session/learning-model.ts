import {
  BuiltinModel,
  type FillRequest,
  type Model,
  type ModelCallOptions,
  type ModelEnd,
  type NextRequest,
  type NextToken,
  type TextPart,
} from "../../model/index.ts";

/** The size of the empty model, which knows only the open file. */
const emptyCharacters = 10_000;

/**
 * The built-in model of a workspace that is still being read: each request goes to the model of
 * that time. The first model is empty and knows only the open file.
 */
export class LearningModel implements Model {
  readonly name = "builtin";
  readonly followsGuide = true;
  #current = new BuiltinModel({ expectedCharacters: emptyCharacters });

  /** The current model. */
  get current(): BuiltinModel {
    return this.#current;
  }

  /** Replaces the model for later requests. */
  replace(model: BuiltinModel): void {
    this.#current = model;
  }

  fill(request: FillRequest, options?: ModelCallOptions): AsyncGenerator<TextPart, ModelEnd> {
    return this.#current.fill(request, options);
  }

  next(request: NextRequest, options?: ModelCallOptions): Promise<readonly NextToken[]> {
    return this.#current.next(request, options);
  }
}
