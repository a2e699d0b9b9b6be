import { formatDate, formatTime } from '@clinic/app-kit';
import type { Appointment } from '@clinic/svc-clinic/contract/schemas';
import { StatusBadge } from '@clinic/ui';

interface MovedFromProps {
  readonly appointment: Pick<Appointment, 'status' | 'movedFrom'>;
}

/** Marks an appointment that its patient moved and nobody has answered, with the time the doctor knew. */
export function MovedFrom({ appointment: { status, movedFrom } }: MovedFromProps) {
  if (!movedFrom || status !== 'Pending') return null;
  return (
    <span className="mt-1 block text-sm">
      <StatusBadge status="Moved" tone="yellow" icon="calendar" />
      <span className="block text-muted">
        was {formatDate(movedFrom.date)}, {formatTime(movedFrom.time)}
      </span>
    </span>
  );
}
