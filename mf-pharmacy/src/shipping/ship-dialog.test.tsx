import { problemResponse } from '@clinic/app-kit/test-gateway';
import { queryClient } from '@clinic/app-kit/host';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { Order } from '@clinic/svc-pharmacy/contract/order-schemas';
import { openPage, serve } from '../testing/index.tsx';
import { orderLine } from '../testing/records.ts';

const order = (letter: string, more: Partial<Order> = {}): Order => ({
  _id: letter.repeat(24),
  status: 'pending',
  orderDate: '2026-11-20T20:30:00.000Z',
  deliveryAddress: '5 Lake Road',
  customeremail: 'ann@mail.example',
  customerPhone: '+880 1555 010400',
  recipientName: 'Ann Lee',
  items: [orderLine],
  ...more,
});

const atCounter = {
  deliveryAddress: 'Collected at our pharmacy counter',
  prescription: { date: '2026-01-15', prescriber: 'Dr. Sara Rahman' },
  collected: true,
} as const;

async function openShipping() {
  await openPage('/dash/orders');
  await userEvent.click(await screen.findByRole('button', { name: 'Ship pending orders' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Ship pending orders' }));
  const rows = await dialog.findAllByRole('listitem');
  const chosen = (): string[] =>
    dialog
      .getAllByRole('listitem')
      .filter((row) => within(row).getByRole<HTMLInputElement>('checkbox').checked)
      .map((row) => within(row).getByText(/^#/).textContent.trim());
  return { dialog, rows, chosen };
}

test('what is collected at the counter isn’t shipped unless somebody chooses it, and its slip says so', async () => {
  serve('pharmacist', () => Response.json([order('a'), order('b', atCounter), order('c', { unusual: true })]));
  const { dialog, rows, chosen } = await openShipping();
  expect(chosen()).toEqual(['#AAAAAA']);
  expect(within(rows[2] as HTMLElement).getByText('Collected at the counter')).toBeTruthy();
  expect(dialog.getByRole('button', { name: 'Ship 1 order' })).toBeTruthy();
  await userEvent.click(within(rows[2] as HTMLElement).getByRole('checkbox'));
  const printed: string[] = [];
  globalThis.print = () => printed.push(document.querySelector('[data-print]')?.textContent ?? '');
  await userEvent.click(dialog.getByRole('button', { name: 'Print packing slips' }));
  expect(printed).toHaveLength(1);
  expect(printed[0]).toMatch(/Deliver to\s*Ann Lee\s*5 Lake Road.*For\s*Ann Lee\s*Collected at our pharmacy counter/s);
  expect(printed[0]).toContain('Collect in cash: ৳0.30 ($0.30 in the store)');
  act(() => void dispatchEvent(new Event('afterprint')));
  expect(document.querySelector('[data-print]')).toBeNull();
});

/** Orders as the service lists them: oldest first. */
const waiting = (count: number): Order[] =>
  Array.from({ length: count }, (_, index) => order('a', { _id: (index + 1).toString(16).padStart(24, '0') }));

test('what arrives, or moves up in the list, while others are packed isn’t shipped with them', async () => {
  const pending = waiting(60);
  const sent = serve('pharmacist', () => Response.json(pending));
  const { dialog, rows, chosen } = await openShipping();
  expect(rows).toHaveLength(50);
  expect(within(rows[0] as HTMLElement).getByText('#000001')).toBeTruthy();
  expect(dialog.getByText('All 50 (10 more are waiting)')).toBeTruthy();
  expect(sent.some(({ query }) => query.get('sort') === 'oldest' && query.get('status') === 'pending')).toBe(true);
  const packed = chosen();
  expect(packed).toHaveLength(50);
  pending.splice(3, 2);
  pending.push(order('f'));
  await act(() => queryClient.invalidateQueries({ queryKey: ['listOrders'] }));
  expect(await dialog.findByRole('button', { name: 'Ship 48 orders' })).toBeTruthy();
  expect(dialog.getByText('All 50 (9 more are waiting)')).toBeTruthy();
  expect(chosen()).toEqual(packed.filter((number) => number !== '#000004' && number !== '#000005'));
});

test('of those that weren’t shipped only they stay chosen, nothing that nobody packed', async () => {
  let pending = waiting(60);
  const sent = serve('pharmacist', ({ method, path }) => {
    if (method !== 'PATCH') return Response.json(pending);
    const id = path.slice(-24);
    if (id.endsWith('07')) return problemResponse('unavailable', 503, { title: 'No' });
    pending = pending.filter(({ _id }) => _id !== id);
    return Response.json(order('a', { _id: id, status: 'Shipped' }));
  });
  const { dialog, chosen } = await openShipping();
  await userEvent.click(dialog.getByRole('button', { name: 'Ship 50 orders' }));
  await userEvent.click(await dialog.findByRole('button', { name: 'Ship 1 order' }));
  await waitFor(() => expect(sent.filter(({ method }) => method === 'PATCH')).toHaveLength(51));
  expect(chosen()).toEqual(['#000007']);
});

test('says how many more wait, also if nobody has counted them', async () => {
  let total: Record<string, string> = { 'X-Total-Count': '231' };
  serve('pharmacist', () => Response.json(waiting(1), { headers: total }));
  const { dialog } = await openShipping();
  expect(dialog.getByText('All 1 (230 more are waiting)')).toBeTruthy();
  total = { 'X-Total-Count': '10000', 'X-Total-Count-Relation': 'gte' };
  await act(() => queryClient.invalidateQueries({ queryKey: ['listOrders'] }));
  expect(await dialog.findByText('All 1 (more are waiting)')).toBeTruthy();
});

test('says of which order nobody knows, and the list has what still waits', async () => {
  const pending = [order('a'), order('b')];
  serve('pharmacist', ({ method, path }) => {
    if (method !== 'PATCH') return Response.json(pending);
    if (path.endsWith('a')) return problemResponse('transition_refused', 409, { title: 'No' });
    pending.pop();
    throw new TypeError('The connection was lost');
  });
  const { dialog } = await openShipping();
  await userEvent.click(dialog.getByRole('button', { name: 'Ship 2 orders' }));
  expect(await dialog.findByText('1 order wasn’t shipped')).toBeTruthy();
  expect(dialog.getByText('We couldn’t confirm an order')).toBeTruthy();
  expect(dialog.getAllByRole('listitem')).toHaveLength(1);
});

test('each order is shipped as it was seen, and one that has changed stays with the reason', async () => {
  const sent = serve('pharmacist', ({ method, path }) => {
    if (method !== 'PATCH') return Response.json([order('a'), order('b')]);
    if (path.endsWith('a')) return Response.json(order('a', { status: 'Shipped' }));
    const title = 'This change isn’t possible';
    return problemResponse('transition_refused', 409, { title, detail: 'It was changed from pending to Cancelled.' });
  });
  const { dialog } = await openShipping();
  await userEvent.click(dialog.getByRole('button', { name: 'Ship 2 orders' }));
  expect(await dialog.findByText(/It was changed from pending to Cancelled\./)).toBeTruthy();
  expect(sent.filter(({ method }) => method === 'PATCH').map(({ body }) => body)).toEqual([
    { newStatus: 'Shipped', seen: { status: 'pending' } },
    { newStatus: 'Shipped', seen: { status: 'pending' } },
  ]);
});
