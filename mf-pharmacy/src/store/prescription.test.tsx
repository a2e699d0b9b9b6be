import { problemResponse } from '@clinic/app-kit/test-gateway';
import { screen, within } from '@testing-library/react';
import type { Order, OrderItem } from '@clinic/svc-pharmacy/contract/order-schemas';
import { fillCart } from './fill-cart.ts';
import { record } from './store-scenario.tsx';
import { addToCart, noteCounterOnly, refreshCart } from './cart.ts';
import { readMedicine } from '../medicines/medicine.ts';
import { openPage, serve } from '../testing/index.tsx';

const sentence = 'Needs a prescription: bring it to our pharmacy counter';
const antibiotic = record(1, 'Amoxicillin', { prescriptionOnly: true });
const item: OrderItem = { ...readMedicine(record(1, 'Amoxicillin')), pricePerUnit: 2.5, quantity: 1 };

test('the store shows a prescription-only medicine in a patient’s words, and doesn’t sell it', async () => {
  serve(undefined, () => Response.json([antibiotic]));
  await openPage('/medicinestore');
  const card = within((await screen.findByRole('heading', { name: 'Amoxicillin' })).closest('li') as HTMLElement);
  expect(card.getByText(sentence)).toBeTruthy();
  expect(card.getByRole<HTMLButtonElement>('button', { name: 'Add to Cart: Amoxicillin' }).disabled).toBe(true);
});

test('“order again” says that it needs a prescription, and that an archived one is no longer sold', () => {
  const result = fillCart([], [item, { ...item, medicineId: 'MED-2', name: 'Gone' }], [antibiotic], '2026-11-22');
  expect(result.missing.map(({ name, reason }) => [name, reason])).toEqual([
    ['Amoxicillin', sentence],
    ['Gone', 'No longer sold'],
  ]);
});

test('a flag that is set while the medicine stands in a cart is noticed, from the catalogue or from the rejection', () => {
  const cart = addToCart([], readMedicine(record(1, 'Amoxicillin')));
  expect(cart[0]?.prescriptionOnly).toBeUndefined();
  const flagged = refreshCart(cart, [antibiotic]);
  expect(flagged[0]?.prescriptionOnly).toBe(true);
  expect(refreshCart(flagged, [record(1, 'Amoxicillin')])[0]?.prescriptionOnly).toBe(false);
  expect(noteCounterOnly(cart, ['MED-1'])[0]?.prescriptionOnly).toBe(true);
});

test('an order list names the prescription', async () => {
  const order: Order = {
    _id: 'a'.repeat(24),
    items: [item],
    orderDate: '2026-11-20T20:30:00.000Z',
    status: 'pending',
    deliveryAddress: 'Collected at our pharmacy counter',
    customeremail: 'patient@clinic.example',
    customerPhone: '1',
    prescription: { date: '2026-01-15', prescriber: 'Dr. Sara Rahman' },
  };
  serve('patient', ({ path }) => (path === '/orderMedi' ? Response.json([order]) : problemResponse('not_found', 404)));
  await openPage('/dash/myorders');
  expect((await screen.findAllByText('Prescription of Jan 15, 2026 by Dr. Sara Rahman')).length).toBeGreaterThan(0);
});
