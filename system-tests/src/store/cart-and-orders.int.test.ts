// The store's cart and the pharmacy service against a model in memory: prices, stocks and limits change, answers get
// lost, orders are placed, cancelled and expire, and nobody ever pays a price they weren't shown.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Problem, toMajor, toMinor } from '@clinic/contracts';
import type { Medicine } from '@clinic/svc-pharmacy/contract/schemas';
import type { Order } from '@clinic/svc-pharmacy/contract/order-schemas';
import fc from 'fast-check';
import { readMedicine } from '../../../mf-pharmacy/src/medicines/medicine.ts';
import {
  acceptPrices,
  addToCart,
  type Cart,
  cartTotalMinor,
  notePrices,
  noteStocks,
  refreshCart,
  removeFromCart,
  setQuantity,
} from '../../../mf-pharmacy/src/store/cart.ts';
import { expireOrders } from '../../../svc-pharmacy/src/orders/expire-orders.ts';
import { move, orderBody, startPharmacy, type TestPharmacy } from '../../../svc-pharmacy/src/testing/test-pharmacy.ts';
import { byMedicine, type Customer, Model, mostOpen, type Placed, type Product, usualLimit } from './cart-model.ts';
import { type Step, steps, stocks } from './cart-steps.ts';

let pharmacy: TestPharmacy;
before(async () => {
  pharmacy = await startPharmacy({
    PHARMACY_MAX_OPEN_ORDERS: String(mostOpen),
    PHARMACY_UNITS_PER_CUSTOMER: '',
    PHARMACY_PENDING_ORDER_HOURS: '72',
  });
});
after(() => pharmacy.close());

let people = 0;
async function opened(stocks: readonly number[]): Promise<Model> {
  const products = await Promise.all(
    stocks.map(async (stock): Promise<Product> => {
      const { _id, medicineId, name } = await pharmacy.stockMedicine({ quantity: stock, pricePerUnit: 2 });
      return { id: _id.toHexString(), medicineId, name, stock, priceMinor: 200, limit: null };
    }),
  );
  const customers = [0, 1].map((): Customer => {
    people += 1;
    const email = `model${people}@mail.example`;
    return { email, as: pharmacy.as({ role: 'patient', email }), cart: [], agreed: new Map(), attempt: undefined };
  });
  return new Model(products, customers);
}

async function recordsOf(ids: readonly string[]): Promise<Medicine[]> {
  if (ids.length === 0) return [];
  return (await (await pharmacy.anonymous(`/medicine?medicineIds=${ids.join(',')}`)).json()) as Medicine[];
}

async function edit({ id }: Product, json: object): Promise<void> {
  const response = await pharmacy.as('pharmacist')(`/medicine/${id}`, { method: 'PATCH', json });
  assert.equal(response.status, 200, await response.text());
}

async function take(model: Model, step: Step): Promise<void> {
  const product = 'medicine' in step ? (model.products[step.medicine] as Product) : undefined;
  const who = 'customer' in step ? (model.customers[step.customer] as Customer) : undefined;
  switch (step.do) {
    case 'reprice':
      if (product) await edit(product, { pricePerUnit: toMajor(step.minor) });
      return void (product && (product.priceMinor = step.minor));
    case 'restock':
      if (product) await edit(product, { restock: step.units });
      return void (product && (product.stock += step.units));
    case 'limit':
      if (product) await edit(product, { maxPerCustomer: step.units });
      return void (product && (product.limit = step.units));
    case 'add': {
      const [record] = await recordsOf(product ? [product.medicineId] : []);
      // As in the store: medicines out of stock have no button.
      if (
        !who ||
        !record ||
        !product ||
        record.status === 'out of stock' ||
        who.cart.some(({ medicineId }) => medicineId === product.medicineId)
      )
        return;
      who.cart = addToCart(who.cart, readMedicine(record));
      who.agreed.set(product.medicineId, product.priceMinor);
      return;
    }
    case 'quantity':
      return void (who && product && (who.cart = setQuantity(who.cart, product.medicineId, step.units)));
    case 'remove':
      return void (who && product && (who.cart = removeFromCart(who.cart, product.medicineId)));
    case 'look':
      return who && look(who);
    case 'accept': {
      if (!who) return;
      for (const { medicineId, newPriceMinor } of who.cart)
        if (newPriceMinor !== undefined) who.agreed.set(medicineId, newPriceMinor);
      who.cart = acceptPrices(who.cart, who.cart);
      return;
    }
    case 'order':
      return who && press(model, who, step.lost);
    case 'order again':
      return orderAgain(model, step);
    case 'expire':
    case 'Cancelled':
    case 'Shipped':
    case 'Delivered':
      return finish(model, model.orders[step.order], step.do);
  }
}

async function orderAgain(model: Model, step: Extract<Step, { do: 'order again' }>): Promise<void> {
  const steps: readonly Step[] = [
    { ...step, do: 'add' },
    { ...step, do: 'order', lost: true },
    { ...step, do: 'reprice' },
    { ...step, do: 'look' },
    { ...step, do: 'accept' },
    { ...step, do: 'order', lost: false },
  ];
  for (const each of steps) await take(model, each);
}

async function look(who: Customer): Promise<void> {
  const ids = who.cart.map(({ medicineId }) => medicineId);
  who.cart = refreshCart(who.cart, await recordsOf(ids), ids);
}

/** An order, or the problem. */
type Answer = Omit<Order, 'status'> & Omit<Problem, 'status'>;

/** Clicks the order button; the page doesn't allow ordering at a price that the customer hasn't accepted. */
async function press(model: Model, who: Customer, lost: boolean): Promise<void> {
  if (who.cart.length === 0 || who.cart.some(({ newPriceMinor }) => newPriceMinor !== undefined)) return;
  const lines = who.cart
    .map(({ medicineId, quantity, priceMinor }) => ({ medicineId, quantity, priceMinor }))
    .toSorted(byMedicine);
  for (const { medicineId, priceMinor } of lines)
    assert.equal(priceMinor, who.agreed.get(medicineId), 'the cart orders at the price its customer agreed to');
  const contents = JSON.stringify(who.cart.map(({ medicineId, quantity }) => [medicineId, quantity]));
  if (who.attempt?.contents !== contents) who.attempt = { contents, key: crypto.randomUUID() };
  const { attempt } = who;
  const shown = cartTotalMinor(who.cart);
  const expected = attempt.order ? { code: undefined } : model.verdict(who, lines);

  const items = lines.map(({ medicineId, quantity, priceMinor }) => ({
    medicineId,
    quantity,
    pricePerUnit: toMajor(priceMinor),
  }));
  const response = await who.as('/orderMedi', {
    method: 'POST',
    json: orderBody(who.email, items),
    headers: { 'Idempotency-Key': attempt.key },
  });
  const body = (await response.json()) as Answer;
  assert.deepEqual(
    [response.status, body.code],
    [expected.code === undefined ? 201 : 409, expected.code],
    JSON.stringify(body),
  );

  if (expected.code === undefined) {
    if (attempt.order) assert.equal(body._id, attempt.order.id, 'a retry finds the order whose answer was lost');
    else {
      attempt.order = { id: body._id, by: who, lines, status: 'pending' };
      model.orders.push(attempt.order);
      model.take(lines);
      assert.equal(
        body.items.reduce((sum, { pricePerUnit, quantity }) => sum + toMinor(pricePerUnit) * quantity, 0),
        shown,
        'the charged total is the one that was shown',
      );
    }
    if (lost) return;
    who.attempt = undefined;
    who.cart = lines.reduce<Cart>((cart, { medicineId }) => removeFromCart(cart, medicineId), who.cart);
    return;
  }
  assert.deepEqual([body.lines, body.prices, body.total], [expected.lines, expected.prices, expected.total]);
  if (!lost) who.cart = corrected(who.cart, body);
}

/** The cart with the stocks and prices of a rejection. */
function corrected(cart: Cart, { lines = [], prices = [] }: Answer): Cart {
  const stocks = lines.filter(({ reason }) => reason !== 'limit');
  return notePrices(
    noteStocks(cart, new Map(stocks.map(({ medicineId, available }) => [medicineId, available]))),
    new Map(prices.map(({ medicineId, now }) => [medicineId, toMinor(now)])),
  );
}

async function finish(
  model: Model,
  order: Placed | undefined,
  how: 'expire' | 'Cancelled' | 'Shipped' | 'Delivered',
): Promise<void> {
  if (!order) return;
  if (how === 'expire') {
    // Only this order expires.
    await pharmacy.collections.orders.updateOne(
      { number: order.id.slice(-6).toUpperCase(), status: 'pending' },
      { $set: { heldUntil: new Date(0) } },
    );
    // The service's own round may be first; the stored orders are compared with the model at the end.
    await expireOrders(pharmacy.context);
    if (order.status === 'pending') model.end(order, 'Cancelled');
    return;
  }
  const allowed = order.status === 'pending' || (order.status === 'Shipped' && how !== 'Shipped');
  assert.equal((await move(pharmacy.as('pharmacist'), order.id, how)).status, allowed ? 200 : 409);
  if (allowed) model.end(order, how);
}

/** Asserts that the service's data matches the model. */
async function assertSame(model: Model): Promise<void> {
  const records = await recordsOf(model.products.map(({ medicineId }) => medicineId));
  const stored = records.map((record) => readMedicine(record)).toSorted(byMedicine);
  assert.deepEqual(
    stored.map(({ medicineId, quantity, priceMinor, maxPerCustomer, customerLimit }) => ({
      medicineId,
      quantity,
      priceMinor,
      maxPerCustomer,
      customerLimit,
    })),
    model.products.toSorted(byMedicine).map(({ medicineId, stock, priceMinor, limit }) => ({
      medicineId,
      quantity: stock,
      priceMinor,
      maxPerCustomer: limit,
      customerLimit: limit ?? usualLimit,
    })),
  );
  for (const who of model.customers) {
    const listed = (await (await who.as(`/orderMedi?email=${who.email}`)).json()) as Order[];
    assert.deepEqual(
      new Map(
        listed.map(({ _id, status, items }) => [
          _id,
          [
            status,
            items.map(({ medicineId, quantity, pricePerUnit }) => ({
              medicineId,
              quantity,
              priceMinor: toMinor(pricePerUnit),
            })),
          ],
        ]),
      ),
      new Map(model.orders.filter(({ by }) => by === who).map(({ id, status, lines }) => [id, [status, lines]])),
    );
  }
}

test('cart and service always match the model, and nobody pays a price they were not shown', async () => {
  await fc.assert(
    fc.asyncProperty(stocks, steps, async (had, actions) => {
      const model = await opened(had);
      for (const each of actions) await take(model, each);
      await assertSame(model);
    }),
    { numRuns: 40 },
  );
});

test('a refreshed cart can always be ordered once its customer accepts the prices and what is available', async () => {
  await fc.assert(
    fc.asyncProperty(stocks, steps, async (had, actions) => {
      const model = await opened(had);
      for (const each of actions) await take(model, each);
      const [who] = model.customers as readonly [Customer, Customer];
      for (const order of model.orders) if (order.status === 'pending') await finish(model, order, 'Shipped');
      who.attempt = undefined;
      await look(who);
      for (const { medicineId, stock, quantity } of who.cart)
        who.cart = stock === 0 ? removeFromCart(who.cart, medicineId) : setQuantity(who.cart, medicineId, quantity);
      await take(model, { do: 'accept', customer: 0 });
      const before = model.orders.length;
      const some = who.cart.length > 0;
      await press(model, who, false);
      assert.equal(model.orders.length, before + (some ? 1 : 0));
      assert.deepEqual(who.cart, []);
      await assertSame(model);
    }),
    { numRuns: 20 },
  );
});
