import { api, useConfig, useQuery, type ApiProblem, type Page } from '@clinic/app-kit';
import type { Order } from '@clinic/svc-pharmacy/contract/order-schemas';
import { isUnknown } from '@clinic/contracts/outcome';
import { Alert, Button, Dialog, EmptyState, ErrorState, Spinner, StatusBadge } from '@clinic/ui';
import { EmailText } from '@clinic/ui/email-text';
import { useState } from 'react';
import { formatInstant } from '../history/format-instant.ts';
import { orderNumber } from '../orders/order-format.ts';
import { PackingSlips } from './packing-slips.tsx';
import { useShipping, type NotShipped } from './use-shipping.ts';

/** More than are shipped at once, because some of them are collected. */
const waitingLongest = { status: 'pending', sort: 'oldest', limit: 200 } as const;

/** Most orders at once: as many as somebody packs in one go. */
const atMost = 50;

/** Ships all pending orders, or some of them, and prints their packing slips. */
export function ShipDialog({ onClose }: { readonly onClose: () => void }) {
  const { clinicTimeZone } = useConfig();
  const { rows, total, error, refetch } = useWaiting();
  const orders = firstToShip(rows ?? []);
  const { chosen, choose } = useChoice(orders);
  const [printed, setPrinted] = useState<readonly Order[]>();
  const { ship, busy, failed } = useShipping((notShipped) => {
    choose(notShipped.map(({ order }) => order));
    if (notShipped.length === 0) onClose();
  });
  const all = orders.length > 0 && chosen.length === orders.length;

  return (
    <>
      <Dialog
        open
        wide
        title="Ship pending orders"
        onClose={onClose}
        actions={
          orders.length > 0 && (
            <Actions
              count={chosen.length}
              busy={busy}
              onPrint={() => setPrinted(chosen)}
              onShip={() => void ship(chosen)}
            />
          )
        }
      >
        {!rows && !error && <Spinner />}
        {error && !rows && (
          <ErrorState title="Error loading orders" text={error.message} onRetry={() => void refetch()} />
        )}
        {rows?.length === 0 && (
          <EmptyState
            icon="check-circle"
            title="No orders are waiting"
            text="New orders appear here until they’re shipped."
          />
        )}
        <Failures failed={failed} />
        {orders.length > 0 && (
          <div className="grid gap-4">
            <label className="flex items-center gap-3 font-medium">
              <input
                type="checkbox"
                className="size-5 accent-primary"
                checked={all}
                onChange={({ target }) => choose(target.checked ? orders : [])}
              />
              All {orders.length}
              {moreWait(orders.length, total)}
            </label>
            <ul aria-label="Pending orders" className="divide-y divide-line border-y border-line">
              {orders.map((order) => (
                <OrderLine
                  key={order._id}
                  order={order}
                  chosen={chosen.includes(order)}
                  onChoose={(isPicked) => choose(isPicked ? [...chosen, order] : chosen.filter((one) => one !== order))}
                />
              ))}
            </ul>
          </div>
        )}
      </Dialog>
      {printed && <PackingSlips orders={printed} timeZone={clinicTimeZone} onPrinted={() => setPrinted(undefined)} />}
    </>
  );
}

/** The pending orders as they are now, not as an earlier look has left them: the choice begins with them. */
function useWaiting() {
  const { isFetchedAfterMount, data, error, refetch } = useQuery<Page<'listOrders'>, ApiProblem>({
    queryKey: ['listOrders', { query: waitingLongest }],
    queryFn: ({ signal }) => api.page('listOrders', { query: waitingLongest, signal }),
    staleTime: 0,
  });
  const { rows, total }: Partial<Page<'listOrders'>> = (isFetchedAfterMount && data) || {};
  return { rows, total, error, refetch };
}

/** Which orders to ship. What arrives, or moves up in the list, while somebody packs isn't packed. */
function useChoice(orders: readonly Order[]) {
  const [picked, setPicked] = useState<ReadonlySet<string>>();
  const choose = (some: readonly Order[]): void => setPicked(new Set(some.map(({ _id }) => _id)));
  if (!picked && orders.length > 0) choose(orders.filter(isUsual));
  return { chosen: orders.filter(({ _id }) => picked?.has(_id)), choose };
}

/** What waits to be collected doesn't stand in the way of what has waited longest, and expires first. */
function firstToShip(oldestFirst: readonly Order[]): readonly Order[] {
  const collected = oldestFirst.filter((order) => order.collected);
  return [...oldestFirst.filter((order) => !order.collected), ...collected].slice(0, atMost);
}

/** Unusual ones are left out until somebody has checked them, and those that are collected have no parcel. */
const isUsual = ({ unusual, collected }: Order): boolean => !(unusual || collected);

/** How many wait beside those that are shown, of all; nobody has counted very many. */
function moreWait(shown: number, total: number | undefined): string {
  if (total === undefined) return ' (more are waiting)';
  const more = total - shown;
  return more > 0 ? ` (${more} more ${more === 1 ? 'is' : 'are'} waiting)` : '';
}

/** Also to somebody who has scrolled down to the last orders. */
const showAtOnce = (element: HTMLElement | null): void => element?.scrollIntoView({ block: 'nearest' });

/** What wasn't shipped, and what may have been: the list is loaded again, and has what still waits. */
function Failures({ failed }: { readonly failed: readonly NotShipped[] }) {
  const lost = failed.filter(({ problem }) => isUnknown(problem));
  const rejected = failed.filter(({ problem }) => !isUnknown(problem));
  if (failed.length === 0) return null;
  return (
    <div ref={showAtOnce} className="mb-4 grid gap-4">
      {rejected.length > 0 && (
        <Alert
          kind="error"
          title={`${rejected.length} ${rejected.length === 1 ? 'order wasn’t' : 'orders weren’t'} shipped`}
        >
          {inWords(rejected)}
        </Alert>
      )}
      {lost.length > 0 && (
        <Alert kind="error" title={`We couldn’t confirm ${lost.length === 1 ? 'an order' : `${lost.length} orders`}`}>
          {inWords(lost)} Orders that are on their way are no longer in this list.
        </Alert>
      )}
    </div>
  );
}

/** Why they weren't: a reason once, after the orders that have it. */
const inWords = (some: readonly NotShipped[]): string =>
  [...Map.groupBy(some, ({ problem }) => problem.message)]
    .map(([reason, those]) => `${those.map(({ order }) => orderNumber(order)).join(', ')}: ${reason}`)
    .join(' ');

interface OrderLineProps {
  readonly order: Order;
  readonly chosen: boolean;
  readonly onChoose: (chosen: boolean) => void;
}

function OrderLine({ order, chosen, onChoose }: OrderLineProps) {
  const { clinicTimeZone } = useConfig();
  return (
    <li>
      <label className="flex cursor-pointer items-start gap-3 py-3">
        <input
          type="checkbox"
          className="mt-0.5 size-5 flex-none accent-primary"
          checked={chosen}
          onChange={({ target }) => onChoose(target.checked)}
        />
        <span className="sr-only">Ship</span>
        <span className="min-w-0 text-sm">
          <span className="block text-base font-medium tabular-nums">
            {orderNumber(order)}{' '}
            {order.collected && <StatusBadge status="Collected at the counter" tone="grey" icon="info" />}{' '}
            {order.unusual && <StatusBadge status="Unusually large" tone="yellow" icon="alert-triangle" />}
          </span>
          <span className="block">{order.items.map(({ quantity, name }) => `${quantity} × ${name}`).join(', ')}</span>
          <span className="block text-muted">
            {order.recipientName ? `${order.recipientName}, ` : ''}
            <EmailText email={order.customeremail} />, {formatInstant(order.orderDate, clinicTimeZone)}
          </span>
        </span>
      </label>
    </li>
  );
}

interface ActionsProps {
  /** How many orders are chosen. */
  readonly count: number;
  readonly busy: boolean;
  readonly onPrint: () => void;
  readonly onShip: () => void;
}

function Actions({ count, busy, onPrint, onShip }: ActionsProps) {
  return (
    <>
      <Button variant="secondary" icon="clipboard" aria-disabled={count === 0} onClick={() => count > 0 && onPrint()}>
        Print packing slips
      </Button>
      <Button icon="truck" busy={busy} aria-disabled={count === 0} onClick={() => count > 0 && onShip()}>
        {`Ship ${count} ${count === 1 ? 'order' : 'orders'}`}
      </Button>
    </>
  );
}
