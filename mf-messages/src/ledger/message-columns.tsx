import { knownLabel } from '@clinic/contracts/known-words';
import { Button, StatusBadge } from '@clinic/ui';
import { EmailText } from '@clinic/ui/email-text';
import { actionsColumn } from '@clinic/ui/list-parts';
import type { Column } from '@clinic/ui/tables';
import type { Message } from '../calls.ts';
import { aboutInWords, instantInWords, labelOf, reasonsForAdmin, statusLabels, statusTones } from '../words.ts';

/** 'Appointment reminder to Ann Lee, Dr. Grey, Tue, Dec 1, 2026 at 9:30 AM, on Nov 27, 2026, 3:00 PM' */
const nameOf = ({ kind, to, about, createdAt }: Message, timeZone: string): string =>
  [
    `${labelOf(kind)} to ${to.name ?? to.email ?? 'nobody'}`,
    aboutInWords(about),
    `on ${instantInWords(createdAt, timeZone)}`,
  ]
    .filter(Boolean)
    .join(', ');

/**
 * @param timeZone - the clinic's, IANA name
 * @param onOpen - shows everything about a message
 */
export function messageColumns(timeZone: string, onOpen: (message: Message) => void): Column<Message>[] {
  return [
    {
      key: 'to',
      header: 'To',
      primary: true,
      cell: ({ to: { name, email } }) => (
        <span className="block min-w-0">
          <span className="block max-w-60 wrap-break-word">{name ?? (email ? '' : 'Nobody')}</span>
          {email && (
            <span className="text-sm font-normal text-muted">
              <EmailText email={email} />
            </span>
          )}
        </span>
      ),
    },
    {
      key: 'kind',
      header: 'Message',
      cell: ({ kind, about }) => (
        <span className="block min-w-0 wrap-anywhere">
          {labelOf(kind)} <span className="block text-sm text-muted">{aboutInWords(about)}</span>
        </span>
      ),
    },
    {
      key: 'status',
      header: 'Status',
      cell: ({ status, reason, createdAt, dueAt }) => (
        <span className="block min-w-0">
          <StatusBadge status={knownLabel(statusLabels, status)} tone={statusTones[status]} />{' '}
          {status === 'pending' && dueAt > createdAt && (
            <span className="block text-sm text-muted">Due {instantInWords(dueAt, timeZone)}</span>
          )}
          {reason && (
            <span className="block text-sm wrap-anywhere text-muted">{knownLabel(reasonsForAdmin, reason)}</span>
          )}
        </span>
      ),
    },
    {
      key: 'at',
      header: 'Date',
      foldInto: 'kind',
      cell: ({ createdAt }) => <time dateTime={createdAt}>{instantInWords(createdAt, timeZone)}</time>,
    },
    actionsColumn((message) => (
      <Button
        size="sm"
        variant="ghost"
        aria-label={`Details: ${nameOf(message, timeZone)}`}
        onClick={() => onOpen(message)}
      >
        Details
      </Button>
    )),
  ];
}
