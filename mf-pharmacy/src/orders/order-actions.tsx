import { nextStates } from '@clinic/contracts';
import type { Order } from '@clinic/svc-pharmacy/contract/order-schemas';
import { orderTransitions } from '@clinic/svc-pharmacy/contract/transitions';
import { Button } from '@clinic/ui';
import { ConfirmDialog } from '@clinic/ui/tables';
import { useState } from 'react';
import { orderNumber } from './order-format.ts';
import { useOrderStatus } from './use-order-status.ts';

/** A customer's actions if the status is only displayed: cancel while pending, mark as received. */
export function OrderActions({ order }: { readonly order: Order }) {
  const { start, busy } = useOrderStatus();
  const [confirming, setConfirming] = useState(false);
  const choices = nextStates(orderTransitions, order.status, ['customer']);

  function cancel(): void {
    setConfirming(false);
    start(order, 'Cancelled');
  }

  return (
    <>
      {choices.includes('Cancelled') && (
        <Button
          size="sm"
          variant="ghost"
          busy={busy}
          aria-label={`Cancel order ${orderNumber(order)}`}
          onClick={() => setConfirming(true)}
        >
          Cancel
        </Button>
      )}
      {choices.includes('Delivered') && (
        <Button
          size="sm"
          variant="soft"
          busy={busy}
          aria-label={`Mark as received: order ${orderNumber(order)}`}
          onClick={() => start(order, 'Delivered')}
        >
          Mark as received
        </Button>
      )}
      <ConfirmDialog
        open={confirming}
        destructive
        title={`Cancel order ${orderNumber(order)}?`}
        confirmLabel="Yes, cancel order"
        cancelLabel="Keep order"
        onConfirm={cancel}
        onCancel={() => setConfirming(false)}
      >
        This can’t be undone.
      </ConfirmDialog>
    </>
  );
}
