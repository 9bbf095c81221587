import { invoice } from "./invoices.ts";
import { type Order, totalOf } from "./orders.ts";

export function mail(orders: readonly Order[], to: string): string {
  if (totalOf(orders) === 0) return "";
  return `To: ${to}\n\n${invoice(orders)}\n`;
}
