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

/** What an empty model is made for: it knows no more than the file that is open. */
const emptyCharacters = 10_000;

/**
 * The built-in model of a workspace that is still being read: whoever asks gets the answer of the model there is by
 * then. Before the first one it knows the open file alone.
 */
export class LearningModel implements Model {
  readonly name = "builtin";
  readonly followsGuide = true;
  #current = new BuiltinModel({ expectedCharacters: emptyCharacters });

  /** The model there is. */
  get current(): BuiltinModel {
    return this.#current;
  }

  /** From now on `model` is asked. */
  become(model: BuiltinModel): void {
    this.#current = model;
  }

  fill(request: FillRequest, options?: ModelCallOptions): AsyncGenerator<TextPart, ModelEnd> {
    return this.#current.fill(request, options);
  }

  next(request: NextRequest, options?: ModelCallOptions): Promise<readonly NextToken[]> {
    return this.#current.next(request, options);
  }
}
