import { Link, useConfig, useSession } from '@clinic/app-kit';
import { Alert, Button, ButtonLink, EmailText, StatusBadge, TextField } from '@clinic/ui';
import { useState, type SyntheticEvent } from 'react';
import { Section } from './section.tsx';
import { useAccountAction } from './use-account-action.ts';

/** The address for logging in: a new one takes effect once its mailbox has been opened. */
export function EmailSection({ email }: { readonly email: string }) {
  const confirmed = useSession().user?.emailVerified === true;
  const { demoMode } = useConfig();
  const { busy, failure, run } = useAccountAction();
  const [step, setStep] = useState<'shown' | 'asked' | 'sent'>('shown');
  const [next, setNext] = useState('');
  const [wrong, setWrong] = useState<string>();

  async function begin(): Promise<void> {
    if (await run((account) => account.confirmIdentity())) setStep('asked');
  }

  async function send(event: SyntheticEvent): Promise<void> {
    event.preventDefault();
    const problem = problemOf(next, email);
    setWrong(problem);
    if (problem !== undefined) return;
    if (await run((account) => account.changeEmail(next.trim()))) setStep('sent');
  }

  return (
    <Section id="email" title="Email address" text="You use it to log in, and we send our emails there.">
      <p className="flex flex-wrap items-center gap-3">
        <strong>
          <EmailText email={email} />
        </strong>
        <StatusBadge status={confirmed ? 'Confirmed' : 'Not confirmed'} tone={confirmed ? 'green' : 'yellow'} />
      </p>
      {failure && (
        <Alert kind="error" title="We couldn’t change your email address">
          {failure}
        </Alert>
      )}
      {step === 'shown' && (
        <div>
          <Button variant="soft" icon="mail" busy={busy} onClick={() => void begin()}>
            Change my email address
          </Button>
        </div>
      )}
      {step === 'asked' && (
        <form
          noValidate
          aria-label="Change my email address"
          className="grid gap-4"
          onSubmit={(event) => void send(event)}
        >
          <TextField
            label="New email address"
            type="email"
            autoComplete="email"
            autoCapitalize="none"
            spellCheck={false}
            required
            maxLength={254}
            error={wrong}
            hint="We’ll send a link to this address. Nothing changes until you open it."
            value={next}
            onChange={(event) => setNext(event.target.value)}
          />
          <div className="flex flex-wrap gap-3">
            <Button type="submit" busy={busy}>
              Send the link
            </Button>
            <Button variant="ghost" onClick={() => setStep('shown')}>
              Go back
            </Button>
          </div>
        </form>
      )}
      {step === 'sent' && (
        <Alert
          kind="success"
          title={`We sent a link to ${next.trim()}`}
          actions={
            demoMode && (
              <ButtonLink
                component={Link}
                size="sm"
                variant="secondary"
                icon="mail"
                to={`/demo-mailbox?email=${encodeURIComponent(next.trim().toLowerCase())}`}
              >
                Open the demo mailbox
              </ButtonLink>
            )
          }
        >
          Open it, and log in with your current address one last time. After that, use the new one. We’ll also send a
          notice to <EmailText email={email} />.
        </Alert>
      )}
    </Section>
  );
}

function problemOf(next: string, present: string): string | undefined {
  if (next.trim() === '') return 'Email is required';
  if (!/^\S+@\S+\.\S+$/.test(next.trim())) return 'Enter an email address like name@example.com';
  return next.trim().toLowerCase() === present ? 'This is already your address' : undefined;
}
