import { notify, useQueryClient, type ApiProblem } from '@clinic/app-kit';
import { useChange } from '@clinic/app-kit/records';
import type { Order } from '@clinic/svc-pharmacy/contract/order-schemas';
import { toMajor, toMinor } from '@clinic/contracts/money';
import { isUnknown } from '@clinic/contracts/outcome';
import type { StockShortage } from '@clinic/svc-pharmacy/contract/problems';
import { useRef, type ReactNode } from 'react';
import { cashInWords, orderNumber } from '../orders/order-format.ts';
import { storedAttempts } from '../stored-attempts.ts';
import { useCart } from './cart-store.ts';
import { noteCounterOnly, notePrices, noteStocks, removeFromCart, type Cart } from './cart.ts';
import { forgetDraft, type DeliveryDetails } from './delivery-draft.ts';
import { Ordered } from './ordered.tsx';

/** Of an order without its date and prices: a price that changes after a lost response must not order twice. */
const orders = storedAttempts('pharmacy-order-attempt');

/** The outcome of an order, for the visitor. */
export interface OrderOutcome {
  /** What the customer reads if it was made: it loads with the form, which a first visit doesn't need. */
  readonly order?: ReactNode;
  /** Why it wasn't; empty if it was. */
  readonly text: string;
  /** The lines that couldn't be ordered. */
  readonly lines: readonly StockShortage[];
}

/**
 * Orders what is in the cart: emptied when the order is made, kept if it failed.
 *
 * @param email - of the customer
 */
export function usePlaceOrder(email: string, onOutcome: (outcome: OrderOutcome) => void) {
  const client = useQueryClient();
  const { cart, change: changeCart } = useCart();
  // A second press can come before the page shows that the first is in flight.
  const inFlight = useRef(false);
  const change = useChange('placeOrder', {
    invalidates: ['listOrders', 'listMedicines'],
    // The form shows it, beside its button.
    failure: false,
    onDone: (order: Order | undefined, { body: { items, deliveryAddress } }) => {
      // A response without an order, such as an empty object, is no success.
      if (!order?._id) {
        onOutcome({ text: unconfirmed, lines: [] });
        return;
      }
      notify.success('order created');
      orders.forget();
      forgetDraft(email);
      const totalMinor = items.reduce(
        (sum, { pricePerUnit = 0, quantity }) => sum + toMinor(Number(pricePerUnit)) * quantity,
        0,
      );
      onOutcome({
        order: <Ordered number={orderNumber(order)} address={deliveryAddress} cash={cashInWords(totalMinor)} />,
        text: '',
        lines: [],
      });
      // Only what was ordered leaves the cart: another tab may have added to it meanwhile.
      changeCart((before) => items.reduce((rest: Cart, { medicineId }) => removeFromCart(rest, medicineId), before));
    },
    onError: (problem) => {
      const { lines = [] } = problem.problem;
      changeCart((before) => noteRejection(before, problem));
      onOutcome({ text: failureText(problem), lines });
      // The catalogue on screen is outdated too.
      void client.invalidateQueries({ queryKey: ['listMedicines'] });
    },
  });

  function place({ name, phone, address }: DeliveryDetails): void {
    if (inFlight.current) return;
    inFlight.current = true;
    const request = {
      items: cart.map(orderItem),
      deliveryAddress: address,
      customeremail: email,
      customerPhone: phone,
      recipientName: name,
    };
    const { key, orderDate } = orders.attemptFor(
      JSON.stringify({ ...request, items: cart.map(({ medicineId, quantity }) => [medicineId, quantity]) }),
    );
    change.mutate(
      { body: { ...request, orderDate, status: 'pending' }, idempotencyKey: key },
      {
        onSettled: () => {
          inFlight.current = false;
        },
      },
    );
  }

  return { place, busy: change.isPending, problem: change.error ?? undefined };
}

/** The cart with what the server's rejection says about its items. */
function noteRejection(cart: Cart, { problem: { lines = [], prices = [] } }: ApiProblem): Cart {
  const unavailable = lines.filter(({ reason }) => reason !== 'limit' && reason !== 'prescription');
  const counterOnly = lines.filter(({ reason }) => reason === 'prescription').map(({ medicineId }) => medicineId);
  const noted = noteStocks(cart, new Map(unavailable.map(({ medicineId, available }) => [medicineId, available])));
  const marked = counterOnly.length > 0 ? noteCounterOnly(noted, counterOnly) : noted;
  if (prices.length === 0) return marked;
  return notePrices(marked, new Map(prices.map(({ medicineId, now }) => [medicineId, toMinor(now)])));
}

function orderItem({ medicineId, name, manufacturer, quantity, unit, priceMinor, expiryDate }: Cart[number]) {
  return { medicineId, name, manufacturer, quantity, unit, pricePerUnit: toMajor(priceMinor), expiryDate };
}

/** For an empty response. The key of the attempt is kept, so that ordering again can't order twice. */
const unconfirmed = 'We couldn’t confirm your order. Select Place Order again. We won’t order it twice.';

function failureText(problem: ApiProblem): string {
  if (problem.emptyAnswer) return unconfirmed;
  if (isUnknown(problem)) return `${problem.message} We won’t order it twice.`;
  if (problem.code === 'price_changed')
    return 'We haven’t placed your order, because prices have changed. Check them above. Your cart is saved.';
  if (problem.code !== 'stock_short') return problem.message;
  return 'We haven’t placed your order. Check the marked items above. Your cart is saved.';
}
