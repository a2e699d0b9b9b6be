import { knownLabel } from '@clinic/contracts/known-words';
import { useConfig } from '@clinic/app-kit';
import { useChange } from '@clinic/app-kit/records';
import { failureTitle } from '@clinic/contracts/outcome';
import { Alert, Button, Dialog, StatusBadge } from '@clinic/ui';
import { EmailText } from '@clinic/ui/email-text';
import { Details } from '@clinic/ui/tables';
import type { ReactNode } from 'react';
import { messageLists, type Message } from '../calls.ts';
import {
  aboutInWords,
  instantInWords,
  labelOf,
  nameOfLanguage,
  reasonsForAdmin,
  statusLabels,
  statusTones,
} from '../words.ts';

interface MessageDialogProps {
  readonly message: Message;
  readonly onClose: () => void;
}

/** Everything about a message, and a button that sends a failed one again. */
export function MessageDialog({ message, onClose }: MessageDialogProps) {
  const { clinicTimeZone } = useConfig();
  const resend = useChange('resendMessage', {
    invalidates: messageLists,
    success: 'The message will be sent again',
    failure: false,
    onDone: onClose,
  });
  const accept = useChange('acceptMessageAddress', {
    success: 'The next messages go to this address again',
    failure: false,
    onDone: onClose,
  });
  const { _id, kind, status, reason, lastError } = message;
  const failure = resend.error ?? accept.error;
  return (
    <Dialog
      open
      title={labelOf(kind)}
      onClose={onClose}
      actions={
        <>
          <Button variant="ghost" onClick={onClose}>
            Close
          </Button>
          {reason === 'bounced' && (
            <Button
              variant="soft"
              icon="mail"
              busy={accept.isPending}
              onClick={() => accept.mutate({ params: { id: _id } })}
            >
              Send to this address again
            </Button>
          )}
          {status === 'failed' && (
            <Button icon="refresh" busy={resend.isPending} onClick={() => resend.mutate({ params: { id: _id } })}>
              Send again
            </Button>
          )}
        </>
      }
    >
      <p className="mb-4">
        <StatusBadge status={knownLabel(statusLabels, status)} tone={statusTones[status]} />
      </p>
      <Details items={itemsOf(message, clinicTimeZone)} />
      {lastError && (
        <div className="mt-4">
          <Alert kind={status === 'failed' ? 'error' : 'warning'} title="What the mail server said">
            <span className="wrap-anywhere">{lastError}</span>
          </Alert>
        </div>
      )}
      {failure && (
        <div className="mt-4">
          <Alert
            kind="error"
            title={failureTitle(failure, resend.error ? 'We couldn’t send it again' : 'We couldn’t change the address')}
          >
            {failure.message}
          </Alert>
        </div>
      )}
    </Dialog>
  );
}

function itemsOf(message: Message, timeZone: string): (readonly [string, ReactNode])[] {
  const { to, about, reason, createdAt, dueAt, sentAt, language, attempts, nextAttemptAt, status } = message;
  const at = (instant: string): string => instantInWords(instant, timeZone);
  const email = to.email === undefined ? 'No email address' : <EmailText key="email" email={to.email} />;
  const items: readonly (readonly [string, ReactNode] | false)[] = [
    ['To', to.name ?? email],
    to.name !== undefined && ['Email', email],
    aboutInWords(about) !== '' && ['About', aboutInWords(about)],
    reason !== undefined && ['Why not sent', knownLabel(reasonsForAdmin, reason)],
    ['Asked for', at(createdAt)],
    dueAt !== createdAt && ['Due', at(dueAt)],
    sentAt !== undefined && ['Sent', at(sentAt)],
    language !== undefined && ['Language', nameOfLanguage(language)],
    ['Attempts', attempts.toLocaleString('en')],
    status === 'pending' && nextAttemptAt !== undefined && ['Next attempt', at(nextAttemptAt)],
  ];
  return items.filter((item) => item !== false);
}
