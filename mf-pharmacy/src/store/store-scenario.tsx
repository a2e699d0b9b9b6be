import type { Role } from '@clinic/contracts';
import type { Medicine as WireMedicine } from '@clinic/svc-pharmacy/contract/schemas';
import { fireEvent, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useLocation } from 'react-router-dom';
import { openPage, serve, type Sent } from '../testing/index.tsx';
import { forgetDraft } from './delivery-draft.ts';
import { wireMedicine } from '../testing/records.ts';

export const record = (number: number, name: string, medicine: Parameters<typeof wireMedicine>[0] = {}): WireMedicine =>
  wireMedicine({ id: String(number).repeat(24), medicineId: `MED-${number}`, name, ...medicine });
export const stocked = [
  record(1, 'Aspirin'),
  record(2, 'Ibuprofen', { quantity: 2, status: 'low stock' }),
  record(3, 'Loratadine', { quantity: 0, status: 'out of stock' }),
  record(4, 'Erythromycin', { expiryDate: '2020-01-01' }),
];
/** What the service returns. */
export const service: { catalogue: readonly WireMedicine[]; lastOrders: readonly object[] } = {
  catalogue: stocked,
  lastOrders: [],
};

/** The service's answer to an order. */
export const ordered = () =>
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

/** The response that gets lost. */
export const lost = (): Response => {
  throw new TypeError('connection reset');
};

/**
 * Opens the store.
 *
 * @param role - of the person who is signed in; `undefined`: nobody
 * @param answers - responses to orders in turn; the last repeats
 * @returns the orders sent so far
 */
export async function openStore(role: Role | undefined, ...answers: (() => Response)[]): Promise<() => Sent[]> {
  const sent = serve(role, ({ method, path, query }) => {
    if (method === 'POST') return (answers.length > 1 ? answers.shift() : answers[0])?.() ?? ordered();
    if (path !== '/medicine') return Response.json(path === '/orderMedi' ? service.lastOrders : []);
    const q = query.get('q')?.toLowerCase() ?? '';
    const ids = query.get('medicineIds')?.split(',');
    return Response.json(
      service.catalogue.filter(({ medicine }) =>
        ids ? ids.includes(medicine.medicineId) : medicine.name.toLowerCase().includes(q),
      ),
    );
  });
  await open();
  return () => sent.filter(({ method }) => method === 'POST');
}

function Login() {
  return <p>login, then back to {(useLocation().state as { from: string }).from}</p>;
}

export async function open(): Promise<void> {
  await openPage('/medicinestore', [{ path: '/login', element: <Login /> }]);
  // On first load the screen's code is compiled.
  await screen.findByRole('heading', { name: 'Aspirin' }, { timeout: 15_000 });
}

export const card = (name: string) => within(screen.getByRole('heading', { name }).closest('li') as HTMLElement);
/** The button that adds it to the cart, or says that it is there. */
export const addButton = (name: string) =>
  card(name).getByRole<HTMLButtonElement>('button', { name: /^(?:Add to Cart|In the cart): / });
export const add = (name: string) => userEvent.click(addButton(name));
export const cart = () => within(screen.getByRole('complementary'));

export async function fillAndOrder(): Promise<void> {
  await userEvent.type(screen.getByLabelText(/^Phone/), '+880 1555 010999');
  await userEvent.type(screen.getByLabelText(/^Address/), '5 Lake Road');
  fireEvent.click(screen.getByRole('button', { name: 'Place Order' }));
  fireEvent.click(screen.getByRole('button', { name: 'Place Order' }));
}

/** Presses the button once more. */
export async function orderAgain(): Promise<void> {
  await userEvent.click(screen.getByRole('button', { name: 'Place Order' }));
  expect(await screen.findByText('order created')).toBeTruthy();
}

beforeEach(() => {
  service.catalogue = stocked;
  service.lastOrders = [];
  localStorage.clear();
  forgetDraft('patient@clinic.example');
  sessionStorage.clear();
});

afterEach(() => jest.useRealTimers());
