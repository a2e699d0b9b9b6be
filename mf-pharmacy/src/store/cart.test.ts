import type { Medicine as WireMedicine } from '@clinic/svc-pharmacy/contract/schemas';
import { readMedicine } from '../medicines/medicine.ts';
import { wireMedicine } from '../testing/records.ts';
import {
  acceptPrices,
  addToCart,
  adoptCart,
  cartTotalMinor,
  notePrices,
  noteStocks,
  readCart,
  refreshCart,
  removeFromCart,
  setQuantity,
  type Cart,
} from './cart.ts';

const record = (medicineId: string, quantity: number, price: string) => wireMedicine({ medicineId, quantity, price });
const cartOf = (...records: WireMedicine[]): Cart =>
  records.reduce<Cart>((cart, each) => addToCart(cart, readMedicine(each)), []);

test('a medicine is added to the cart once, with one unit', () => {
  const once = cartOf(record('A', 5, '2.50'));
  expect(once).toHaveLength(1);
  expect(once[0]).toMatchObject({ medicineId: 'A', quantity: 1, stock: 5, priceMinor: 250 });
  expect(addToCart(once, readMedicine(record('A', 5, '2.50')))).toBe(once);
});

test('a quantity is never below one and never above the stock', () => {
  const cart = cartOf(record('A', 5, '1.0'));
  const quantityAfter = (requested: number) => setQuantity(cart, 'A', requested)[0]?.quantity;
  expect([0, -3, 3, 6, 2.9, Number.NaN].map(quantityAfter)).toEqual([1, 1, 3, 5, 2, 1]);
});

test('a quantity is never above the limit per customer', () => {
  const [item] = cartOf({ ...record('A', 50, '1.0'), customerLimit: 3 });
  const quantityAfter = (requested: number) => setQuantity(item ? [item] : [], 'A', requested)[0]?.quantity;
  expect([3, 4, 60].map(quantityAfter)).toEqual([3, 3, 3]);
  expect(refreshCart(item ? [item] : [], [{ ...record('A', 50, '1.0'), customerLimit: 8 }])[0]).toMatchObject({
    limit: 8,
  });
});

test('the total is the sum of prices times quantities', () => {
  const cart = setQuantity(cartOf(record('A', 5, '0.1'), record('B', 9, '19.99')), 'B', 3);
  expect(cartTotalMinor(cart)).toBe(10 + 3 * 1999);
  expect(cartTotalMinor(removeFromCart(cart, 'B'))).toBe(10);
});

const prices = (cart: Cart) => cart.map(({ priceMinor, newPriceMinor }) => [priceMinor, newPriceMinor]);

test('the server’s stock is applied, the requested quantity stays', () => {
  const cart = setQuantity(cartOf(record('A', 5, '1.0'), record('B', 5, '1.0')), 'A', 4);
  expect(noteStocks(cart, new Map([['A', 2]])).map(({ stock, quantity }) => [stock, quantity])).toEqual([
    [2, 4],
    [5, 1],
  ]);
  expect(refreshCart(cart, [record('A', 9, '1.0')])[0]).toMatchObject({ stock: 9, quantity: 4 });
  expect(refreshCart(cart, [record('A', 5, '1.0')])).toBe(cart);
  expect(refreshCart(cart, [record('A', 5, '1.0')], ['A', 'B']).map(({ stock }) => stock)).toEqual([5, 0]);
});

test('a new price is kept beside the old one until it is accepted; the total uses today’s prices', () => {
  const cart = setQuantity(cartOf(record('A', 5, '1.0'), record('B', 5, '1.0')), 'A', 4);
  const dearer = refreshCart(cart, [record('A', 5, '1.5')]);
  expect(prices(dearer)).toEqual([
    [100, 150],
    [100, undefined],
  ]);
  expect(cartTotalMinor(dearer)).toBe(4 * 150 + 100);
  expect(refreshCart(dearer, [record('A', 5, '1.5')])).toBe(dearer);
  expect(prices(refreshCart(dearer, [record('A', 5, '1.0')]))).toEqual([
    [100, undefined],
    [100, undefined],
  ]);
  expect(prices(notePrices(dearer, new Map([['B', 90]])))).toEqual([
    [100, 150],
    [100, 90],
  ]);
  expect(prices(acceptPrices(dearer, dearer))).toEqual([
    [150, undefined],
    [100, undefined],
  ]);
  // It went up again while the visitor was reading.
  expect(prices(acceptPrices(refreshCart(dearer, [record('A', 5, '9.0')]), dearer))).toEqual([
    [150, 900],
    [100, undefined],
  ]);
});

test('a visitor’s cart joins the account’s: every medicine once, the larger quantity, the latest price shown', () => {
  const own = setQuantity(cartOf(record('A', 9, '1.0'), record('B', 9, '1.0')), 'A', 4);
  const gathered = setQuantity(cartOf(record('A', 9, '1.5'), record('C', 9, '1.0')), 'C', 2);
  expect(
    adoptCart(own, gathered).map(({ medicineId, quantity, priceMinor }) => [medicineId, quantity, priceMinor]),
  ).toEqual([
    ['A', 4, 150],
    ['B', 1, 100],
    ['C', 2, 100],
  ]);
});

test('a stored cart is read back, and anything else in the storage is dropped', () => {
  const cart = cartOf(record('A', 5, '1.0'), record('B', 5, '1.0'));
  const [first] = cart;
  expect(readCart(JSON.stringify(cart))).toEqual(cart);
  expect(readCart(JSON.stringify([first, first]))).toEqual([first]);
  for (const junk of [
    null,
    '',
    '{',
    '7',
    '{"a":1}',
    '[null]',
    JSON.stringify([{ ...first, quantity: 0 }]),
    JSON.stringify([{ ...first, priceMinor: '1' }]),
    JSON.stringify([{ ...first, newPriceMinor: -1 }]),
  ]) {
    expect(readCart(junk)).toEqual([]);
  }
});
