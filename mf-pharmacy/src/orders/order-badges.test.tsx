import { QueryClientProvider, queryClient } from '@clinic/app-kit/host';
import { badgesIn, combinations } from '@clinic/app-kit/test-combinations';
import { prepareEnvironment } from '@clinic/app-kit/test-environment';
import type { Order } from '@clinic/svc-pharmacy/contract/order-schemas';
import { orderStatuses } from '@clinic/svc-pharmacy/contract/transitions';
import { render, screen } from '@testing-library/react';
import { OrderActions } from './order-actions.tsx';
import { orderColumns } from './order-columns.tsx';
import { OrderStatusSelector } from './order-status-selector.tsx';
import { orderLine } from '../testing/records.ts';

beforeAll(prepareEnvironment);

test('an order’s notes and actions agree with its status', () => {
  const cases = combinations<Pick<Order, 'status' | 'heldUntil' | 'collected' | 'unusual'> & { forStaff: boolean }>({
    // The last is of a newer release.
    status: [...orderStatuses, 'Packed' as 'pending'],
    heldUntil: [undefined, '2026-11-28T06:00:00Z'],
    collected: [undefined, true],
    unusual: [undefined, true],
    forStaff: [false, true],
  });
  for (const { forStaff, ...one } of cases) {
    const order: Order = {
      ...one,
      _id: 'a'.repeat(24),
      customeremail: 'patient@clinic.example',
      deliveryAddress: '5 Lake Road',
      customerPhone: '+880 1555 010999',
      orderDate: '2026-11-20T20:30:00.000Z',
      items: [orderLine],
    };
    const [column] = orderColumns({ timeZone: 'Asia/Dhaka', withCustomer: forStaff, status: () => null });
    const { container, unmount } = render(
      <QueryClientProvider client={queryClient}>
        {column?.cell(order)}
        <OrderStatusSelector order={order} actors={['customer']} />
        <OrderActions order={order} />
      </QueryClientProvider>,
    );
    const shown = {
      badges: badgesIn(container),
      selected: screen.getByRole<HTMLSelectElement>('combobox').value,
      waits: /Send by|Held until/.test(container.textContent),
      cancel: screen.queryByRole('button', { name: /^Cancel/ }) !== null,
      received: screen.queryByRole('button', { name: /^Mark as received/ }) !== null,
    };
    const pending = one.status === 'pending';
    expect({ ...one, forStaff, ...shown }).toEqual({
      ...one,
      forStaff,
      badges: one.unusual && forStaff ? ['Unusually large'] : [],
      selected: one.status,
      waits: pending && one.heldUntil !== undefined,
      cancel: pending,
      received: one.status === 'Shipped',
    });
    unmount();
  }
});
