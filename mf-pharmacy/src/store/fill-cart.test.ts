import type { OrderItem } from '@clinic/svc-pharmacy/contract/order-schemas';
import { addToCart, setQuantity, type Cart } from './cart.ts';
import { fillCart, takeOut } from './fill-cart.ts';
import { readMedicine } from '../medicines/medicine.ts';
import { wireMedicine } from '../testing/records.ts';

const record = (medicineId: string, quantity: number, expiryDate = '2030-01-01') =>
  wireMedicine({ medicineId, quantity, expiryDate, status: quantity > 0 ? 'in stock' : 'out of stock', price: '3.0' });
const item = (medicineId: string, quantity: number): OrderItem => ({
  medicineId,
  name: `Then ${medicineId}`,
  manufacturer: '',
  quantity,
  unit: 'box',
  pricePerUnit: 1,
  expiryDate: '2027-01-01',
});
const inCart = (cart: Cart) => cart.map(({ medicineId, quantity, priceMinor }) => [medicineId, quantity, priceMinor]);

test('what is available is added at today’s price, the rest is listed with its reason', () => {
  const items = ['A', 'B', 'C', 'D', 'E'].map((id) => item(id, 4));
  const { cart, missing, found } = fillCart(
    [],
    items,
    [record('A', 9), record('B', 3), record('C', 0), record('D', 9, '2026-11-20')],
    '2026-11-21',
  );
  expect(inCart(cart)).toEqual([
    ['A', 4, 300],
    ['B', 3, 300],
  ]);
  expect(found).toBe(2);
  expect(missing.map(({ name, reason }) => [name, reason])).toEqual([
    ['Then B', 'Only 3 of 4 left'],
    ['Then C', 'Out of stock'],
    ['Then D', 'Expired'],
    ['Then E', 'No longer sold'],
  ]);
});

test('items already in the cart stay, and their quantity never drops', () => {
  const cart = setQuantity(
    addToCart(addToCart([], readMedicine(record('A', 9))), readMedicine(record('Z', 9))),
    'A',
    6,
  );
  expect(inCart(fillCart(cart, [item('A', 2)], [record('A', 8)], '2026-11-21').cart)).toEqual([
    ['A', 6, 300],
    ['Z', 1, 300],
  ]);
  expect(inCart(fillCart(cart, [item('A', 20)], [record('A', 8)], '2026-11-21').cart)).toEqual([
    ['A', 8, 300],
    ['Z', 1, 300],
  ]);
});

test('a quantity over the limit per customer is reported, and the allowed quantity is in the cart', () => {
  const { cart, missing } = fillCart([], [item('A', 20)], [{ ...record('A', 50), customerLimit: 6 }], '2026-11-21');
  expect(inCart(cart)).toEqual([['A', 6, 300]]);
  expect(missing.map(({ reason }) => reason)).toEqual(['At most 6 at a time']);
});

test('taken out again, what was in the cart before keeps its former quantity, and what was added since stays', () => {
  const before = setQuantity(addToCart([], readMedicine(record('A', 9))), 'A', 2);
  const items = [item('A', 6), item('B', 1)];
  const { cart } = fillCart(before, items, [record('A', 9), record('B', 3)], '2026-11-21');
  expect(inCart(cart)).toEqual([
    ['A', 6, 300],
    ['B', 1, 300],
  ]);
  const later = addToCart(cart, readMedicine(record('Z', 9)));
  expect(inCart(takeOut(later, items, before))).toEqual([
    ['A', 2, 300],
    ['Z', 1, 300],
  ]);
});
