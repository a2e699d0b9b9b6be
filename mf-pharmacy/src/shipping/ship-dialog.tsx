import { useCall, useConfig } from '@clinic/app-kit';
import type { Order } from '@clinic/contracts';
import { Alert, Button, Dialog, EmailText, EmptyState, ErrorState, Spinner, StatusBadge } from '@clinic/ui';
import { useState } from 'react';
import { formatInstant } from '../history/format-instant.ts';
import { orderNumber } from '../orders/order-format.ts';
import { PackingSlips } from './packing-slips.tsx';
import { useShipping } from './use-shipping.ts';

/** Most orders at once: as many as somebody packs in one go. */
const atMost = 50;

/** Ships all orders that wait, or some of them, and prints their packing slips. */
export function ShipDialog({ onClose }: { readonly onClose: () => void }) {
  const { clinicTimeZone } = useConfig();
  const waiting = useCall('listOrders', { query: { status: 'pending', limit: atMost } }, { staleTime: 0 });
  const orders = waiting.data ?? [];
  // Unusual orders are left out until somebody has looked at them.
  const [choice, setChoice] = useState<Readonly<Record<string, boolean>>>({});
  const isChosen = ({ _id, unusual }: Order): boolean => choice[_id] ?? !unusual;
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
            <>
              <Button
                variant="secondary"
                icon="clipboard"
                aria-disabled={chosen.length === 0}
                onClick={() => chosen.length > 0 && setPrinted(chosen)}
              >
                Print packing slips
              </Button>
              <Button
                icon="truck"
                busy={busy}
                aria-disabled={chosen.length === 0}
                onClick={() => chosen.length > 0 && void ship(chosen)}
              >
                {`Ship ${chosen.length} ${chosen.length === 1 ? 'order' : 'orders'}`}
              </Button>
            </>
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
        {orders.length > 0 && (
          <div className="grid gap-4">
            {failed.length > 0 && (
              <Alert
                kind="error"
                title={`${failed.length} ${failed.length === 1 ? 'order wasn’t' : 'orders weren’t'} shipped`}
              >
                {failed.map(({ order, reason }) => `${orderNumber(order)}: ${reason}`).join(' ')}
              </Alert>
            )}
            <label className="flex items-center gap-3 font-medium">
              <input
                type="checkbox"
                className="size-5 accent-primary"
                checked={all}
                onChange={({ target }) => setChoice(Object.fromEntries(orders.map(({ _id }) => [_id, target.checked])))}
              />
              All {orders.length}
              {orders.length === atMost && ' (there may be more once these are shipped)'}
            </label>
            <ul aria-label="Pending orders" className="divide-y divide-line border-y border-line">
              {orders.map((order) => (
                <li key={order._id}>
                  <label className="flex cursor-pointer items-start gap-3 py-3">
                    <input
                      type="checkbox"
                      className="mt-0.5 size-5 flex-none accent-primary"
                      checked={isChosen(order)}
                      onChange={({ target }) => setChoice((before) => ({ ...before, [order._id]: target.checked }))}
                    />
                    <span className="min-w-0 text-sm">
                      <span className="block text-base font-medium tabular-nums">
                        {orderNumber(order)}{' '}
                        {order.unusual && <StatusBadge status="Unusually large" tone="yellow" icon="alert-triangle" />}
                      </span>
                      <span className="block">
                        {order.items.map(({ quantity, name }) => `${quantity} × ${name}`).join(', ')}
                      </span>
                      <span className="block text-muted">
                        <EmailText email={order.customeremail} />, {formatInstant(order.orderDate, clinicTimeZone)}
                      </span>
                    </span>
                  </label>
                </li>
              ))}
            </ul>
          </div>
        )}
      </Dialog>
      {printed && <PackingSlips orders={printed} timeZone={clinicTimeZone} onPrinted={() => setPrinted(undefined)} />}
    </>
  );
}
