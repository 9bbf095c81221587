import type { FillRequest, ModelCallOptions, NextRequest, NextToken } from "../model.ts";
import type { FillCall } from "./fill-call.ts";

/** How one kind of server is asked: what differs between protocols, and nothing else. */
export interface ServerClient {
  /** The request for a fill. */
  fill(request: FillRequest, options: ModelCallOptions): FillCall | Promise<FillCall>;
  /** Has the prompt of a fill read ahead; absent where the protocol has no way. */
  warm?(request: FillRequest, options: ModelCallOptions): Promise<void>;
  /** The likeliest next tokens; absent where the server never tells. */
  next?(request: NextRequest, options: ModelCallOptions): Promise<readonly NextToken[]>;
}
