import { knownLabel } from '@clinic/contracts/known-words';
import { api, useConfig, useQuery, type ApiProblem } from '@clinic/app-kit';
import { useChange } from '@clinic/app-kit/records';
import { Button, EmptyState, ErrorState, Spinner, StatusBadge } from '@clinic/ui';
import { useState } from 'react';
import { messageLists, type OwnMessage } from '../calls.ts';
import { instantInWords, labelOf, reasonsForAdmin, reasonsForReader, statusLabels, statusTones } from '../words.ts';
import { isScheduled, ownLabelOf } from '../notifications/own-columns.tsx';

/** Messages per page. */
const limit = 20;

interface RecordMessagesProps {
  /** The record that the messages are about, by its id. */
  readonly of: { readonly appointment?: string; readonly order?: string };
  /** For the person they went to; otherwise for an admin, who sees everybody's. */
  readonly own: boolean;
}

/** What was sent about a record, latest first. */
export const RecordMessages = (props: RecordMessagesProps) => (
  <div className="grid gap-4">
    <Page {...props} />
  </div>
);

interface PageProps extends RecordMessagesProps {
  readonly cursor?: string;
}

/** A page of them; the one after it on request. */
function Page({ of, own, cursor }: PageProps) {
  const [more, setMore] = useState(false);
  const call = own ? 'listOwnMessages' : 'listMessages';
  const query = { ...of, limit, cursor };
  const { data, error, refetch } = useQuery<{ rows: readonly OwnMessage[]; next?: string | undefined }, ApiProblem>({
    queryKey: [call, query],
    queryFn: ({ signal }) => api.page(call, { query, signal }),
  });
  if (!data)
    return error ? (
      <ErrorState title="Error loading the messages" text={error.message} onRetry={() => void refetch()} />
    ) : (
      <Spinner />
    );
  if (data.rows.length === 0)
    return <EmptyState icon="mail" title="No messages yet" text="What we email about it appears here." />;
  return (
    <>
      <ol className="grid gap-4">
        {data.rows.map((message) => (
          <Line key={message._id} message={message} own={own} />
        ))}
      </ol>
      {data.next !== undefined &&
        (more ? (
          <Page of={of} own={own} cursor={data.next} />
        ) : (
          <Button variant="secondary" size="sm" onClick={() => setMore(true)}>
            Show older messages
          </Button>
        ))}
    </>
  );
}

function Line({ message, own }: { readonly message: OwnMessage; readonly own: boolean }) {
  const { clinicTimeZone } = useConfig();
  const { _id, kind, status, reason, createdAt, dueAt, sentAt } = message;
  const at = sentAt ?? (status === 'pending' ? dueAt : createdAt);
  return (
    <li className="grid gap-1 border-s-2 border-line ps-4">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="font-medium wrap-anywhere">{labelOf(kind)}</span>
        <StatusBadge status={own ? ownLabelOf(message) : knownLabel(statusLabels, status)} tone={statusTones[status]} />
      </p>
      <p className="text-sm wrap-anywhere text-muted">
        {isScheduled(message) && 'For '}
        <time dateTime={at}>{instantInWords(at, clinicTimeZone)}</time>
        {reason && `. ${knownLabel(own ? reasonsForReader : reasonsForAdmin, reason)}`}
      </p>
      {!own && status === 'failed' && <SendAgain id={_id} kind={kind} />}
    </li>
  );
}

function SendAgain({ id, kind }: { readonly id: string; readonly kind: string }) {
  const resend = useChange('resendMessage', { invalidates: messageLists, success: 'The message will be sent again' });
  return (
    <div>
      <Button
        size="sm"
        variant="soft"
        icon="refresh"
        busy={resend.isPending}
        aria-label={`Send again: ${labelOf(kind)}`}
        onClick={() => resend.mutate({ params: { id } })}
      >
        Send again
      </Button>
    </div>
  );
}
