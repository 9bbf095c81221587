import { type Order, openOrders, totalOf } from "./orders.ts";

/** The text of an invoice. */
export function invoice(orders: readonly Order[]): string {
  const open = openOrders(orders);
  return `${open.length} orders, ${totalOf(open)} in all`;
}
