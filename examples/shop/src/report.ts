import { type Order, totalOf } from "./orders.ts";

export function report(orders: readonly Order[]): string {
  return `Total: ${totalOf(orders)}`;
}

export function average(orders: readonly Order[]): number {
  return orders.length === 0 ? 0 : totalOf(orders) / orders.length;
}
