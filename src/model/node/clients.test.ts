import { clientContract } from "./fixtures/client-contract.ts";
import { wires } from "./fixtures/wire.ts";

for (const wire of wires) clientContract(wire);
