import { definePage, useConfig, useSession } from '@clinic/app-kit';
import { withSlots } from '@clinic/app-kit/slots';
import { useListState, useLiveLists, usePagedCall, type ListState } from '@clinic/app-kit/records';
import { useClinicToday } from '@clinic/app-kit/clinic-today';
import type { Order } from '@clinic/svc-pharmacy/contract/order-schemas';
import { Button, FilterBar, PageHeader, type EmptyStateProps, SearchField } from '@clinic/ui';
import { noneMatch } from '@clinic/ui/list-parts';
import { PagedTable } from '@clinic/ui/paged-table';
import type { Column } from '@clinic/ui/tables';
import { orderColumns } from './order-columns.tsx';
import { lazy, Suspense, useState } from 'react';
import { ExportButton } from '../csv/export-button.tsx';
import { exportOrders } from '../csv/export-lists.ts';
import { OrderCard } from './order-card.tsx';
import { orderHistory } from './order-history.tsx';
import { OrderStatusSelector } from './order-status-selector.tsx';
import {
  firstDayOf,
  PeriodFilter,
  readOrderStatus,
  readUnusual,
  StatusFilter,
  UnusualFilter,
} from './order-filters.tsx';
import { useOrdersToCheck } from './use-orders-to-check.ts';
import '../setup.ts';
import '../staff-calls.ts';

const CounterDialog = lazy(async () => ({ default: (await import('../counter/counter-dialog.tsx')).CounterDialog }));
const ShipDialog = lazy(async () => ({ default: (await import('../shipping/ship-dialog.tsx')).ShipDialog }));

/** Orders (`/dash/orders`): all medicine orders with status editing, for pharmacists and admins. */
export function OrdersPage() {
  const list = useListState();
  const { clinicTimeZone } = useConfig();
  const today = useClinicToday();
  const { role } = useSession();
  const unusual = readUnusual(list.get('unusual'));
  const query = {
    q: list.q,
    status: readOrderStatus(list.status),
    unusual,
    from: firstDayOf(list.get('days'), today),
  };
  const orders = usePagedCall('listOrders', query);
  const toCheck = useOrdersToCheck(!list.narrowed && !orders.hasPrevious);
  useLiveLists('watchPharmacy', ['listOrders']);

  const [open, setOpen] = useState<'ship' | 'counter'>();
  const close = () => setOpen(undefined);

  // The table allows them all that it allows a customer.
  const actors = role === 'admin' || role === 'pharmacist' ? [role] : [];
  const selector = (order: Order) => <OrderStatusSelector order={order} actors={actors} />;
  const columns: Column<Order>[] = [
    ...orderColumns({ timeZone: clinicTimeZone, withCustomer: true, status: selector }),
    { key: 'history', header: 'History', actions: true, align: 'end', cell: (order) => orderHistory(order, false) },
  ];
  return (
    <>
      <PageHeader
        title="Orders"
        count={orders.total}
        description="Ship pending orders. The items of cancelled orders go back into stock."
        actions={
          <>
            <ExportButton of={['order', 'orders']} write={() => exportOrders(query, clinicTimeZone)} />
            <Button variant="secondary" onClick={() => setOpen('counter')}>
              Counter order
            </Button>
            <Button icon="truck" onClick={() => setOpen('ship')}>
              Ship pending orders
            </Button>
          </>
        }
      />
      <FilterBar label="Filter the orders">
        <SearchField
          label="Search orders"
          placeholder="Recipient, email, or #number"
          value={list.text}
          onChange={list.setText}
        />
        <StatusFilter value={list.status} onChange={list.setStatus} />
        <UnusualFilter value={unusual} onChange={(value) => list.set('unusual', value)} />
        <PeriodFilter value={list.get('days')} onChange={(days) => list.set('days', days)} />
      </FilterBar>
      <PagedTable
        caption="Orders"
        page={orders}
        rows={[...toCheck, ...orders.rows.filter(({ _id }) => toCheck.every((first) => first._id !== _id))]}
        failure="Error loading orders"
        pages="Pages of orders"
        columns={columns}
        rowKey={({ _id }) => _id}
        card={(order) => (
          <OrderCard
            order={order}
            timeZone={clinicTimeZone}
            withCustomer
            status={selector(order)}
            actions={orderHistory(order, false)}
          />
        )}
        empty={emptyOf(list, orders.retry)}
      />
      {open && (
        <Suspense>{open === 'ship' ? <ShipDialog onClose={close} /> : <CounterDialog onClose={close} />}</Suspense>
      )}
    </>
  );
}

function emptyOf(list: ListState, retry: () => void): EmptyStateProps {
  return list.narrowed
    ? noneMatch('orders', 'Try another recipient, number, status or time.', list.clear)
    : {
        title: 'No orders yet',
        text: 'Orders from the store appear here.',
        icon: 'package',
        action: (
          <Button variant="soft" icon="refresh" onClick={retry}>
            Check again
          </Button>
        ),
      };
}

export default definePage(withSlots(OrdersPage));
