import { problemResponse } from '@clinic/app-kit/test-gateway';
import { notifications } from '@clinic/app-kit/host';
import { act, fireEvent, screen, waitFor, within, type BoundFunctions, type queries } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { openPage, serve, type Sent } from '../testing/index.tsx';
import { wireMedicine } from '../testing/records.ts';

/** A service with one medicine, whose ETag is its content. */
function serveMedicine() {
  let stored: NonNullable<Parameters<typeof wireMedicine>[0]> = { price: '2.5' };
  const tag = () => `"${stored.name ?? 'Aspirin'} ${stored.price} ${stored.manufacturer ?? 'Maker'}"`;
  const sent = serve('pharmacist', ({ method, path, ifMatch, body }) => {
    if (path === '/medicine') return Response.json([wireMedicine(stored)], { headers: { 'X-Total-Count': '1' } });
    if (method !== 'GET' && ifMatch && ifMatch !== tag())
      return problemResponse('changed_meanwhile', 412, { detail: 'Someone else has changed Aspirin.' });
    if (method !== 'GET') {
      const { name, pricePerUnit, manufacturer } = body as {
        name?: string;
        pricePerUnit?: number;
        manufacturer?: string;
      };
      stored = {
        ...stored,
        ...(name !== undefined && { name }),
        ...(pricePerUnit !== undefined && { price: String(pricePerUnit) }),
        ...(manufacturer !== undefined && { manufacturer }),
      };
    }
    return Response.json(wireMedicine(stored), { headers: { ETag: tag() } });
  });
  return { sent, store: (next: typeof stored) => void (stored = { ...stored, ...next }) };
}
const changes = (sent: readonly Sent[]) => sent.filter(({ method }) => method === 'PATCH').map(({ body }) => body);

async function save(dialog: BoundFunctions<typeof queries>): Promise<void> {
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
}

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
  await save(dialog);
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
  await save(dialog);
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
  store({ price: '4', manufacturer: 'Other maker' });
  fireEvent.change(dialog.getByLabelText(/^Medicine Name/), { target: { value: 'Aspirin 75 mg' } });
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }));
  expect(await dialog.findByText('Someone else has changed this medicine')).toBeTruthy();
  expect(dialog.getByText('Price $2.50 → $4.00')).toBeTruthy();
  await userEvent.click(dialog.getByRole('button', { name: 'Keep my changes' }));
  expect(dialog.getByLabelText<HTMLInputElement>(/^Medicine Name/).value).toBe('Aspirin 75 mg');
  expect(dialog.getByLabelText<HTMLInputElement>(/^Manufacturer/).value).toBe('Other maker');
  await save(dialog);
  expect(changes(sent)).toEqual([{ name: 'Aspirin 75 mg' }, { name: 'Aspirin 75 mg' }]);
});

test('the second of two pharmacists can take what the other one saved, and nothing is overwritten', async () => {
  const { sent, store } = serveMedicine();
  const dialog = await openEditor();
  store({ price: '4' });
  fireEvent.change(dialog.getByLabelText(/^Price per Unit/), { target: { value: '9' } });
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }));
  await userEvent.click(await dialog.findByRole('button', { name: 'Take theirs' }));
  expect(dialog.getByLabelText<HTMLInputElement>(/^Price per Unit/).value).toBe('4');
  await save(dialog);
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
  await save(dialog);
  expect(changes(sent)).toEqual([{ maxPerCustomer: 12 }]);

  store({ maxPerCustomer: 12 });
  await userEvent.click(screen.getByRole('button', { name: 'Edit Aspirin' }));
  const again = within(await screen.findByRole('dialog'));
  expect((await again.findByLabelText<HTMLInputElement>('Most per customer')).value).toBe('12');
  await userEvent.clear(again.getByLabelText('Most per customer'));
  await save(again);
  expect(changes(sent)).toEqual([{ maxPerCustomer: 12 }, { maxPerCustomer: null }]);
});
