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
  });
});
