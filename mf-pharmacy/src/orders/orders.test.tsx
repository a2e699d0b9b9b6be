import { pretendItIs } from '@clinic/app-kit/test-clock';
import { problemResponse } from '@clinic/app-kit/test-gateway';
import type { Order } from '@clinic/svc-pharmacy/contract/order-schemas';
import type { OrderStatus } from '@clinic/svc-pharmacy/contract/transitions';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { openPage, serve } from '../testing/index.tsx';
import { orderLine } from '../testing/records.ts';

const order = (digit: string, status: OrderStatus, customeremail = 'patient@clinic.example'): Order => ({
  _id: digit.repeat(24),
  status,
  customeremail,
  deliveryAddress: '5 Lake Road',
  customerPhone: '+880 1555 010999',
  orderDate: '2026-11-20T20:30:00.000Z',
  items: [orderLine],
});
const rowOf = (number: string) => within(screen.getByText(number).closest('tr') as HTMLElement);
const choices = (number: string) =>
  rowOf(number)
    .getAllByRole('option')
    .map(({ textContent }) => textContent);

test('staff see every order with its total in taka, by the clinic’s clock, and are offered what the transition table allows', async () => {
  serve('pharmacist', () =>
    Response.json([order('a', 'pending'), order('b', 'Shipped'), order('c', 'Delivered'), order('d', 'Cancelled')]),
  );
  await openPage('/dash/orders');
  await screen.findByText('#AAAAAA');
  await waitFor(() => expect(choices('#AAAAAA')).toEqual(['pending', 'Shipped', 'Delivered', 'Cancelled']));
  expect(choices('#BBBBBB')).toEqual(['Shipped', 'Delivered', 'Cancelled']);
  for (const number of ['#CCCCCC', '#DDDDDD'])
    expect(rowOf(number).getByRole<HTMLSelectElement>('combobox').disabled).toBe(true);
  expect(rowOf('#AAAAAA').getByText('৳0.30')).toBeTruthy();
  expect(rowOf('#AAAAAA').getByText(/^Nov 21, 2026, 2:30\sAM$/)).toBeTruthy();
});

test('a new status is sent and the list reloaded; cancelling asks first', async () => {
  const stored = [order('a', 'pending')];
  const sent = serve('admin', ({ method, body }) => {
    if (method !== 'PATCH') return Response.json(stored);
    stored[0] = { ...(stored[0] as Order), status: body['newStatus'] as OrderStatus };
    return Response.json(stored[0]);
  });
  await openPage('/dash/orders');
  await screen.findByText('#AAAAAA');
  await waitFor(() => expect(choices('#AAAAAA')).toHaveLength(4));
  await userEvent.selectOptions(rowOf('#AAAAAA').getByRole('combobox'), 'Shipped');
  await waitFor(() => expect(choices('#AAAAAA')).toEqual(['Shipped', 'Delivered', 'Cancelled']));
  await userEvent.selectOptions(rowOf('#AAAAAA').getByRole('combobox'), 'Cancelled');
  expect(sent.filter(({ method }) => method === 'PATCH').map(({ body }) => body)).toEqual([
    { newStatus: 'Shipped', seen: { status: 'pending' } },
  ]);
  await userEvent.click(screen.getByRole('button', { name: 'Yes, cancel order' }));
  await waitFor(() => expect(rowOf('#AAAAAA').getByRole<HTMLSelectElement>('combobox').disabled).toBe(true));
  expect(sent.filter(({ method }) => method === 'PATCH').map(({ path, body }) => [path, body['newStatus']])).toEqual([
    [`/orderMedi/${'a'.repeat(24)}`, 'Shipped'],
    [`/orderMedi/${'a'.repeat(24)}`, 'Cancelled'],
  ]);
});

test('customers see the status of their orders on wide screens, and can cancel while pending', async () => {
  const sent = serve('patient', () =>
    Response.json([order('a', 'pending'), order('b', 'Shipped'), order('c', 'Delivered')]),
  );
  await openPage('/dash/myorders');
  await screen.findByText('#AAAAAA');
  expect(sent[0]?.query.get('email')).toBe('patient@clinic.example');
  expect(screen.queryAllByRole('combobox', { name: /Status of order/ })).toEqual([]);
  expect(rowOf('#AAAAAA').getByRole('button', { name: 'Cancel order #AAAAAA' })).toBeTruthy();
  expect(rowOf('#BBBBBB').getByRole('button', { name: 'Mark as received: order #BBBBBB' })).toBeTruthy();
  expect(
    rowOf('#CCCCCC')
      .getAllByRole('button')
      .map((button) => button.textContent),
  ).toEqual(['Order again', 'History']);
});

test('a failure is shown and can be retried; without orders the page links to the store', async () => {
  let rejecting = true;
  serve('patient', () => (rejecting ? problemResponse('forbidden', 403, { detail: 'Not now' }) : Response.json([])));
  await openPage('/dash/myorders');
  expect(await screen.findByText('Error loading orders')).toBeTruthy();
  rejecting = false;
  await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByText('You haven’t ordered anything yet')).toBeTruthy();
  expect(screen.getAllByRole('link', { name: 'Order medicines' })[0]?.getAttribute('href')).toBe('/medicinestore');
});

test('orders are filtered by number, customer and period, in the address', async () => {
  pretendItIs('2026-11-30T17:59:50Z');
  const sent = serve('pharmacist', () => Response.json([]));
  await openPage('/dash/orders?q=%23AAAAAA&status=Shipped&days=7&unusual=true');
  expect(await screen.findByText('No orders match')).toBeTruthy();
  const query = sent[0]?.query;
  expect([query?.get('q'), query?.get('status'), query?.get('unusual')]).toEqual(['#AAAAAA', 'Shipped', 'true']);
  expect(sent.filter(({ path }) => path === '/orderMedi')).toHaveLength(1);
  expect(query?.get('from')).toBe('2026-11-24');
});

test('unusual pending orders come first and are marked; customers see until when theirs is held', async () => {
  const unusual = { ...order('c', 'pending'), unusual: true as const };
  const held = { ...order('a', 'pending'), heldUntil: '2026-11-23T20:30:00.000Z' };
  serve('pharmacist', ({ query }) =>
    Response.json(query.get('unusual') ? [unusual] : [held, order('b', 'Shipped'), unusual]),
  );
  await openPage('/dash/orders');
  await waitFor(() =>
    expect(screen.getAllByText(/^#[A-F]{6}$/).map(({ textContent }) => textContent)).toEqual([
      '#CCCCCC',
      '#AAAAAA',
      '#BBBBBB',
    ]),
  );
  expect(rowOf('#CCCCCC').getByText('Unusually large')).toBeTruthy();
  expect(screen.getAllByText('Unusually large')).toHaveLength(2);
  expect(rowOf('#AAAAAA').getByText(/^Send by Nov 24, 2026, 2:30\sAM$/)).toBeTruthy();
  cleanup();

  serve('patient', () => Response.json([held, unusual]));
  await openPage('/dash/myorders');
  await screen.findByText('#AAAAAA');
  expect(rowOf('#AAAAAA').getByText(/^Held until Nov 24, 2026, 2:30\sAM$/)).toBeTruthy();
  expect(screen.queryByText('Unusually large')).toBeNull();
});

test('an earlier service that ignores the filter puts nothing first', async () => {
  serve('pharmacist', ({ query }) =>
    Response.json(
      query.get('limit') === '10' ? [order('b', 'pending')] : [order('a', 'pending'), order('b', 'pending')],
    ),
  );
  await openPage('/dash/orders');
  await waitFor(() =>
    expect(screen.getAllByText(/^#[A-F]{6}$/).map(({ textContent }) => textContent)).toEqual(['#AAAAAA', '#BBBBBB']),
  );
});

test('an order says who gets it, in the list, the dialog and on the slip with what to collect; an earlier one shows its email', async () => {
  const named = { ...order('a', 'pending'), recipientName: 'Nadia Rahman' };
  const print = jest.spyOn(globalThis, 'print').mockImplementation();
  serve('pharmacist', () => Response.json([named, order('b', 'pending')]));
  await openPage('/dash/orders');
  await screen.findByText('#AAAAAA');
  expect(rowOf('#AAAAAA').getByText('Nadia Rahman')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Ship pending orders' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Ship pending orders' }));
  const lines = (await dialog.findAllByText(/patient@|Nadia/)).map(({ textContent }) => textContent);
  expect(lines.some((text) => text.startsWith('Nadia Rahman, '))).toBe(true);
  await userEvent.click(dialog.getByRole('button', { name: 'Print packing slips' }));
  expect(print).toHaveBeenCalled();
});

test('My Orders says where prices are in dollars and where in taka, and nothing of a demo', async () => {
  serve('patient', () => Response.json([order('a', 'pending')]));
  await openPage('/dash/myorders');
  await screen.findByText('#AAAAAA');
  expect(document.body.textContent).toContain(
    'You pay in cash when we deliver. Prices are in $ in the store and in ৳ on orders.',
  );
  expect(document.body.textContent).not.toMatch(/demo/i);
});
