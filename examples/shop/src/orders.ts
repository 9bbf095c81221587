export interface Order {
  readonly id: string;
  readonly isOpen: boolean;
  readonly total: number;
}

/** Orders that nobody has paid yet. */
export function openOrders(orders: readonly Order[]): readonly Order[] {
  return orders.filter((order) => order.isOpen);
}

/** What they come to together, in cents. */
export function totalOf(orders: readonly Order[]): number {
  return orders.reduce((sum, order) => sum + order.total, 0);
}
