import { definePage, Link, useConfig, useSession } from '@clinic/app-kit';
import { withSlots } from '@clinic/app-kit/slots';
import { useListState, useLiveLists, usePagedCall, type ListState } from '@clinic/app-kit/records';
import { useClinicToday } from '@clinic/app-kit/clinic-today';
import type { Order } from '@clinic/svc-pharmacy/contract/order-schemas';
import { Button, ButtonLink, FilterBar, PageHeader, type EmptyStateProps, SearchField, StatusBadge } from '@clinic/ui';
import { actionsColumn } from '@clinic/ui/list-parts';
import { PagedTable } from '@clinic/ui/paged-table';
import type { Column } from '@clinic/ui/tables';
import { useTwoSigns } from '../two-signs.ts';
import { OrderActions } from './order-actions.tsx';
import { OrderAgainButton } from './order-again-button.tsx';
import { OrderCard } from './order-card.tsx';
import { orderColumns } from './order-columns.tsx';
import { orderHistory } from './order-history.tsx';
import { OrderStatusSelector } from './order-status-selector.tsx';
import { firstDayOf, PeriodFilter, readOrderStatus, StatusFilter } from './order-filters.tsx';
import '../setup.ts';

const customer = ['customer'] as const;

const store = (
  <ButtonLink component={Link} to="/medicinestore" icon="pill">
    Order medicines
  </ButtonLink>
);

/** My Orders (`/dash/myorders`): the signed-in person's orders; the status is edited on narrow screens. */
export function MyOrdersPage() {
  const list = useListState();
  const { clinicTimeZone } = useConfig();
  const today = useClinicToday();
  const email = useSession().user?.email;
  const orders = usePagedCall(
    'listOrders',
    { email, q: list.q, status: readOrderStatus(list.status), from: firstDayOf(list.get('days'), today) },
    { enabled: email !== undefined },
  );
  useLiveLists('watchPharmacy', ['listOrders']);

  const columns: Column<Order>[] = [
    ...orderColumns({ timeZone: clinicTimeZone, status: ({ status }) => <StatusBadge status={status} /> }),
    actionsColumn((order) => (
      <span className="inline-flex flex-wrap justify-end gap-1">
        <OrderActions order={order} />
        <OrderAgainButton order={order} />
        {orderHistory(order, true)}
      </span>
    )),
  ];
  return (
    <>
      <PageHeader
        title="My Orders"
        count={orders.total}
        description={`You pay in cash when we deliver.${useTwoSigns()}`}
        actions={store}
      />
      <FilterBar label="Filter my orders">
        <SearchField
          label="Search my orders"
          placeholder="Medicine, or #number"
          value={list.text}
          onChange={list.setText}
        />
        <StatusFilter value={list.status} onChange={list.setStatus} />
        <PeriodFilter value={list.get('days')} onChange={(days) => list.set('days', days)} />
      </FilterBar>
      <PagedTable
        caption="My Orders"
        page={orders}
        rows={orders.rows}
        failure="Error loading orders"
        pages="Pages of my orders"
        columns={columns}
        rowKey={({ _id }) => _id}
        card={(order) => (
          <OrderCard
            order={order}
            timeZone={clinicTimeZone}
            status={<OrderStatusSelector order={order} actors={customer} />}
            actions={
              <>
                <OrderAgainButton order={order} />
                {orderHistory(order, true)}
              </>
            }
          />
        )}
        empty={emptyOf(list)}
      />
    </>
  );
}

function emptyOf(list: ListState): EmptyStateProps {
  return list.narrowed
    ? {
        title: 'None of your orders match',
        text: 'Try another medicine, number, status or time.',
        action: (
          <Button variant="soft" onClick={list.clear}>
            Show all my orders
          </Button>
        ),
      }
    : {
        title: 'You haven’t ordered anything yet',
        text: 'Order medicines from our pharmacy and we’ll deliver them.',
        icon: 'package',
        action: store,
      };
}

export default definePage(withSlots(MyOrdersPage));
