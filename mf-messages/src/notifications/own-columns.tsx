import { StatusBadge } from '@clinic/ui';
import type { Column } from '@clinic/ui/tables';
import type { OwnMessage } from '../calls.ts';
import { aboutInWords, instantInWords, labelOf, reasonsForReader, statusTones } from '../words.ts';

/** What became of a message, in words for its reader. */
export const ownLabels: Readonly<Record<OwnMessage['status'], string>> = {
  pending: 'On its way',
  sent: 'Sent',
  suppressed: 'Not sent',
  failed: 'Couldn’t be sent',
};

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
      cell: ({ status, reason, dueAt }) => (
        <span className="block min-w-0">
          <StatusBadge status={ownLabels[status]} tone={statusTones[status]} />{' '}
          {status === 'pending' && (
            <span className="block text-sm text-muted">From {instantInWords(dueAt, timeZone)}</span>
          )}
          {reason && <span className="block text-sm wrap-anywhere text-muted">{reasonsForReader[reason]}</span>}
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
