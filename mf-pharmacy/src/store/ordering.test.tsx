import { problemResponse } from '@clinic/app-kit/test-gateway';
import { queryClient } from '@clinic/app-kit/host';
import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import {
  record,
  stocked,
  service,
  lost,
  ordered,
  openStore,
  add,
  cart,
  fillAndOrder,
  orderAgain,
} from './store-scenario.tsx';

test('an order is sent once however often the button is pressed, and empties the cart', async () => {
  const orders = await openStore('patient');
  await add('Aspirin');
  await fillAndOrder();
  expect(await screen.findByText('order created')).toBeTruthy();
  expect(screen.getByRole('heading', { name: 'Cart (0)' })).toBeTruthy();
  expect(orders()).toHaveLength(1);
  expect(orders()[0]?.key).toBeTruthy();
  expect(orders()[0]?.body).toMatchObject({
    customeremail: 'patient@clinic.example',
    customerPhone: '+880 1555 010999',
    deliveryAddress: '5 Lake Road',
    status: 'pending',
    items: [{ medicineId: 'MED-1', name: 'Aspirin', quantity: 1, pricePerUnit: 2.5, unit: 'strip' }],
  });
});

test('a failed order shows the affected lines and what is left, keeps the cart, and can be corrected', async () => {
  const lines = [{ medicineId: 'MED-2', name: 'Ibuprofen', requested: 2, available: 1, reason: 'not enough' }];
  const orders = await openStore('patient', () => problemResponse('stock_short', 409, { lines }), ordered);
  await add('Ibuprofen');
  await userEvent.click(cart().getByRole('button', { name: 'One Ibuprofen more' }));
  await fillAndOrder();
  expect(await cart().findByText('failed to book')).toBeTruthy();
  expect(cart().getByText('Only 1 strip left.')).toBeTruthy();
  expect(screen.getByRole('heading', { name: 'Cart (1)' })).toBeTruthy();
  await userEvent.click(cart().getByRole('button', { name: 'Order 1 instead' }));
  await orderAgain();
  expect(orders().map(({ body }) => (body['items'] as { quantity: number }[])[0]?.quantity)).toEqual([2, 1]);
  expect(orders()[1]?.key).not.toBe(orders()[0]?.key);
});

test('the cart stops at the limit per customer, and an order over it shows how many are left to them', async () => {
  service.catalogue = [{ ...record(1, 'Aspirin'), customerLimit: 3 }, ...stocked.slice(1)];
  const lines = [{ medicineId: 'MED-1', name: 'Aspirin', requested: 3, available: 2, reason: 'limit' }];
  const orders = await openStore('patient', () => problemResponse('stock_short', 409, { lines }), ordered);
  await add('Aspirin');
  const more = cart().getByRole('button', { name: 'One Aspirin more' });
  for (let press = 0; press < 4; press += 1) await userEvent.click(more);
  expect(cart().getByRole<HTMLInputElement>('textbox', { name: 'Quantity of Aspirin' }).value).toBe('3');
  expect(cart().getByText('3 strips is the most you can order at a time.')).toBeTruthy();
  await fillAndOrder();
  expect(await cart().findByText('You can order at most 2 strips at a time.')).toBeTruthy();
  await userEvent.click(cart().getByRole('button', { name: 'Order 2 instead' }));
  await orderAgain();
  expect(orders().map(({ body }) => (body['items'] as { quantity: number }[])[0]?.quantity)).toEqual([3, 2]);
});

test('shows the number after ordering, what happens next and how it is paid', async () => {
  await openStore('patient');
  await add('Aspirin');
  await fillAndOrder();
  await screen.findByText('order created');
  expect(cart().getByText('#57FCCA')).toBeTruthy();
  expect(cart().getByText('৳2.50 ($2.50 in the store)').closest('li')?.textContent).toBe(
    'You pay ৳2.50 ($2.50 in the store) in cash when we deliver. Nothing is charged online.',
  );
});

test('fills in telephone and address of the last order', async () => {
  service.lastOrders = [{ customerPhone: '+880 1555 444', deliveryAddress: '7 Rose Garden' }];
  await openStore('patient');
  await waitFor(() => expect(screen.getByLabelText<HTMLTextAreaElement>(/^Address/).value).toBe('7 Rose Garden'));
  expect(screen.getByLabelText<HTMLInputElement>(/^Phone/).value).toBe('+880 1555 444');
});

test('doesn’t take the address of an order that was collected at the counter', async () => {
  service.lastOrders = [
    { customerPhone: '+880 1555 444', deliveryAddress: 'Collected at our pharmacy counter', collected: true },
    { customerPhone: '+880 1555 444', deliveryAddress: '7 Rose Garden' },
  ];
  await openStore('patient');
  await waitFor(() => expect(screen.getByLabelText<HTMLTextAreaElement>(/^Address/).value).toBe('7 Rose Garden'));
});

test('a lost response is retried with the same key', async () => {
  const orders = await openStore('patient', lost, ordered);
  await add('Aspirin');
  await fillAndOrder();
  expect(await cart().findByText('We couldn’t confirm it')).toBeTruthy();
  expect(cart().queryByText('failed to book')).toBeNull();
  expect(JSON.stringify(sessionStorage)).not.toContain('5 Lake Road');
  await orderAgain();
  expect(orders()[1]).toEqual(orders()[0]);
});

const reprice = (price: string) => {
  service.catalogue = [record(1, 'Aspirin', { price }), ...stocked.slice(1)];
};
const refetch = () => act(() => queryClient.invalidateQueries({ queryKey: ['listMedicines'] }));

test('a new price in the cart is noticed although something else is on screen, and has to be accepted before ordering', async () => {
  const orders = await openStore('patient');
  await add('Aspirin');
  await userEvent.type(screen.getByRole('searchbox'), 'Ibuprofen');
  await waitFor(() => expect(screen.queryByRole('heading', { name: 'Aspirin' })).toBeNull());
  reprice('200.0');
  await refetch();
  expect(await cart().findByText('Aspirin: was $2.50, now $200.00 per strip')).toBeTruthy();
  expect(cart().getByText('The total is now $200.00.')).toBeTruthy();

  await fillAndOrder();
  expect(orders()).toEqual([]);
  await userEvent.click(cart().getByRole('button', { name: 'Accept the new price' }));
  expect(document.activeElement?.textContent).toBe('Total $200.00');
  await orderAgain();
  expect(orders().map(({ body }) => (body['items'] as { pricePerUnit: number }[])[0]?.pricePerUnit)).toEqual([200]);
});

test('an order rejected for its price shows old and new, and continues with the same key', async () => {
  const prices = [{ medicineId: 'MED-1', name: 'Aspirin', quantity: 1, seen: 2.5, now: 3 }];
  const rejected = () => {
    reprice('3.0');
    return problemResponse('price_changed', 409, { prices, total: 3 });
  };
  const orders = await openStore('patient', rejected, ordered);
  await add('Aspirin');
  await fillAndOrder();
  expect(await cart().findByText('failed to book')).toBeTruthy();
  expect(cart().getByText('Aspirin: was $2.50, now $3.00 per strip')).toBeTruthy();
  await userEvent.click(cart().getByRole('button', { name: 'Accept the new price' }));
  expect(cart().queryByText('failed to book')).toBeNull();
  await orderAgain();
  expect(orders().map(({ body }) => (body['items'] as { pricePerUnit: number }[])[0]?.pricePerUnit)).toEqual([2.5, 3]);
  expect(orders()[1]?.key).toBe(orders()[0]?.key);
});

test('after a lost response and a new price the order keeps its key', async () => {
  const repriced = () => {
    reprice('3.0');
    return lost();
  };
  const orders = await openStore('patient', repriced, ordered);
  await add('Aspirin');
  await fillAndOrder();
  await userEvent.click(await cart().findByRole('button', { name: 'Accept the new price' }));
  await orderAgain();
  expect(orders()).toHaveLength(2);
  expect(orders()[1]?.key).toBe(orders()[0]?.key);
});

const json = { status: 201, headers: { 'content-type': 'application/json' } };

test.each([
  ['no content', () => new Response(null, { status: 204 })],
  ['nothing', () => new Response('', { status: 201 })],
  ['an empty object', () => new Response('{}', json)],
  ['an empty list', () => new Response('[]', json)],
  ['null', () => new Response('null', json)],
])(
  'a response with %s is the specified failure, keeps the cart, and ordering again keeps the key',
  async (_, answer) => {
    const orders = await openStore('patient', answer, () => Response.json({ _id: 'f'.repeat(24) }, { status: 201 }));
    await add('Aspirin');
    await fillAndOrder();
    expect(await cart().findByText('failed to book')).toBeTruthy();
    expect(screen.queryByText('order created')).toBeNull();
    expect(screen.getByRole('heading', { name: 'Cart (1)' })).toBeTruthy();
    await orderAgain();
    expect(orders()).toHaveLength(2);
    expect(orders()[1]?.key).toBe(orders()[0]?.key);
  },
);
