import { isFinal, nextStates } from '@clinic/contracts';
import type { Order } from '@clinic/svc-pharmacy/contract/order-schemas';
import { orderTransitions, type OrderActor } from '@clinic/svc-pharmacy/contract/transitions';
import { StatusSelector } from '@clinic/ui/tables';
import { orderNumber } from './order-format.ts';
import { useOrderStatus } from './use-order-status.ts';

export interface OrderStatusSelectorProps {
  readonly order: Order;
  /** All relations of the person to this order. */
  readonly actors: readonly OrderActor[];
}

/** Offers exactly the changes that the transition table allows this person. */
export function OrderStatusSelector({ order, actors }: OrderStatusSelectorProps) {
  const { move } = useOrderStatus();
  const options = nextStates(orderTransitions, order.status, actors);
  return (
    <StatusSelector
      value={order.status}
      options={options}
      label={`Status of order ${orderNumber(order)}`}
      destructive={['Cancelled']}
      confirmTitle={() => `Cancel order ${orderNumber(order)}?`}
      confirmLabel={() => 'Yes, cancel order'}
      confirmText="The items go back into stock. This can’t be undone."
      disabledReason={whyFixed(order, options.length)}
      onChange={(next) => move(order, next)}
    />
  );
}

function whyFixed({ status }: Order, choices: number): string | undefined {
  if (isFinal(orderTransitions, status)) return `This order is ${status} and can’t be changed.`;
  return choices === 0 ? 'Only the pharmacy can change this status.' : undefined;
}
