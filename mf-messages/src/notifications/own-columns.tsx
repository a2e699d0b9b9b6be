import { knownLabel } from '@clinic/contracts/known-words';
import { StatusBadge } from '@clinic/ui';
import type { Column } from '@clinic/ui/tables';
import type { OwnMessage } from '../calls.ts';
import { aboutInWords, instantInWords, labelOf, reasonsForReader, statusTones } from '../words.ts';

const labels: Readonly<Record<OwnMessage['status'], string>> = {
  pending: 'On its way',
  sent: 'Sent',
  suppressed: 'Not sent',
  failed: 'Couldn’t be sent',
};

/** Whether a message waits for its time, as reminders do. One whose time has come is on its way. */
export const isScheduled = ({
  status,
  createdAt,
  dueAt,
}: Pick<OwnMessage, 'status' | 'createdAt' | 'dueAt'>): boolean =>
  status === 'pending' && dueAt > createdAt && Date.parse(dueAt) > Date.now();

/** The state of a message, in words for its reader. */
export const ownLabelOf = (message: Pick<OwnMessage, 'status' | 'createdAt' | 'dueAt'>): string =>
  isScheduled(message) ? 'Scheduled' : knownLabel(labels, message.status);

/** @param timeZone - the clinic's, IANA name */
export function ownColumns(timeZone: string): Column<OwnMessage>[] {
  return [
    {
      key: 'kind',
      header: 'Message',
      primary: true,
      cell: ({ kind, about }) => (
        <span className="block min-w-0 wrap-anywhere">
          {labelOf(kind)} <span className="block text-sm font-normal text-muted">{aboutInWords(about)}</span>
        </span>
      ),
    },
    {
      key: 'status',
      header: 'Status',
      cell: (message) => (
        <span className="block min-w-0">
          <StatusBadge status={ownLabelOf(message)} tone={statusTones[message.status]} />{' '}
          {isScheduled(message) && (
            <span className="block text-sm text-muted">For {instantInWords(message.dueAt, timeZone)}</span>
          )}
          {message.reason && (
            <span className="block text-sm wrap-anywhere text-muted">
              {knownLabel(reasonsForReader, message.reason)}
            </span>
          )}
        </span>
      ),
    },
    {
      key: 'at',
      header: 'Date',
      foldInto: 'kind',
      cell: ({ sentAt, createdAt }) => (
        <time dateTime={sentAt ?? createdAt}>{instantInWords(sentAt ?? createdAt, timeZone)}</time>
      ),
    },
  ];
}
