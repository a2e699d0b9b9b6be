import assert from 'node:assert/strict';
import { toMajor } from '@clinic/contracts';
import type { TestFetch } from '@clinic/service-kit/testing';
import type { OrderStatus } from '@clinic/svc-pharmacy/contract/transitions';
import type { Cart } from '../../../mf-pharmacy/src/store/cart.ts';

/** Pending orders that a customer may have. */
export const mostOpen = 3;
/** Household limit of a medicine without its own limit: a box. */
export const usualLimit = 10;

export interface Product {
  readonly id: string;
  readonly medicineId: string;
  readonly name: string;
  stock: number;
  priceMinor: number;
  limit: number | null;
}

export interface Line {
  readonly medicineId: string;
  readonly quantity: number;
  readonly priceMinor: number;
}

export interface Placed {
  readonly id: string;
  readonly by: Customer;
  readonly lines: readonly Line[];
  status: OrderStatus;
}

export interface Customer {
  readonly email: string;
  readonly as: TestFetch;
  /** As the page keeps it. */
  cart: Cart;
  /** Prices that they were shown and accepted, by medicine. */
  readonly agreed: Map<string, number>;
  /** The attempt in flight: the same request has the same key. */
  attempt: { readonly contents: string; readonly key: string; order?: Placed } | undefined;
}

/** What the pharmacy must have stored and must answer. */
export class Model {
  readonly products: readonly Product[];
  readonly customers: readonly Customer[];
  readonly orders: Placed[] = [];

  constructor(products: readonly Product[], customers: readonly Customer[]) {
    this.products = products;
    this.customers = customers;
  }

  product(medicineId: string): Product {
    return (
      this.products.find((each) => each.medicineId === medicineId) ??
      assert.fail(`${medicineId} is no medicine of the model`)
    );
  }

  /** The answer that the service must give to an order of these lines. */
  verdict(
    by: Customer,
    lines: readonly Line[],
  ): { code: string | undefined; lines?: readonly unknown[]; prices?: readonly unknown[]; total?: number } {
    const open = this.orders.filter((order) => order.by === by && order.status === 'pending');
    if (open.length >= mostOpen) return { code: 'too_many_orders' };
    const short = lines.flatMap(({ medicineId, quantity: requested }) => {
      const { name, stock, limit } = this.product(medicineId);
      const onOrder = open
        .flatMap((order) => order.lines)
        .filter((line) => line.medicineId === medicineId)
        .reduce((sum, { quantity }) => sum + quantity, 0);
      const allowed = Math.max(0, (limit ?? usualLimit) - onOrder);
      const line = { medicineId, name, requested };
      if (stock === 0) return [{ ...line, available: 0, reason: 'out of stock' }];
      if (allowed < requested && allowed < stock) return [{ ...line, available: allowed, reason: 'limit' }];
      return stock < requested ? [{ ...line, available: stock, reason: 'not enough' }] : [];
    });
    if (short.length > 0) return { code: 'stock_short', lines: short };
    const changed = lines.filter(({ medicineId, priceMinor }) => this.product(medicineId).priceMinor !== priceMinor);
    if (changed.length === 0) return { code: undefined };
    return {
      code: 'price_changed',
      prices: changed.map(({ medicineId, quantity, priceMinor }) => ({
        medicineId,
        name: this.product(medicineId).name,
        quantity,
        seen: toMajor(priceMinor),
        now: toMajor(this.product(medicineId).priceMinor),
      })),
      total: toMajor(
        lines.reduce((sum, { medicineId, quantity }) => sum + this.product(medicineId).priceMinor * quantity, 0),
      ),
    };
  }

  take(lines: readonly Line[]): void {
    for (const { medicineId, quantity } of lines) this.product(medicineId).stock -= quantity;
  }

  end(order: Placed, status: OrderStatus): void {
    order.status = status;
    if (status === 'Cancelled')
      for (const { medicineId, quantity } of order.lines) this.product(medicineId).stock += quantity;
  }
}

type WithMedicine = { readonly medicineId: string };
/** Orders by the medicine's number. */
export const byMedicine = (a: WithMedicine, b: WithMedicine): number => (a.medicineId < b.medicineId ? -1 : 1);
