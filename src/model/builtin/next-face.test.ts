import { testNextFace } from "../next-face.laws.ts";
import { modelOf, places } from "./builtin.laws.ts";

testNextFace("the built-in model", async () => ({
  model: modelOf([
    ["src/order.ts", "export function load(order: Order) {\n  return order.items;\n}\n", "typescript"],
    ["src/user.ts", 'import { load } from "./order.ts";\nconst user = load(total);\n', "typescript"],
  ]),
  places,
}));
