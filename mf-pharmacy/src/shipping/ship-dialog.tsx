import { useCall, useConfig } from '@clinic/app-kit';
import type { Order } from '@clinic/svc-pharmacy/contract/order-schemas';
import { isUnknown } from '@clinic/contracts/outcome';
import { Alert, Button, Dialog, EmptyState, ErrorState, Spinner, StatusBadge } from '@clinic/ui';
import { EmailText } from '@clinic/ui/email-text';
import { useState } from 'react';
import { formatInstant } from '../history/format-instant.ts';
import { orderNumber } from '../orders/order-format.ts';
import { PackingSlips } from './packing-slips.tsx';
import { useShipping, type NotShipped } from './use-shipping.ts';

/** Most orders read, newest first. */
const mostRead = 200;

/** Most orders at once: as many as somebody packs in one go. */
const atMost = 50;

/** Ships all pending orders, or some of them, and prints their packing slips. */
export function ShipDialog({ onClose }: { readonly onClose: () => void }) {
  const { clinicTimeZone } = useConfig();
  const waiting = useCall('listOrders', { query: { status: 'pending', limit: mostRead } }, { staleTime: 0 });
  const orders = firstToShip(waiting.data ?? []);
  const { isChosen, choose } = useChoice(waiting.isFetchedAfterMount ? waiting.data : undefined);
  const chosen = orders.filter(isChosen);
  const [printed, setPrinted] = useState<readonly Order[]>();
  const { ship, busy, failed } = useShipping(onClose);
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
        {waiting.isPending && <Spinner />}
        {waiting.error && !waiting.data && (
          <ErrorState
            title="Error loading orders"
            text={waiting.error.message}
            onRetry={() => void waiting.refetch()}
          />
        )}
        {waiting.data?.length === 0 && (
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
                onChange={({ target }) => choose(orders, target.checked)}
              />
              All {orders.length}
              {orders.length < (waiting.data?.length ?? 0) && ' (there are more once these are shipped)'}
            </label>
            <ul aria-label="Pending orders" className="divide-y divide-line border-y border-line">
              {orders.map((order) => (
                <OrderLine
                  key={order._id}
                  order={order}
                  chosen={isChosen(order)}
                  onChoose={(isPicked) => choose([order], isPicked)}
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

/** Who has waited longest comes first, before the order expires; what waits to be collected doesn't stand in the way. */
function firstToShip(newestFirst: readonly Order[]): readonly Order[] {
  const oldestFirst = newestFirst.toReversed();
  const collected = oldestFirst.filter((order) => order.collected);
  return [...oldestFirst.filter((order) => !order.collected), ...collected].slice(0, atMost);
}

/**
 * Which orders to ship. Unusual ones are left out until somebody has checked them, those that are collected have no parcel, and
 * what arrives while somebody packs isn't packed.
 *
 * @param loaded - the pending orders, as loaded by this dialog
 */
function useChoice(loaded: readonly Order[] | undefined) {
  const [choice, setChoice] = useState<Readonly<Record<string, boolean>>>({});
  const [first, setFirst] = useState<ReadonlySet<string>>();
  if (loaded && !first) setFirst(new Set(loaded.map(({ _id }) => _id)));
  return {
    isChosen: ({ _id, unusual, collected }: Order): boolean =>
      choice[_id] ?? (!(unusual || collected) && first?.has(_id) !== false),
    choose: (orders: readonly Order[], picked: boolean): void =>
      setChoice((before) => ({ ...before, ...Object.fromEntries(orders.map(({ _id }) => [_id, picked])) })),
  };
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
