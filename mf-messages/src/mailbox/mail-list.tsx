import { useConfig } from '@clinic/app-kit';
import { classNames } from '@clinic/ui';
import { EmailText } from '@clinic/ui/email-text';
import type { DemoMail } from '../calls.ts';
import { instantInWords } from '../words.ts';

interface MailListProps {
  readonly mails: readonly DemoMail[];
  /** Id of the mail that is shown. */
  readonly opened: string;
  readonly onOpen: (id: string) => void;
}

export function MailList({ mails, opened, onOpen }: MailListProps) {
  const { clinicTimeZone } = useConfig();
  return (
    <ul
      aria-label="Emails"
      className="divide-y divide-line overflow-hidden rounded-card border border-line bg-base-100"
    >
      {mails.map(({ _id, to, subject, receivedAt }) => (
        <li key={_id}>
          <button
            type="button"
            aria-current={_id === opened || undefined}
            className={classNames(
              'block w-full cursor-pointer px-4 py-3 text-start hover:bg-base-200',
              _id === opened && 'bg-tint',
            )}
            onClick={() => onOpen(_id)}
          >
            <span className="block font-semibold wrap-anywhere">{subject}</span>
            <span className="block text-sm text-muted">
              To <EmailText email={to} />
            </span>
            <time dateTime={receivedAt} className="block text-sm text-muted">
              {instantInWords(receivedAt, clinicTimeZone)}
            </time>
          </button>
        </li>
      ))}
    </ul>
  );
}
