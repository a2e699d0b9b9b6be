import { formatShortDate } from '@clinic/app-kit';
import type { Order } from '@clinic/svc-pharmacy/contract/order-schemas';
import { StatusBadge } from '@clinic/ui';
import { formatInstant } from '../history/format-instant.ts';

export interface OrderNotesProps {
  readonly order: Order;
  /** The clinic's, IANA name. */
  readonly timeZone: string;
  readonly forStaff: boolean;
}

/** Why an order needs attention: it is unusually large, or it will be cancelled unless it is sent in time. */
export function OrderNotes({
  order: { status, unusual, heldUntil, prescription, collected },
  timeZone,
  forStaff,
}: OrderNotesProps) {
  return (
    <>
      {heldUntil && status === 'pending' && (
        <span className="block min-w-24 text-sm xl:min-w-38 font-normal text-muted">
          {forStaff && !collected ? 'Send by' : 'Held until'} {formatInstant(heldUntil, timeZone)}
        </span>
      )}
      {prescription && (
        <span className="block min-w-24 text-sm xl:min-w-38 font-normal text-muted">
          Prescription of {formatShortDate(prescription.date)} by {prescription.prescriber}
        </span>
      )}
      {unusual && forStaff && (
        <span className="mt-1 block">
          <StatusBadge status="Unusually large" tone="yellow" icon="alert-triangle" />
        </span>
      )}
    </>
  );
}
