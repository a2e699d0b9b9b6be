import { problemResponse } from '@clinic/app-kit/test-gateway';
import { queryClient } from '@clinic/app-kit/host';
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import {} from '../testing/index.tsx';
import { record, stocked, service, ordered, serveStore, open, add, cart, fillAndOrder } from './store-scenario.tsx';

test('an order is sent once however often the button is pressed, and empties the cart', async () => {
  const orders = serveStore('patient');
  await open();
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
  const answers = [() => problemResponse('stock_short', 409, { lines }), () => ordered()];
  const orders = serveStore('patient', () => (answers.shift() as () => Response)());
  await open();
  await add('Ibuprofen');
  await userEvent.click(cart().getByRole('button', { name: 'One Ibuprofen more' }));
  await fillAndOrder();
  expect(await cart().findByText('failed to book')).toBeTruthy();
  expect(cart().getByText('Only 1 strip left.')).toBeTruthy();
  expect(screen.getByRole('heading', { name: 'Cart (1)' })).toBeTruthy();
  await userEvent.click(cart().getByRole('button', { name: 'Order 1 instead' }));
  await userEvent.click(screen.getByRole('button', { name: 'Place Order' }));
  expect(await screen.findByText('order created')).toBeTruthy();
  expect(orders().map(({ body }) => (body['items'] as { quantity: number }[])[0]?.quantity)).toEqual([2, 1]);
  expect(orders()[1]?.key).not.toBe(orders()[0]?.key);
});

test('the cart stops at the limit per customer, and an order over it shows how many are left to them', async () => {
  service.catalogue = [{ ...record(1, 'Aspirin'), customerLimit: 3 }, ...stocked.slice(1)];
  const lines = [{ medicineId: 'MED-1', name: 'Aspirin', requested: 3, available: 2, reason: 'limit' }];
  const answers = [() => problemResponse('stock_short', 409, { lines }), () => ordered()];
  const orders = serveStore('patient', () => (answers.shift() as () => Response)());
  await open();
  await add('Aspirin');
  const more = cart().getByRole('button', { name: 'One Aspirin more' });
  for (let press = 0; press < 4; press += 1) await userEvent.click(more);
  expect(cart().getByRole<HTMLInputElement>('textbox', { name: 'Quantity of Aspirin' }).value).toBe('3');
  expect(cart().getByText('3 strips is the most you can order at a time.')).toBeTruthy();
  await fillAndOrder();
  expect(await cart().findByText('You can order at most 2 strips at a time.')).toBeTruthy();
  await userEvent.click(cart().getByRole('button', { name: 'Order 2 instead' }));
  await userEvent.click(screen.getByRole('button', { name: 'Place Order' }));
  expect(await screen.findByText('order created')).toBeTruthy();
  expect(orders().map(({ body }) => (body['items'] as { quantity: number }[])[0]?.quantity)).toEqual([3, 2]);
});

test('shows the number after ordering, what happens next and how it is paid', async () => {
  serveStore('patient');
  await open();
  await add('Aspirin');
  await fillAndOrder();
  await screen.findByText('order created');
  expect(cart().getByText('#57FCCA')).toBeTruthy();
  expect(cart().getByText('You pay $2.50 in cash when we deliver. Nothing is charged online.')).toBeTruthy();
});

test('an empty answer is the specified failure, and keeps the cart', async () => {
  for (const nothing of ['', '{}', '[]', 'null']) {
    serveStore(
      'patient',
      () => new Response(nothing, { status: 201, headers: { 'content-type': 'application/json' } }),
    );
    await open();
    if (screen.queryByRole('heading', { name: 'Cart (0)' })) await add('Aspirin');
    fireEvent.change(screen.getByLabelText(/^Phone/), { target: { value: '+880 1555' } });
    fireEvent.change(screen.getByLabelText(/^Address/), { target: { value: '5 Lake Road' } });
    await userEvent.click(screen.getByRole('button', { name: 'Place Order' }));
    expect(await cart().findByText('failed to book')).toBeTruthy();
    expect(screen.queryByText('order created')).toBeNull();
    expect(screen.getByRole('heading', { name: 'Cart (1)' })).toBeTruthy();
    cleanup();
  }
});

test('fills in telephone and address of the last order', async () => {
  service.lastOrders = [{ customerPhone: '+880 1555 444', deliveryAddress: '7 Rose Garden' }];
  serveStore('patient');
  await open();
  await waitFor(() => expect(screen.getByLabelText<HTMLTextAreaElement>(/^Address/).value).toBe('7 Rose Garden'));
  expect(screen.getByLabelText<HTMLInputElement>(/^Phone/).value).toBe('+880 1555 444');
});

test('a lost response is retried with the same key', async () => {
  let answers = 0;
  const orders = serveStore('patient', () => {
    answers += 1;
    if (answers === 1) throw new TypeError('connection reset');
    return ordered();
  });
  await open();
  await add('Aspirin');
  await fillAndOrder();
  expect(await cart().findByText('failed to book')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Place Order' }));
  expect(await screen.findByText('order created')).toBeTruthy();
  expect(orders()[1]).toEqual(orders()[0]);
});

const reprice = (price: string) => {
  service.catalogue = [record(1, 'Aspirin', { price }), ...stocked.slice(1)];
};
const refetch = () => act(() => queryClient.invalidateQueries({ queryKey: ['listMedicines'] }));

test('a new price in the cart is noticed although something else is on screen, and has to be accepted before ordering', async () => {
  const orders = serveStore('patient');
  await open();
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
  await userEvent.click(screen.getByRole('button', { name: 'Place Order' }));
  expect(await screen.findByText('order created')).toBeTruthy();
  expect(orders().map(({ body }) => (body['items'] as { pricePerUnit: number }[])[0]?.pricePerUnit)).toEqual([200]);
});

test('an order rejected for its price shows old and new, and continues with the same key', async () => {
  const prices = [{ medicineId: 'MED-1', name: 'Aspirin', quantity: 1, seen: 2.5, now: 3 }];
  const answers = [
    () => {
      reprice('3.0');
      return problemResponse('price_changed', 409, { prices, total: 3 });
    },
    () => ordered(),
  ];
  const orders = serveStore('patient', () => (answers.shift() as () => Response)());
  await open();
  await add('Aspirin');
  await fillAndOrder();
  expect(await cart().findByText('failed to book')).toBeTruthy();
  expect(cart().getByText('Aspirin: was $2.50, now $3.00 per strip')).toBeTruthy();
  await userEvent.click(cart().getByRole('button', { name: 'Accept the new price' }));
  expect(cart().queryByText('failed to book')).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Place Order' }));
  expect(await screen.findByText('order created')).toBeTruthy();
  expect(orders().map(({ body }) => (body['items'] as { pricePerUnit: number }[])[0]?.pricePerUnit)).toEqual([2.5, 3]);
  expect(orders()[1]?.key).toBe(orders()[0]?.key);
});

test('after a lost response and a new price the order keeps its key', async () => {
  let answers = 0;
  const orders = serveStore('patient', () => {
    answers += 1;
    reprice('3.0');
    if (answers === 1) throw new TypeError('connection reset');
    return ordered();
  });
  await open();
  await add('Aspirin');
  await fillAndOrder();
  await userEvent.click(await cart().findByRole('button', { name: 'Accept the new price' }));
  await userEvent.click(screen.getByRole('button', { name: 'Place Order' }));
  expect(await screen.findByText('order created')).toBeTruthy();
  expect(orders()).toHaveLength(2);
  expect(orders()[1]?.key).toBe(orders()[0]?.key);
});

/** Somebody else uses this browser. @param role - `undefined` if nobody is logged in */

test.each([
  ['no content', () => new Response(null, { status: 204 })],
  ['nothing', () => new Response('', { status: 201 })],
  ['null', () => Response.json(null, { status: 201 })],
])('a response with %s is a failure, and ordering again keeps the key', async (_, empty) => {
  const answers = [empty, () => Response.json({ _id: 'f'.repeat(24) }, { status: 201 })];
  const orders = serveStore('patient', () => (answers.shift() as () => Response)());
  await open();
  await add('Aspirin');
  await fillAndOrder();
  expect(await cart().findByText('failed to book')).toBeTruthy();
  expect(screen.queryByText('order created')).toBeNull();
  expect(screen.getByRole('heading', { name: 'Cart (1)' })).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Place Order' }));
  expect(await screen.findByText('order created')).toBeTruthy();
  expect(orders()).toHaveLength(2);
  expect(orders()[1]?.key).toBe(orders()[0]?.key);
});
