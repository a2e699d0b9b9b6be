import { problemResponse } from '@clinic/app-kit/test-gateway';
import { keepDraft } from '@clinic/app-kit';
import { pretendItIs } from '@clinic/app-kit/test-clock';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { openPage, serve } from '../testing/index.tsx';
import { wireMedicine } from '../testing/records.ts';

const record = wireMedicine({ status: 'low stock', quantity: 4, expiryDate: '2027-05-31' });

afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

test('the inventory is filtered by the address', async () => {
  const sent = serve('pharmacist', () => Response.json([record], { headers: { 'X-Total-Count': '1' } }));
  await openPage('/dash/medicine?status=low%20stock&q=asp');
  expect(await screen.findByText('Aspirin')).toBeTruthy();
  expect([sent[0]?.query.get('status'), sent[0]?.query.get('q')]).toEqual(['low stock', 'asp']);
  expect(screen.getByText('May 31, 2027')).toBeTruthy();
  expect(
    screen
      .getAllByRole('option')
      .slice(0, 4)
      .map(({ textContent }) => textContent),
  ).toEqual(['All Status', 'In Stock', 'Out of Stock', 'Low Stock']);
  expect(screen.getByPlaceholderText(/Name or manufacturer/)).toBeTruthy();
});

// What a test left in the form is kept for the next visit.
afterEach(() => keepDraft('addMedicine pharmacist@clinic.example'));

async function openForm(): Promise<void> {
  await openPage('/dash/addmedicine');
  await screen.findByRole('heading', { name: 'Add New Medicine' });
}

async function fill(): Promise<void> {
  await userEvent.type(screen.getByLabelText(/^Medicine Name/), 'Aloe gel');
  await userEvent.type(screen.getByLabelText(/^Quantity/), '5');
  await userEvent.selectOptions(screen.getByLabelText(/^Unit/), 'bottle');
  fireEvent.change(screen.getByLabelText(/^Expiry Date/), { target: { value: '2999-01-31' } });
  await userEvent.type(screen.getByLabelText(/^Price per Unit/), '4.25');
}
const submit = () => userEvent.click(screen.getByRole('button', { name: 'Add Medicine' }));

test('a new medicine shows what is missing, then is sent as specified and the form is cleared', async () => {
  const sent = serve('pharmacist', () => Response.json(record, { status: 201 }));
  await openForm();
  await submit();
  for (const message of ['Name is required', 'Quantity is required', 'Expiry date is required', 'Price is required'])
    expect(await screen.findByText(message)).toBeTruthy();
  expect(document.activeElement).toBe(document.querySelector('[aria-invalid="true"]'));
  expect(sent).toEqual([]);
  await fill();
  await submit();
  await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>(/^Medicine Name/).value).toBe(''));
  expect(sent[0]?.body).toMatchObject({
    pharmacistEmail: 'pharmacist@clinic.example',
    status: 'in stock',
    medicine: {
      medicineId: '',
      name: 'Aloe gel',
      manufacturer: '',
      quantity: 5,
      unit: 'bottle',
      expiryDate: '2999-01-31',
      pricePerUnit: 4.25,
    },
  });
  expect(sent[0]?.body['addedDate']).toMatch(/^\d{4}-\d{2}-\d{2}$/);
  expect(screen.getByLabelText<HTMLSelectElement>(/^Unit/).value).toBe('box');
});

test('the server’s field errors are shown at the field, and nothing typed is lost', async () => {
  const message = 'There’s already a medicine with the ID MED-0001';
  serve('pharmacist', () =>
    problemResponse('duplicate', 409, { detail: `${message}.`, errors: [{ field: 'medicine.medicineId', message }] }),
  );
  await openForm();
  await userEvent.type(screen.getByLabelText('Medicine ID'), 'MED-0001');
  await fill();
  await submit();
  expect(await screen.findByText(message)).toBeTruthy();
  expect(screen.getByLabelText('Medicine ID').getAttribute('aria-invalid')).toBe('true');
  expect(screen.getByLabelText<HTMLInputElement>(/^Medicine Name/).value).toBe('Aloe gel');
});

test('an exported file is named after the clinic’s date', async () => {
  // One in the morning at the clinic, the evening before in Greenwich.
  pretendItIs('2026-11-22T19:00:00Z');
  serve('pharmacist', () => Response.json([record], { headers: { 'X-Total-Count': '1' } }));
  const saved: string[] = [];
  Object.assign(URL, { createObjectURL: () => 'blob:x', revokeObjectURL: () => undefined });
  jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
    saved.push(this.download);
  });
  await openPage('/dash/medicine');
  await userEvent.click(await screen.findByRole('button', { name: 'Export CSV' }));
  await waitFor(() => expect(saved).toEqual(['medicines-2026-11-23.csv']));
});

test.each([
  ['no content', () => new Response(null, { status: 204 })],
  ['nothing', () => new Response('', { status: 201 })],
  ['null', () => Response.json(null, { status: 201 })],
  ['an empty object', () => Response.json({}, { status: 201 })],
])('a response with %s to a new medicine is the specified failure, and nothing typed is lost', async (_, empty) => {
  serve('pharmacist', ({ method }) => (method === 'POST' ? empty() : Response.json([])));
  await openForm();
  await fill();
  await submit();
  expect(await screen.findByText('Failed to create profile')).toBeTruthy();
  expect(screen.queryByText('Error creating profile')).toBeNull();
  expect(screen.getByLabelText<HTMLInputElement>(/^Medicine Name/).value).toBe('Aloe gel');
});
