import { problemResponse } from '@clinic/app-kit/test-gateway';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { openPage, serve } from '../testing/index.tsx';
import { wireMedicine } from '../testing/records.ts';

test('a counter order has a prescription, a patient and medicines that only the counter sells', async () => {
  const sent = serve('pharmacist', ({ path, method }) => {
    if (method === 'POST') return Response.json({ _id: 'a'.repeat(24), items: [] }, { status: 201 });
    return Response.json(path === '/medicine' ? [wireMedicine({ prescriptionOnly: true, price: '2.5' })] : []);
  });
  await openPage('/dash/orders');
  await userEvent.click(await screen.findByRole('button', { name: 'Counter order' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Counter order' }));
  await userEvent.click(dialog.getByRole('button', { name: 'Enter order' }));
  expect(await dialog.findByText('Prescriber is required')).toBeTruthy();
  expect(dialog.getByText('Add at least one medicine')).toBeTruthy();
  const fill = (label: RegExp, value: string) => fireEvent.change(dialog.getByLabelText(label), { target: { value } });
  fill(/^Date of the prescription/, '2999-01-01');
  fill(/^Prescriber/, 'Dr. Sara Rahman');
  fill(/^Patient’s name/, 'Nadia Rahman');
  fill(/^Patient’s email/, 'nadia@mail.example');
  fill(/^Patient’s phone/, '+880 1555 010400');
  await userEvent.type(dialog.getByRole('searchbox'), 'asp');
  await userEvent.click(await dialog.findByRole('button', { name: 'Add Aspirin' }));
  const units = dialog.getByLabelText<HTMLInputElement>(/^Aspirin/);
  await userEvent.clear(units);
  await userEvent.type(units, '12');
  expect(dialog.getByText('৳30.00 ($30.00 in the store)')).toBeTruthy();
  await userEvent.clear(units);
  fireEvent.blur(units);
  expect(units.value).toBe('12');
  fireEvent.change(units, { target: { value: '2' } });
  expect(dialog.getByText('৳5.00 ($5.00 in the store)')).toBeTruthy();
  await userEvent.click(dialog.getByRole('button', { name: 'Enter order' }));
  expect(await dialog.findByText('A prescription can’t be of a later day than today')).toBeTruthy();
  fill(/^Date of the prescription/, '2026-01-15');
  await userEvent.click(dialog.getByRole('button', { name: 'Enter order' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  const entered = sent.filter(({ method }) => method === 'POST');
  expect(entered.map(({ path }) => path)).toEqual(['/orderMedi/counter']);
  expect(entered[0]?.body).toEqual({
    recipientName: 'Nadia Rahman',
    customeremail: 'nadia@mail.example',
    customerPhone: '+880 1555 010400',
    deliveryAddress: '',
    prescription: { date: '2026-01-15', prescriber: 'Dr. Sara Rahman' },
    items: [{ medicineId: 'MED-1', quantity: 2, pricePerUnit: 2.5 }],
    otherName: false,
  });
});

async function openCounter() {
  await openPage('/dash/orders');
  await userEvent.click(await screen.findByRole('button', { name: 'Counter order' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Counter order' }));
  await userEvent.type(dialog.getByRole('searchbox'), 'asp');
  return dialog;
}

const values: readonly (readonly [RegExp, string])[] = [
  [/^Date of the prescription/, '2026-01-15'],
  [/^Prescriber/, 'Dr. Sara Rahman'],
  [/^Patient’s name/, 'Nadia Rahman'],
  [/^Patient’s email/, 'nadia@mail.example'],
  [/^Patient’s phone/, '+880 1555 010400'],
];

function fillPatient(dialog: Awaited<ReturnType<typeof openCounter>>): void {
  for (const [label, value] of values) fireEvent.change(dialog.getByLabelText(label), { target: { value } });
}

test('an address of an account in another name is asked about, once for each name', async () => {
  const sent = serve('pharmacist', ({ path, method, body }) => {
    if (method !== 'POST') return Response.json(path === '/medicine' ? [wireMedicine()] : []);
    if (body['otherName'] === true) return problemResponse('stock_short', 409, { detail: 'Aspirin is out of stock.' });
    const errors = [{ field: 'otherName', message: 'This is an account in another name' }];
    return problemResponse('validation_failed', 400, { detail: 'Ask the patient.', errors });
  });
  const dialog = await openCounter();
  await userEvent.click(await dialog.findByRole('button', { name: 'Add Aspirin' }));
  fillPatient(dialog);
  const enter = () => userEvent.click(dialog.getByRole('button', { name: 'Enter order' }));
  const ask = async () =>
    within(await screen.findByRole('alertdialog', { name: 'This is an account in another name' }));
  await enter();
  await userEvent.click((await ask()).getByRole('button', { name: 'Change the details' }));
  expect(dialog.getByText('This is an account in another name')).toBeTruthy();
  await enter();
  await userEvent.click((await ask()).getByRole('button', { name: 'Enter for Nadia Rahman' }));
  expect(await dialog.findByText('Aspirin is out of stock.')).toBeTruthy();
  await enter();
  await waitFor(() => expect(sent.filter(({ method }) => method === 'POST')).toHaveLength(4));
  fireEvent.change(dialog.getByLabelText(/^Patient’s email/), { target: { value: 'other@mail.example' } });
  await enter();
  await ask();
  const asked = sent.filter(({ method }) => method === 'POST').map(({ body }) => body['otherName']);
  expect(asked).toEqual([false, false, true, true, false]);
});

test('an order that is rejected for its price is entered at the new one when it is entered again', async () => {
  const prices = [{ medicineId: 'MED-1', name: 'Aspirin', quantity: 1, seen: 2.5, now: 3 }];
  let isOld = true;
  const sent = serve('pharmacist', ({ path, method }) => {
    if (method !== 'POST') return Response.json(path === '/medicine' ? [wireMedicine({ price: '2.5' })] : []);
    if (!isOld) return Response.json({ _id: 'a'.repeat(24), items: [] }, { status: 201 });
    isOld = false;
    return problemResponse('price_changed', 409, { detail: 'Aspirin costs $3.00, not $2.50.', prices });
  });
  const dialog = await openCounter();
  await userEvent.click(await dialog.findByRole('button', { name: 'Add Aspirin' }));
  fillPatient(dialog);
  await userEvent.click(dialog.getByRole('button', { name: 'Enter order' }));
  expect(await dialog.findByText('Aspirin costs $3.00, not $2.50.')).toBeTruthy();
  expect(dialog.getByText('৳3.00 ($3.00 in the store)')).toBeTruthy();
  await userEvent.click(dialog.getByRole('button', { name: 'Enter order' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(sent.filter(({ method }) => method === 'POST').map(({ body }) => (body['items'] as object[])[0])).toEqual(
    [2.5, 3].map((pricePerUnit) => ({ medicineId: 'MED-1', quantity: 1, pricePerUnit })),
  );
});

test('namesakes can be told apart, and a search that fails says so', async () => {
  const namesakes = [
    wireMedicine({ manufacturer: 'Square' }),
    wireMedicine({ id: 'b'.repeat(24), medicineId: 'MED-2' }),
  ];
  let isUp = true;
  serve('pharmacist', ({ path }) => {
    if (path !== '/medicine') return Response.json([]);
    return isUp ? Response.json(namesakes) : problemResponse('unavailable', 503, { detail: 'Try again later.' });
  });
  const dialog = await openCounter();
  await userEvent.click(await dialog.findByRole('button', { name: 'Add Aspirin, Square' }));
  expect(dialog.getByText('Square · ৳2.50 each')).toBeTruthy();
  isUp = false;
  await userEvent.type(dialog.getByRole('searchbox'), 'irin');
  expect(await dialog.findByText('Error loading medicines')).toBeTruthy();
});
