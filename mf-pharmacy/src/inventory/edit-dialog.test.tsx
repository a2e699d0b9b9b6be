import { problemResponse } from '@clinic/app-kit/test-gateway';
import { notifications } from '@clinic/app-kit/host';
import type { Medicine as WireMedicine } from '@clinic/contracts';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { openPage, serve, type Sent } from '../testing/index.tsx';

const id = 'a'.repeat(24);
const record = (name: string, price: string, manufacturer = 'Maker', maxPerCustomer?: number): WireMedicine => ({
  _id: { $oid: id },
  pharmacistEmail: 'p@clinic.example',
  addedDate: '2026-01-01',
  status: 'in stock',
  medicine: {
    medicineId: 'MED-0001',
    name,
    manufacturer,
    unit: 'strip',
    expiryDate: '2999-05-31',
    quantity: { $numberInt: '40' },
    pricePerUnit: { $numberDouble: price },
    ...(maxPerCustomer !== undefined && { maxPerCustomer }),
  },
});

/** A service with one medicine, whose ETag is its content. */
function serveMedicine(): { sent: Sent[]; store: (next: WireMedicine) => void } {
  let stored = record('Aspirin', '2.5');
  const tag = () =>
    `"${stored.medicine.name} ${stored.medicine.pricePerUnit.$numberDouble} ${stored.medicine.manufacturer}"`;
  const sent = serve('pharmacist', ({ method, path, ifMatch, body }) => {
    if (path === '/medicine') return Response.json([stored], { headers: { 'X-Total-Count': '1' } });
    if (method === 'GET') return Response.json(stored, { headers: { ETag: tag() } });
    if (ifMatch && ifMatch !== tag())
      return problemResponse('changed_meanwhile', 412, { detail: 'Someone else has changed Aspirin.' });
    const {
      name = stored.medicine.name,
      pricePerUnit,
      manufacturer = stored.medicine.manufacturer,
    } = body as { name?: string; pricePerUnit?: number; manufacturer?: string };
    stored = record(
      name,
      pricePerUnit === undefined ? stored.medicine.pricePerUnit.$numberDouble : String(pricePerUnit),
      manufacturer,
    );
    return Response.json(stored, { headers: { ETag: tag() } });
  });
  return { sent, store: (next) => void (stored = next) };
}

const changes = (sent: readonly Sent[]) => sent.filter(({ method }) => method === 'PATCH').map(({ body }) => body);

async function openEditor() {
  await openPage('/dash/medicine');
  await userEvent.click(await screen.findByRole('button', { name: 'Edit Aspirin' }));
  const dialog = within(await screen.findByRole('dialog'));
  await dialog.findByLabelText(/^Medicine Name/);
  return dialog;
}

test('an edit sends what was changed, with the ETag of the version that was read', async () => {
  const { sent } = serveMedicine();
  const dialog = await openEditor();
  fireEvent.change(dialog.getByLabelText(/^Price per Unit/), { target: { value: '3' } });
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(changes(sent)).toEqual([{ pricePerUnit: 3 }]);
  expect(sent.find(({ method }) => method === 'PATCH')?.ifMatch).toBe('"Aspirin 2.5 Maker"');
});

test('an edit can be undone beside its message, and closing with unsaved ones asks', async () => {
  const { sent } = serveMedicine();
  const dialog = await openEditor();
  fireEvent.change(dialog.getByLabelText(/^Price per Unit/), { target: { value: '3' } });
  await userEvent.click(dialog.getByRole('button', { name: 'Cancel' }));
  const question = within(await screen.findByRole('alertdialog', { name: 'Close without saving?' }));
  await userEvent.click(question.getByRole('button', { name: 'Keep editing' }));
  expect(screen.queryByRole('alertdialog')).toBeNull();
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await act(async () => void (await notifications.get().at(-1)?.action?.run()));
  expect(changes(sent)).toEqual([{ pricePerUnit: 3 }, { pricePerUnit: 2.5 }]);
  // Somebody else may have changed it meanwhile.
  expect(sent.filter(({ method }) => method === 'PATCH').map(({ ifMatch }) => ifMatch)).toEqual([
    '"Aspirin 2.5 Maker"',
    '"Aspirin 3 Maker"',
  ]);
  expect(notifications.get().map(({ text }) => text)).toContain('Aspirin is as it was.');
});

test('the second of two pharmacists is notified, and can keep both changes with one press', async () => {
  const { sent, store } = serveMedicine();
  const dialog = await openEditor();
  store(record('Aspirin', '4', 'Other maker'));
  fireEvent.change(dialog.getByLabelText(/^Medicine Name/), { target: { value: 'Aspirin 75 mg' } });
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }));
  expect(await dialog.findByText('Someone else has changed this medicine')).toBeTruthy();
  expect(dialog.getByText('Price $2.50 → $4.00')).toBeTruthy();
  await userEvent.click(dialog.getByRole('button', { name: 'Keep my changes' }));
  expect(dialog.getByLabelText<HTMLInputElement>(/^Medicine Name/).value).toBe('Aspirin 75 mg');
  expect(dialog.getByLabelText<HTMLInputElement>(/^Manufacturer/).value).toBe('Other maker');
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(changes(sent)).toEqual([{ name: 'Aspirin 75 mg' }, { name: 'Aspirin 75 mg' }]);
});

test('the second of two pharmacists can take what the other one saved, and nothing is overwritten', async () => {
  const { sent, store } = serveMedicine();
  const dialog = await openEditor();
  store(record('Aspirin', '4'));
  fireEvent.change(dialog.getByLabelText(/^Price per Unit/), { target: { value: '9' } });
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }));
  await userEvent.click(await dialog.findByRole('button', { name: 'Take theirs' }));
  expect(dialog.getByLabelText<HTMLInputElement>(/^Price per Unit/).value).toBe('4');
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(changes(sent)).toEqual([{ pricePerUnit: 9 }]);
});

test('the limit per customer is set and removed', async () => {
  const { sent, store } = serveMedicine();
  const dialog = await openEditor();
  const field = () => dialog.getByLabelText<HTMLInputElement>('Most per customer');
  expect(field().value).toBe('');
  await userEvent.type(field(), '0');
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }));
  expect(await dialog.findByText('Most per customer must be 1 or more')).toBeTruthy();
  fireEvent.change(field(), { target: { value: '12' } });
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(changes(sent)).toEqual([{ maxPerCustomer: 12 }]);

  store(record('Aspirin', '2.5', 'Maker', 12));
  await userEvent.click(screen.getByRole('button', { name: 'Edit Aspirin' }));
  const again = within(await screen.findByRole('dialog'));
  expect((await again.findByLabelText<HTMLInputElement>('Most per customer')).value).toBe('12');
  await userEvent.clear(again.getByLabelText('Most per customer'));
  await userEvent.click(again.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(changes(sent)).toEqual([{ maxPerCustomer: 12 }, { maxPerCustomer: null }]);
});
