import type { Medicine as WireMedicine, Role } from '@clinic/contracts';
import { queryClient } from '@clinic/app-kit/host';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useLocation } from 'react-router-dom';
import { notTheClock, openPage, problem, serve, type Sent } from '../testing/index.tsx';
import { forgetDraft } from './delivery-draft.ts';

const record = (
  number: number,
  name: string,
  medicine: { quantity?: number; expiryDate?: string; status?: WireMedicine['status']; price?: string } = {},
): WireMedicine => ({
  _id: { $oid: String(number).repeat(24) },
  pharmacistEmail: 'p@clinic.example',
  addedDate: '2026-01-01',
  status: medicine.status ?? 'in stock',
  medicine: {
    medicineId: `MED-${number}`,
    name,
    manufacturer: 'Maker',
    unit: 'strip',
    expiryDate: medicine.expiryDate ?? '2999-01-01',
    quantity: { $numberInt: String(medicine.quantity ?? 40) },
    pricePerUnit: { $numberDouble: medicine.price ?? '2.5' },
  },
});
const stocked = [
  record(1, 'Aspirin'),
  record(2, 'Ibuprofen', { quantity: 2, status: 'low stock' }),
  record(3, 'Loratadine', { quantity: 0, status: 'out of stock' }),
  record(4, 'Erythromycin', { expiryDate: '2020-01-01' }),
];
let catalogue = stocked;
let lastOrders: readonly object[] = [];

/** The service's answer to an order. */
const ordered = () =>
  Response.json(
    {
      _id: `${'0'.repeat(18)}57fcca`,
      items: [{ medicineId: 'MED-1', name: 'Aspirin', quantity: 2, unit: 'strip', pricePerUnit: 2.5 }],
      orderDate: '2026-11-22T10:00:00Z',
      status: 'pending',
      deliveryAddress: '5 Lake Road',
      customeremail: 'patient@clinic.example',
      customerPhone: '+880 1555 010999',
    },
    { status: 201 },
  );

function serveShelves(role: Role | undefined, answerOrder: () => Response = ordered): () => Sent[] {
  const sent = serve(role, ({ method, path, query }) => {
    if (method === 'POST') return answerOrder();
    if (path !== '/medicine') return Response.json(path === '/orderMedi' ? lastOrders : []);
    const q = query.get('q')?.toLowerCase() ?? '';
    const ids = query.get('medicineIds')?.split(',');
    return Response.json(
      catalogue.filter(({ medicine }) =>
        ids ? ids.includes(medicine.medicineId) : medicine.name.toLowerCase().includes(q),
      ),
    );
  });
  return () => sent.filter(({ method }) => method === 'POST');
}

function Login() {
  return <p>login, then back to {(useLocation().state as { from: string }).from}</p>;
}

async function open(): Promise<void> {
  await openPage('/medicinestore', [{ path: '/login', element: <Login /> }]);
  // On first load the screen's code is compiled.
  await screen.findByRole('heading', { name: 'Aspirin' }, { timeout: 15_000 });
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

beforeEach(() => {
  catalogue = stocked;
  lastOrders = [];
  localStorage.clear();
  forgetDraft('patient@clinic.example');
  sessionStorage.clear();
});

afterEach(() => jest.useRealTimers());

test('only medicines in or low in stock and not expired can be added', async () => {
  serveShelves(undefined);
  await open();
  const enabled = (name: string) =>
    !card(name).getByRole<HTMLButtonElement>('button', { name: 'Add to Cart' }).disabled;
  expect(['Aspirin', 'Ibuprofen', 'Loratadine', 'Erythromycin'].map(enabled)).toEqual([true, true, false, false]);
  expect(card('Erythromycin').getByText('Expired')).toBeTruthy();
  expect(card('Aspirin').getByText('$2.50')).toBeTruthy();
});

test('the cart counts up from one and stops at the stock, with the reason', async () => {
  serveShelves(undefined);
  await open();
  expect(screen.getByRole('heading', { name: 'Cart (0)' })).toBeTruthy();
  await add('Ibuprofen');
  await add('Ibuprofen');
  expect(screen.getByRole('heading', { name: 'Cart (1)' })).toBeTruthy();
  const more = cart().getByRole('button', { name: 'One Ibuprofen more' });
  await userEvent.click(more);
  expect(cart().getByText('We only have 2 strips left.')).toBeTruthy();
  await userEvent.click(more);
  expect(cart().getAllByText('$5.00')).toHaveLength(2);
  const less = cart().getByRole('button', { name: 'One Ibuprofen less' });
  for (let press = 0; press < 3; press += 1) await userEvent.click(less);
  const quantity = cart().getByRole<HTMLInputElement>('textbox', { name: 'Quantity of Ibuprofen' });
  expect(quantity.value).toBe('1');
  await userEvent.click(cart().getByRole('button', { name: 'Remove Ibuprofen from the cart' }));
  expect(screen.getByRole('heading', { name: 'Cart (0)' })).toBeTruthy();
});

test('without a login it links to the login, which returns here', async () => {
  serveShelves(undefined);
  await open();
  await add('Aspirin');
  expect(screen.queryByRole('button', { name: 'Place Order' })).toBeNull();
  await userEvent.click(cart().getByRole('link', { name: 'Login Please To Order Medicine' }));
  expect(await screen.findByText('login, then back to /medicinestore')).toBeTruthy();
  expect(localStorage.getItem('pharmacy-cart')).toContain('Aspirin');
});

test('an order is sent once however often the button is pressed, and empties the cart', async () => {
  const orders = serveShelves('patient');
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
  const answers = [() => problem('stock_short', 409, { lines }), () => ordered()];
  const orders = serveShelves('patient', () => (answers.shift() as () => Response)());
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
  catalogue = [{ ...record(1, 'Aspirin'), customerLimit: 3 }, ...stocked.slice(1)];
  const lines = [{ medicineId: 'MED-1', name: 'Aspirin', requested: 3, available: 2, reason: 'limit' }];
  const answers = [() => problem('stock_short', 409, { lines }), () => ordered()];
  const orders = serveShelves('patient', () => (answers.shift() as () => Response)());
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

test('the order form is there with an empty cart, too, and keeps what was typed', async () => {
  const orders = serveShelves('patient', () =>
    problem('validation_failed', 400, { detail: 'Add at least one medicine to your cart.' }),
  );
  await open();
  await fillAndOrder();
  expect(await cart().findByText('failed to book')).toBeTruthy();
  expect(cart().getByText('Add at least one medicine to your cart.')).toBeTruthy();
  expect(orders()).toHaveLength(1);
  await add('Aspirin');
  await userEvent.click(cart().getByRole('button', { name: 'Remove Aspirin from the cart' }));
  expect(screen.getByLabelText<HTMLInputElement>(/^Phone/).value).toBe('+880 1555 010999');
});

test('a visitor with an empty cart finds the way to the login', async () => {
  serveShelves(undefined);
  await open();
  expect(cart().getByText('Your cart is empty')).toBeTruthy();
  expect(cart().getByRole('link', { name: 'Login Please To Order Medicine' })).toBeTruthy();
});

test('the quantity can be typed, up to what can be ordered', async () => {
  serveShelves(undefined);
  await open();
  await add('Aspirin');
  const quantity = cart().getByRole<HTMLInputElement>('textbox', { name: 'Quantity of Aspirin' });
  await userEvent.clear(quantity);
  await userEvent.type(quantity, '30');
  expect(cart().getAllByText('$75.00')).toHaveLength(2);
  await userEvent.clear(quantity);
  await userEvent.type(quantity, '900');
  await userEvent.tab();
  expect(quantity.value).toBe('40');
  expect(cart().getByText('We only have 40 strips left.')).toBeTruthy();
  await userEvent.clear(quantity);
  await userEvent.type(quantity, '0x');
  await userEvent.tab();
  expect(Number(quantity.value)).toBeGreaterThanOrEqual(1);
});

test('after ordering, the number, what happens next and how it is paid', async () => {
  serveShelves('patient');
  await open();
  await add('Aspirin');
  await fillAndOrder();
  await screen.findByText('order created');
  expect(cart().getByText('#57FCCA')).toBeTruthy();
  expect(cart().getByText('You pay $2.50 in cash when we deliver. Nothing is charged online.')).toBeTruthy();
});

test('an empty answer is the specified failure, and keeps the cart', async () => {
  for (const nothing of ['', '{}', '[]', 'null']) {
    serveShelves(
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
  lastOrders = [{ customerPhone: '+880 1555 444', deliveryAddress: '7 Rose Garden' }];
  serveShelves('patient');
  await open();
  await waitFor(() => expect(screen.getByLabelText<HTMLTextAreaElement>(/^Address/).value).toBe('7 Rose Garden'));
  expect(screen.getByLabelText<HTMLInputElement>(/^Phone/).value).toBe('+880 1555 444');
});

test('a lost response is retried with the same key', async () => {
  let answers = 0;
  const orders = serveShelves('patient', () => {
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

test('a search without matches can be cleared', async () => {
  serveShelves(undefined);
  await open();
  await userEvent.type(screen.getByRole('searchbox'), 'unobtainium');
  await waitFor(() => expect(screen.getByText('We couldn’t find “unobtainium”')).toBeTruthy());
  await userEvent.click(screen.getByRole('button', { name: 'Show all medicines' }));
  expect(await screen.findByText('Aspirin')).toBeTruthy();
});

test('a page left open over midnight at the clinic stops selling what has expired', async () => {
  // Only the date is fixed; pages continue to load.
  jest.useFakeTimers({ now: new Date('2026-11-22T17:59:50Z'), doNotFake: notTheClock });
  serve(undefined, () =>
    Response.json([
      record(1, 'Aspirin'),
      record(5, 'Insulin', { expiryDate: '2026-11-22' }),
      record(6, 'Salbutamol', { expiryDate: '2026-11-22' }),
    ]),
  );
  await open();
  await add('Insulin');
  expect(card('Salbutamol').getByRole<HTMLButtonElement>('button', { name: 'Add to Cart' }).disabled).toBe(false);
  expect(cart().queryByText('Expired. Remove it to order.')).toBeNull();
  jest.setSystemTime(new Date('2026-11-22T18:00:00Z'));
  fireEvent.focus(window);
  expect(await cart().findByText('Expired. Remove it to order.')).toBeTruthy();
  expect(card('Salbutamol').getByRole<HTMLButtonElement>('button', { name: 'Add to Cart' }).disabled).toBe(true);
  expect(card('Salbutamol').getByText(/^Expired Nov 22, 2026/)).toBeTruthy();
  expect(card('Aspirin').getByRole<HTMLButtonElement>('button', { name: 'Add to Cart' }).disabled).toBe(false);
});

/** Changes the price of Aspirin from now on. */
const reprice = (price: string) => {
  catalogue = [record(1, 'Aspirin', { price }), ...stocked.slice(1)];
};
const lookAgain = () => act(() => queryClient.invalidateQueries({ queryKey: ['listMedicines'] }));

test('a new price in the cart is noticed although something else is on screen, and has to be accepted before ordering', async () => {
  const orders = serveShelves('patient');
  await open();
  await add('Aspirin');
  await userEvent.type(screen.getByRole('searchbox'), 'Ibuprofen');
  await waitFor(() => expect(screen.queryByRole('heading', { name: 'Aspirin' })).toBeNull());
  reprice('200.0');
  await lookAgain();
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
      return problem('price_changed', 409, { prices, total: 3 });
    },
    () => ordered(),
  ];
  const orders = serveShelves('patient', () => (answers.shift() as () => Response)());
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
  const orders = serveShelves('patient', () => {
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

/** The next person to use this browser; nobody: the last one has logged out. */
async function nextVisitor(role: Role | undefined): Promise<void> {
  cleanup();
  serveShelves(role);
  await open();
}

test('each account has its own cart: the next user of the browser has theirs, and the first finds theirs again', async () => {
  serveShelves('patient');
  await open();
  await add('Aspirin');
  await nextVisitor(undefined);
  expect(screen.getByRole('heading', { name: 'Cart (0)' })).toBeTruthy();
  await nextVisitor('doctor');
  expect(screen.getByRole('heading', { name: 'Cart (0)' })).toBeTruthy();
  await add('Ibuprofen');
  await nextVisitor('patient');
  expect(screen.getByRole('heading', { name: 'Cart (1)' })).toBeTruthy();
  expect(cart().getByText('Aspirin')).toBeTruthy();
  expect(JSON.stringify(localStorage)).not.toContain('patient@clinic.example');
});

test('what a visitor collects before the login belongs to the account afterwards, and to nobody after the log-out', async () => {
  serveShelves('patient');
  await open();
  await add('Aspirin');
  await nextVisitor(undefined);
  await add('Ibuprofen');
  await nextVisitor('patient');
  expect(await screen.findByRole('heading', { name: 'Cart (2)' })).toBeTruthy();
  await nextVisitor(undefined);
  expect(screen.getByRole('heading', { name: 'Cart (0)' })).toBeTruthy();
});

test('an account that hasn’t been back for a month leaves no cart behind', async () => {
  serveShelves('patient');
  await open();
  await add('Aspirin');
  const [place = ''] = Object.keys(localStorage).filter((key) => key.startsWith('pharmacy-cart:'));
  cleanup();
  const kept = JSON.parse(localStorage.getItem(place) ?? '') as { changedAt: number };
  localStorage.setItem(place, JSON.stringify({ ...kept, changedAt: kept.changedAt - 31 * 86_400_000 }));
  await nextVisitor(undefined);
  expect(Object.keys(localStorage)).not.toContain(place);
});

test.each([
  ['no content', () => new Response(null, { status: 204 })],
  ['nothing', () => new Response('', { status: 201 })],
  ['null', () => Response.json(null, { status: 201 })],
])('a response with %s is a failure, and ordering again keeps the key', async (_, empty) => {
  const answers = [empty, () => Response.json({ _id: 'f'.repeat(24) }, { status: 201 })];
  const orders = serveShelves('patient', () => (answers.shift() as () => Response)());
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
