import { useCall, useConfig, useSession } from '@clinic/app-kit';
import type { HistoryEntry } from '@clinic/contracts';
import { Dialog, EmptyState, ErrorState, Spinner } from '@clinic/ui';
import { EarlierChanges } from '@clinic/ui/earlier-changes';
import { EmailText } from '@clinic/ui/email-text';
import { formatInstant } from './format-instant.ts';
import { describeActor, describeEntry } from './describe-entry.ts';

export interface HistoryDialogProps {
  readonly title: string;
  readonly call: 'getOrderHistory' | 'getMedicineHistory';
  /** Name of the record. */
  readonly id: string;
  readonly onClose: () => void;
}

/** The history of one order or medicine, latest first. */
export function HistoryDialog({ title, call, id, onClose }: HistoryDialogProps) {
  const { clinicTimeZone } = useConfig();
  const { data, error, isPending, refetch } = useCall(call, { params: { id } }, { staleTime: 0 });
  return (
    <Dialog open title={title} onClose={onClose}>
      {isPending && <Spinner />}
      {error && !data && (
        <ErrorState title="Error loading the history" text={error.message} onRetry={() => void refetch()} />
      )}
      {data?.length === 0 && <EmptyState icon="clock" title="There are no changes yet" />}
      <ol className="flex flex-col gap-4">
        {data?.map((entry) => (
          <li key={`${entry.at} ${entry.action}`} className="border-s-2 border-line ps-4">
            <p className="font-medium wrap-anywhere text-base-content">{describeEntry(entry)}</p>
            <p className="text-sm wrap-anywhere text-muted">
              <time dateTime={entry.at}>{formatInstant(entry.at, clinicTimeZone)}</time>
              <Actor entry={entry} />
            </p>
          </li>
        ))}
      </ol>
      {data && <EarlierChanges entries={data} />}
    </Dialog>
  );
}

function Actor({ entry }: { readonly entry: HistoryEntry }) {
  const { user } = useSession();
  const actor = describeActor(entry);
  if (!actor) return null;
  if (actor === user?.email) return ' by you';
  return (
    <>
      {' by '}
      {actor.includes('@') ? <EmailText email={actor} /> : actor}
    </>
  );
}
