import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { openPage, serve } from './testing/index.tsx';
import { orderLine, wireMedicine } from './testing/records.ts';

const order = {
  _id: 'a'.repeat(24),
  items: [orderLine],
  orderDate: '2026-11-20T20:30:00.000Z',
  status: 'pending',
  deliveryAddress: '5 Lake Road',
  customeremail: 'pharmacist@clinic.example',
  customerPhone: '1',
};

beforeAll(() => {
  const config = document.getElementById('config') as HTMLElement;
  config.textContent = JSON.stringify({ ...(JSON.parse(config.textContent) as object), currency: '€' });
});

async function previewImport(): Promise<void> {
  const text = 'Name,Quantity,Expiry date,Price per unit\nAspirin,1,2999-01-01,2.5';
  const file = Object.assign(new File([], 'medicines.csv'), {
    arrayBuffer: () => Promise.resolve(new TextEncoder().encode(text)),
  });
  await userEvent.upload(await screen.findByLabelText('Choose a CSV file'), file);
}

test.each([
  ['/medicinestore', '€2.50'],
  ['/dash/orders', '€0.30'],
  ['/dash/myorders', '€0.30'],
  ['/dash/medicine', '€2.50'],
  ['/dash/addmedicine', '€2.50'],
])('a clinic with a currency has no other sign on %s', async (path, amount) => {
  serve('pharmacist', (request) =>
    Response.json(
      request.method === 'POST' ? { acceptable: 1 } : request.path === '/medicine' ? [wireMedicine()] : [order],
    ),
  );
  await openPage(path);
  if (path === '/dash/addmedicine') await previewImport();
  expect((await screen.findAllByText(amount, { exact: false })).length).toBeGreaterThan(0);
  expect(document.body.textContent).not.toMatch(/[$৳]/);
});
