import { describeActor, describeEntry } from './describe-entry.ts';

const entry = (action: string, before: Record<string, unknown> | null, after: Record<string, unknown>) =>
  describeEntry({ at: '2026-11-21T00:00:00.000Z', action, before, after });

test('says what happened in plain words', () => {
  expect(entry('placed', null, { status: 'pending' })).toBe('Ordered');
  expect(entry('status changed', { status: 'pending' }, { status: 'Shipped' })).toBe('pending → Shipped');
  expect(entry('expired', { status: 'pending' }, { status: 'Cancelled' })).toBe('Cancelled: not sent in time');
  expect(entry('ordered', { quantity: 1200 }, { quantity: 1197, orderId: '65f0000000000000004f09a1' })).toBe(
    'Order #4F09A1: −3, now 1,197',
  );
  expect(entry('order cancelled', { quantity: 7 }, { quantity: 10, orderId: '65f0000000000000004f09a1' })).toBe(
    'Order #4F09A1 cancelled: +3, now 10',
  );
  expect(
    entry('order cancelled', { quantity: 7 }, { quantity: 10, orderId: '65f0000000000000004f09a1', surplus: 4 }),
  ).toBe('Order #4F09A1 cancelled: +3, now 10, 4 more not counted');
  expect(entry('restocked', { quantity: 0 }, { quantity: 30 })).toBe('Restocked: +30, now 30');
  expect(entry('edited', { pricePerUnit: 2, name: 'A' }, { pricePerUnit: 2.5, name: 'B' })).toBe(
    'Edited: Price $2.00 → $2.50, Name “A” → “B”',
  );
  expect(entry('edited', { maxPerCustomer: null }, { maxPerCustomer: 40 })).toBe(
    'Edited: Most per customer the usual limit → 40',
  );
  expect(entry('recalled', null, {})).toBe('recalled');
});

test('says who did it, if the reader may know', () => {
  const by = (actor: Parameters<typeof describeActor>[0]['actor']) =>
    describeActor({ at: '', action: '', before: null, after: {}, actor });
  expect([
    by({ role: 'pharmacist', email: 'p@clinic.example' }),
    by({ role: 'pharmacist' }),
    by({ role: 'patient' }),
    by(undefined),
  ]).toEqual(['p@clinic.example', 'the pharmacy', 'the customer', undefined]);
});
