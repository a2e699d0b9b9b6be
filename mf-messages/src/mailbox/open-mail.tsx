import { useCall, useConfig, type ApiProblem } from '@clinic/app-kit';
import { Button, Card, EmptyState, ErrorState } from '@clinic/ui';
import { Loading } from '@clinic/ui/loading';
import { EmailText } from '@clinic/ui/email-text';
import { Details } from '@clinic/ui/tables';
import { useEffect, useRef } from 'react';
import type { FullMail } from '../calls.ts';
import { languageOfMail } from '../mail/language-of-mail.ts';
import { MailTexts } from '../mail/mail-texts.tsx';
import { instantInWords } from '../words.ts';

interface OpenMailProps {
  readonly id: string;
  /** Returns to the list, which a phone shows in the mail's place. */
  readonly onBack: () => void;
}

/** One mail of the demo's mailbox. */
export function OpenMail({ id, onBack }: OpenMailProps) {
  const answer = useCall('getMailboxMail', { params: { id } });
  return (
    <div className="grid min-w-0 gap-4">
      <div className="lg:hidden">
        <Button size="sm" variant="ghost" icon="chevron-left" onClick={onBack}>
          All emails
        </Button>
      </div>
      {answer.data ? (
        <Mail mail={answer.data} />
      ) : (
        <Card>
          {answer.error ? (
            <Missing problem={answer.error} onRetry={() => void answer.refetch()} />
          ) : (
            <Loading className="h-96" />
          )}
        </Card>
      )}
    </div>
  );
}

function Missing({ problem, onRetry }: { readonly problem: ApiProblem; readonly onRetry: () => void }) {
  // The mailbox keeps mails for a while only.
  return problem.status === 404 || problem.status === 400 ? (
    <EmptyState icon="mail" title="This email isn’t here any more" text="Choose another one." />
  ) : (
    <ErrorState title="We couldn’t open this email" text={problem.message} onRetry={onRetry} />
  );
}

function Mail({ mail: { subject, from, to, receivedAt, text, html, attachments } }: { readonly mail: FullMail }) {
  const { clinicTimeZone } = useConfig();
  const heading = useRef<HTMLHeadingElement>(null);
  // The button that opened it is gone on a phone, and far from it elsewhere.
  useEffect(() => heading.current?.focus(), []);
  return (
    <Card as="article" aria-labelledby="subject" className="grid min-w-0 gap-5">
      <h2
        id="subject"
        lang={languageOfMail(html)}
        ref={heading}
        tabIndex={-1}
        className="scroll-mt-24 text-heading font-bold wrap-anywhere outline-none"
      >
        {subject}
      </h2>
      <Details
        items={[
          ['From', <EmailText key="from" email={from} />],
          ['To', <EmailText key="to" email={to} />],
          ['Received', instantInWords(receivedAt, clinicTimeZone)],
          ...(attachments.length > 0 ? [['Attached', attachments.map(({ name }) => name).join(', ')] as const] : []),
        ]}
      />
      <MailTexts subject={subject} text={text} html={html} />
    </Card>
  );
}
