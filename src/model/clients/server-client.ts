import type { FillRequest, ModelCallOptions, NextRequest, NextToken, RawRequest } from "../model.ts";
import type { TextCall } from "./text-call.ts";

/** The protocol of one kind of server: the differences between protocols, and nothing else. */
export interface ServerClient {
  /** The request for a fill. */
  fill(request: FillRequest, options: ModelCallOptions): TextCall | Promise<TextCall>;
  /** The request for the continuation of a prompt; absent where no prompt is taken as it is. */
  completeRaw?(request: RawRequest, options: ModelCallOptions): TextCall | Promise<TextCall>;
  /** Has the prompt of a fill read ahead; absent where the protocol has no way. */
  warm?(request: FillRequest, options: ModelCallOptions): Promise<void>;
  /** The likeliest next tokens; absent where the server does not report them. */
  next?(request: NextRequest, options: ModelCallOptions): Promise<readonly NextToken[]>;
}
