import { useCall, useConfig } from '@clinic/app-kit';
import { Dialog, EmptyState, ErrorState, Spinner } from '@clinic/ui';
import { EmailText } from '@clinic/ui/email-text';
import { formatInstant } from '../history/format-instant.ts';
import type { Medicine } from '../medicines/medicine.ts';
import { describeMovement } from './movement-words.ts';

/** Movements shown; the API has the older ones. */
const shown = 200;

/** What came into a medicine's stock and left it, latest first. */
export function MovementsDialog({
  medicine: { id, name },
  onClose,
}: {
  readonly medicine: Pick<Medicine, 'id' | 'name'>;
  readonly onClose: () => void;
}) {
  const { clinicTimeZone } = useConfig();
  const input = { params: { id }, query: { limit: shown } };
  const { data, error, isPending, refetch } = useCall('listMovements', input, { staleTime: 0 });
  return (
    <Dialog open title={`Stock movements of ${name}`} onClose={onClose}>
      {isPending && <Spinner />}
      {error && !data && (
        <ErrorState title="Error loading the movements" text={error.message} onRetry={() => void refetch()} />
      )}
      {data?.length === 0 && <EmptyState icon="clock" title="There are no movements yet" />}
      <ol className="flex flex-col gap-4">
        {data?.map((movement) => (
          <li key={movement._id} className="border-s-2 border-line ps-4">
            <p className="font-medium wrap-anywhere text-base-content tabular-nums">{describeMovement(movement)}</p>
            {movement.note && <p className="text-sm wrap-anywhere text-base-content">{movement.note}</p>}
            <p className="text-sm wrap-anywhere text-muted">
              <time dateTime={movement.at}>{formatInstant(movement.at, clinicTimeZone)}</time>
              {movement.actor && ' by '}
              {movement.actor &&
                (movement.actor.email ? <EmailText email={movement.actor.email} /> : whoOf(movement.actor.role))}
            </p>
          </li>
        ))}
      </ol>
      {data?.length === shown && <p className="mt-4 text-sm text-muted">These are the latest {shown}.</p>}
    </Dialog>
  );
}

const whoOf = (role: string): string => (role === 'patient' ? 'the customer' : 'the pharmacy');
