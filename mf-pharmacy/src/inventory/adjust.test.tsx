import { problemResponse } from '@clinic/app-kit/test-gateway';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { openPage, serve, type Sent } from '../testing/index.tsx';
import { wireMedicine } from '../testing/records.ts';
import { changeOf } from './adjust-dialog.tsx';

/** A service with one medicine: 12 free, 3 held by pending orders. */
function serveMedicine(fields: Parameters<typeof wireMedicine>[0] = {}, adjusted?: () => Response) {
  const record = wireMedicine({ quantity: 12, ...fields });
  return serve('pharmacist', ({ path, method, query }) => {
    if (path.endsWith('/movements'))
      return Response.json([
        {
          _id: 'c'.repeat(24),
          at: '2026-11-20T20:30:00.000Z',
          by: -2,
          quantity: 12,
          reason: 'ordered',
          order: 'abcdef'.repeat(4),
          actor: { role: 'patient' },
        },
        { _id: 'd'.repeat(24), at: '2026-11-20T20:00:00.000Z', by: 4, quantity: 14, reason: 'found behind a shelf' },
        { _id: 'e'.repeat(24), at: '2026-11-20T19:00:00.000Z', by: 0, quantity: 10, reason: 'counted' },
        { _id: 'f'.repeat(24), at: '2026-11-20T18:00:00.000Z', by: 0, quantity: 0, reason: 'added' },
      ]);
    if (path.endsWith('/adjustments')) return adjusted?.() ?? Response.json(wireMedicine({ quantity: 11 }));
    if (path === '/medicine')
      return Response.json(query.get('archived') ? [] : [record], { headers: { 'X-Total-Count': '1' } });
    return Response.json(method === 'GET' ? { ...record, held: 3 } : { ...record, archived: true });
  });
}
const sentTo = (sent: readonly Sent[], end: string) =>
  sent.filter(({ path, method }) => method !== 'GET' && path.endsWith(end));

async function openFromMenu(label: string) {
  await openPage('/dash/medicine');
  const more = await screen.findByRole('button', { name: 'More actions: Aspirin' });
  await userEvent.click(more);
  await userEvent.click(await screen.findByRole('button', { name: `${label}: Aspirin` }));
}

test('a count is of the whole shelf, with what pending orders hold', () => {
  const stock = { quantity: 12, held: 3, unit: 'box' };
  const by = (reason: Parameters<typeof changeOf>[0]['reason'], units: number, direction: 'in' | 'out' = 'out') =>
    changeOf({ reason, direction, units }, stock);
  expect([by('counted', 14), by('counted', 20), by('broken', 2), by('returned', 2)]).toEqual([-1, 5, -2, 2]);
  expect([by('other', 2), by('other', 2, 'in')]).toEqual([-2, 2]);
});

test('what is left is proposed to be written off as it is now, not as it was when somebody last looked', async () => {
  const record = wireMedicine({ quantity: 12, expiryDate: '2020-01-01' });
  let quantity = 12;
  serve('pharmacist', ({ path }) => {
    const now = { ...record, medicine: { ...record.medicine, quantity: { $numberInt: String(quantity) } } };
    return Response.json(path === '/medicine' ? [now] : now);
  });
  await openPage('/dash/medicine');
  const units = async () => {
    await userEvent.click(await screen.findByRole('button', { name: 'Write off what is left of Aspirin' }));
    const dialog = within(await screen.findByRole('dialog'));
    await dialog.findByText(`In stock: ${quantity} strips.`);
    const { value } = dialog.getByLabelText<HTMLInputElement>(/^Units/);
    await userEvent.click(dialog.getByRole('button', { name: 'Cancel' }));
    return value;
  };
  expect(await units()).toBe('12');
  quantity = 15;
  expect(await units()).toBe('15');
});

test('stock is adjusted with a reason and what comes of it in view; an impossible one is rejected at its field', async () => {
  const sent = serveMedicine();
  await openFromMenu('Adjust stock');
  const dialog = within(await screen.findByRole('dialog'));
  expect(await dialog.findByText('In stock: 12 strips, and 3 more on the shelf for pending orders.')).toBeTruthy();
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }));
  expect(await dialog.findByText('Choose a reason', { selector: '.ui-error *, .ui-error' })).toBeTruthy();
  await userEvent.selectOptions(dialog.getByLabelText(/^Reason/), 'Broken');
  fireEvent.change(dialog.getByLabelText(/^Units/), { target: { value: '13' } });
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }));
  expect(await dialog.findByText('You can take out 12 strips at most')).toBeTruthy();
  fireEvent.change(dialog.getByLabelText(/^Units/), { target: { value: '1' } });
  expect(await dialog.findByText('Then 11 strips in stock (−1).')).toBeTruthy();
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  const [adjusted] = sentTo(sent, '/adjustments');
  expect(adjusted?.body).toEqual({ by: -1, reason: 'broken', note: '' });
  expect(adjusted?.key).toBeTruthy();
});

test('a count says what was expected on the shelf; one that a colleague has corrected meanwhile needs no other', async () => {
  let quantity = 12;
  const stored = () => wireMedicine({ quantity });
  const sent = serve('pharmacist', ({ path, method }) => {
    if (path === '/medicine') return Response.json([stored()]);
    if (method === 'GET') return Response.json({ ...stored(), held: 3 });
    quantity = 10;
    return problemResponse('changed_meanwhile', 412, { detail: 'We now expect 13 of Aspirin on the shelf.' });
  });
  await openFromMenu('Adjust stock');
  const dialog = within(await screen.findByRole('dialog'));
  await userEvent.selectOptions(await dialog.findByLabelText(/^Reason/), 'Counted');
  fireEvent.change(dialog.getByLabelText(/^Counted/), { target: { value: '13' } });
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }));
  expect(await dialog.findByText('We now expect 13 of Aspirin on the shelf.')).toBeTruthy();
  const counted = { by: -2, reason: 'counted', note: '', seen: { onShelf: 15 } };
  expect(sentTo(sent, '/adjustments').map(({ body }) => body)).toEqual([counted]);
  expect(await dialog.findByText('We expect 13 strips, with those held for orders.')).toBeTruthy();
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }));
  expect(await dialog.findByText('That is what we have. There is nothing to adjust')).toBeTruthy();
  expect(sentTo(sent, '/adjustments')).toHaveLength(1);
});

test('an adjustment that somebody’s order has overtaken says so and stays open', async () => {
  serveMedicine({}, () => problemResponse('stock_short', 409, { detail: 'Aspirin has 0 in stock.' }));
  await openFromMenu('Adjust stock');
  const dialog = within(await screen.findByRole('dialog'));
  await userEvent.selectOptions(await dialog.findByLabelText(/^Reason/), 'Other');
  fireEvent.change(dialog.getByLabelText(/^Units/), { target: { value: '1' } });
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }));
  expect(await dialog.findByText('Say what happened')).toBeTruthy();
  await userEvent.type(dialog.getByLabelText(/^Note/), 'A mouse');
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }));
  expect(await dialog.findByText('Aspirin has 0 in stock.')).toBeTruthy();
});

test('movements are shown in words, those of a later release in its own', async () => {
  serveMedicine();
  await openFromMenu('Movements');
  const dialog = within(await screen.findByRole('dialog'));
  expect(await dialog.findByText('Ordered #ABCDEF: −2, then 12')).toBeTruthy();
  expect(dialog.getByText('found behind a shelf: +4, then 14')).toBeTruthy();
  expect(dialog.getByText('Counted: 10 as before')).toBeTruthy();
  expect(dialog.getByText('Added: none in stock')).toBeTruthy();
});

test('an expired medicine reads Expired and offers to write off what is left', async () => {
  serveMedicine({ expiryDate: '2020-01-01' });
  await openPage('/dash/medicine');
  expect((await screen.findAllByText('Expired', { selector: 'td *' })).length).toBeGreaterThan(1);
  expect(screen.queryByText('In Stock', { selector: 'td *' })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Write off what is left of Aspirin' }));
  const dialog = within(await screen.findByRole('dialog'));
  expect((await dialog.findByLabelText<HTMLInputElement>(/^Units/)).value).toBe('12');
  expect(dialog.getByLabelText<HTMLSelectElement>(/^Reason/).value).toBe('expired');
});

test('a medicine is archived after a question, and archived ones have a list of their own', async () => {
  const sent = serveMedicine();
  await openFromMenu('Archive');
  const question = within(await screen.findByRole('alertdialog', { name: 'Archive Aspirin?' }));
  await userEvent.click(question.getByRole('button', { name: 'Archive' }));
  await waitFor(() =>
    expect(sent.filter(({ method }) => method === 'PATCH').map(({ body }) => body)).toEqual([{ archived: true }]),
  );
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Show' }), 'Archived');
  await waitFor(() => expect(sent.at(-1)?.query.get('archived')).toBe('true'));
});
