import { queryClient, QueryClientProvider, session } from '@clinic/app-kit/host';
import type { MedicineRecord } from '@clinic/contracts';
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { createMemoryRouter, RouterProvider, useLocation } from 'react-router-dom';
import remote from '../module.tsx';
import { changeCart } from './cart-store.ts';

const user = { email: 'ann@mail.example', firstName: 'Ann', lastName: 'Lee', role: 'patient', emailVerified: true };

const record = (number: number, name: string, medicine: { quantity?: number; expiryDate?: string; status?: MedicineRecord['status'] } = {}): MedicineRecord => ({
  _id: { $oid: String(number).repeat(24) }, pharmacistEmail: 'p@clinic.example', addedDate: '2026-01-01', status: medicine.status ?? 'in stock',
  medicine: {
    medicineId: `MED-${number}`, name, manufacturer: 'Maker', unit: 'strip', expiryDate: medicine.expiryDate ?? '2999-01-01',
    quantity: { $numberInt: String(medicine.quantity ?? 40) }, pricePerUnit: { $numberDouble: '2.5' },
  },
});
const shelves = [
  record(1, 'Aspirin'), record(2, 'Ibuprofen', { quantity: 2, status: 'low stock' }), record(3, 'Loratadine', { quantity: 0, status: 'out of stock' }),
  record(4, 'Erythromycin', { expiryDate: '2020-01-01' }),
];

interface Sent {
  readonly key: string | null;
  readonly body: Record<string, unknown>;
}

/** Stands in for the gateway, and keeps the orders it is sent. */
function serve(signedIn: boolean, answerOrder: () => Response = () => Response.json({}, { status: 201 })): Sent[] {
  document.cookie = signedIn ? 'signed_in=1' : 'signed_in=; max-age=0';
  const sent: Sent[] = [];
  globalThis.fetch = async (input, init) => {
    const { pathname, searchParams } = new URL(input instanceof Request ? input.url : input, 'http://localhost');
    if (pathname === '/jwt/session') return Response.json({ user, expiresAt: '2100-01-01T00:00:00Z' });
    if (pathname.startsWith('/users/')) return Response.json({ ...user, _id: 'b'.repeat(24), phone: '', dateOfBirth: '1990-01-01' });
    if (pathname === '/medicine') {
      const q = searchParams.get('q')?.toLowerCase() ?? '';
      return Response.json(shelves.filter(({ medicine }) => medicine.name.toLowerCase().includes(q)));
    }
    if (pathname === '/orderMedi' && init?.method === 'POST') {
      sent.push({ key: new Headers(init.headers).get('idempotency-key'), body: (await new Response(init.body).json()) as Record<string, unknown> });
      return answerOrder();
    }
    throw new Error(`The test has no answer for ${pathname}`);
  };
  return sent;
}

function Login() {
  return <p>login, then back to {(useLocation().state as { from: string }).from}</p>;
}

async function open(): Promise<void> {
  await session.load();
  const routes = [...remote.createRoutes({ name: 'mf-pharmacy', baseUrl: '/' }), { path: '/login', element: <Login /> }];
  const router = createMemoryRouter(routes, { initialEntries: ['/medicinestore'] });
  render(<QueryClientProvider client={queryClient}><RouterProvider router={router} /></QueryClientProvider>);
  await screen.findByText('Aspirin');
}

const card = (name: string) => within(screen.getByRole('heading', { name }).closest('li') as HTMLElement);
const add = (name: string) => userEvent.click(card(name).getByRole('button', { name: 'Add to Cart' }));
const cart = () => within(screen.getByRole('complementary'));

async function fillAndOrder(): Promise<void> {
  await userEvent.type(screen.getByLabelText(/^Phone/), '+880 1555 010999');
  await userEvent.type(screen.getByLabelText(/^Address/), '5 Lake Road');
  fireEvent.click(screen.getByRole('button', { name: 'Place Order' }));
  fireEvent.click(screen.getByRole('button', { name: 'Place Order' }));
}

beforeAll(() => {
  const config = document.createElement('script');
  config.id = 'config';
  config.type = 'application/json';
  config.textContent = JSON.stringify({ demoMode: true, emulator: true, firebase: {}, clinicTimeZone: 'Asia/Dhaka' });
  document.head.append(config);
});
beforeEach(() => {
  queryClient.clear();
  changeCart(() => []);
  sessionStorage.clear();
});

test('only what is in or low in stock and not expired can be added', async () => {
  serve(false);
  await open();
  const enabled = (name: string) => !card(name).getByRole<HTMLButtonElement>('button', { name: 'Add to Cart' }).disabled;
  expect(['Aspirin', 'Ibuprofen', 'Loratadine', 'Erythromycin'].map(enabled)).toEqual([true, true, false, false]);
  expect(card('Erythromycin').getByText('Expired')).toBeTruthy();
  expect(card('Aspirin').getByText('$2.50')).toBeTruthy();
});

test('the cart counts up from one and stops at the stock, saying why', async () => {
  serve(false);
  await open();
  expect(screen.getByRole('heading', { name: 'Cart (0)' })).toBeTruthy();
  await add('Ibuprofen');
  await add('Ibuprofen');
  expect(screen.getByRole('heading', { name: 'Cart (1)' })).toBeTruthy();
  const more = cart().getByRole('button', { name: 'One Ibuprofen more' });
  await userEvent.click(more);
  expect(cart().getByText('That is all we have: 2 are left.')).toBeTruthy();
  await userEvent.click(more);
  expect(cart().getAllByText('$5.00')).toHaveLength(2);
  const less = cart().getByRole('button', { name: 'One Ibuprofen less' });
  for (let press = 0; press < 3; press += 1) await userEvent.click(less);
  expect(within(cart().getByRole('group', { name: 'Quantity of Ibuprofen' })).getByText('1')).toBeTruthy();
  await userEvent.click(cart().getByRole('button', { name: 'Remove Ibuprofen from the cart' }));
  expect(screen.getByRole('heading', { name: 'Cart (0)' })).toBeTruthy();
});

test('without a login the way to it is shown, and it leads back', async () => {
  serve(false);
  await open();
  await add('Aspirin');
  expect(screen.queryByRole('button', { name: 'Place Order' })).toBeNull();
  await userEvent.click(cart().getByRole('link', { name: 'Login Please To Order Medicine' }));
  expect(await screen.findByText('login, then back to /medicinestore')).toBeTruthy();
  expect(localStorage.getItem('pharmacy-cart')).toContain('Aspirin');
});

test('an order is sent once however often the button is pressed, and empties the cart', async () => {
  const sent = serve(true);
  await open();
  await add('Aspirin');
  await fillAndOrder();
  expect(await screen.findByText('order created')).toBeTruthy();
  expect(screen.getByRole('heading', { name: 'Cart (0)' })).toBeTruthy();
  expect(sent).toHaveLength(1);
  expect(sent[0]?.key).toBeTruthy();
  expect(sent[0]?.body).toMatchObject({
    customeremail: 'ann@mail.example', customerPhone: '+880 1555 010999', deliveryAddress: '5 Lake Road', status: 'pending',
    items: [{ medicineId: 'MED-1', name: 'Aspirin', quantity: 1, pricePerUnit: 2.5, unit: 'strip' }],
  });
});

test('an order that fails says at which lines and what is left, keeps the cart, and can be mended', async () => {
  const lines = [{ medicineId: 'MED-2', name: 'Ibuprofen', requested: 2, available: 1, reason: 'not enough' }];
  const answers = [
    () => Response.json({ type: '/problems/stock_short', title: 'Not everything can be delivered', status: 409, code: 'stock_short', lines }, { status: 409 }),
    () => Response.json({}, { status: 201 }),
  ];
  const sent = serve(true, () => (answers.shift() as () => Response)());
  await open();
  await add('Ibuprofen');
  await userEvent.click(cart().getByRole('button', { name: 'One Ibuprofen more' }));
  await fillAndOrder();
  expect(await cart().findByText('failed to book')).toBeTruthy();
  expect(cart().getByText('Only 1 left.')).toBeTruthy();
  expect(screen.getByRole('heading', { name: 'Cart (1)' })).toBeTruthy();
  await userEvent.click(cart().getByRole('button', { name: 'Order 1 instead' }));
  await userEvent.click(screen.getByRole('button', { name: 'Place Order' }));
  expect(await screen.findByText('order created')).toBeTruthy();
  expect(sent.map(({ body }) => (body['items'] as { quantity: number }[])[0]?.quantity)).toEqual([2, 1]);
  expect(sent[1]?.key).not.toBe(sent[0]?.key);
});

test('a lost answer is tried again with the same key', async () => {
  let answers = 0;
  const sent = serve(true, () => {
    answers += 1;
    if (answers === 1) throw new TypeError('connection reset');
    return Response.json({}, { status: 201 });
  });
  await open();
  await add('Aspirin');
  await fillAndOrder();
  expect(await cart().findByText('failed to book')).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Place Order' }));
  expect(await screen.findByText('order created')).toBeTruthy();
  expect(sent[1]).toEqual(sent[0]);
});

test('a search that finds nothing offers the way back', async () => {
  serve(false);
  await open();
  await userEvent.type(screen.getByRole('searchbox'), 'unobtainium');
  await waitFor(() => expect(screen.getByText('No medicine is called “unobtainium”')).toBeTruthy());
  await userEvent.click(screen.getByRole('button', { name: 'Show all medicines' }));
  expect(await screen.findByText('Aspirin')).toBeTruthy();
});
