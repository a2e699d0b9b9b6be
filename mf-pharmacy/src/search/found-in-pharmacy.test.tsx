import { QueryClientProvider, queryClient, session } from '@clinic/app-kit/host';
import { render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router-dom';
import { serve } from '../testing/index.tsx';
import { FoundInPharmacy } from './found-in-pharmacy.tsx';
import '../setup.ts';

test('an order is found with its day by the clinic’s clock', async () => {
  serve('pharmacist', ({ path }) =>
    Response.json(
      path === '/orderMedi'
        ? [
            {
              _id: 'a'.repeat(24),
              customeremail: 'ann@mail.example',
              orderDate: '2026-11-20T20:30:00.000Z',
              status: 'pending',
            },
          ]
        : [],
    ),
  );
  await session.load();
  render(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter>
        <FoundInPharmacy q="ann" />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  expect(await screen.findByText('ann@mail.example · Nov 21, 2026 · pending')).toBeTruthy();
});
