import { Link, useConfig, useSession } from '@clinic/app-kit';
import { emailMessage, isTypedAddress, typedAddress } from '@clinic/contracts/typed-address';
import { Alert, Button, ButtonLink, StatusBadge, TextField } from '@clinic/ui';
import { EmailText } from '@clinic/ui/email-text';
import { useState, type SyntheticEvent } from 'react';
import { FormButtons } from './form-buttons.tsx';
import { Section } from './section.tsx';
import { useAccountAction } from './use-account-action.ts';

/** The address for logging in: a new one takes effect once its mailbox has been opened. */
export function EmailSection({ email }: { readonly email: string }) {
  const confirmed = useSession().user?.emailVerified === true;
  const { busy, failure, run } = useAccountAction();
  const [step, setStep] = useState<'shown' | 'asked' | 'sent'>('shown');
  const [next, setNext] = useState('');

  async function begin(): Promise<void> {
    if (await run((account) => account.confirmIdentity())) setStep('asked');
  }

  async function send(address: string): Promise<void> {
    setNext(address);
    if (await run((account) => account.changeEmail(address))) setStep('sent');
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
        <EmailForm
          present={email}
          busy={busy}
          onSend={(address) => void send(address)}
          onBack={() => setStep('shown')}
        />
      )}
      {step === 'sent' && <LinkSent email={email} next={next} />}
    </Section>
  );
}

interface EmailFormProps {
  readonly present: string;
  readonly busy: boolean;
  readonly onSend: (address: string) => void;
  readonly onBack: () => void;
}

function EmailForm({ present, busy, onSend, onBack }: EmailFormProps) {
  const [next, setNext] = useState('');
  const [wrong, setWrong] = useState<string>();

  function send(event: SyntheticEvent): void {
    event.preventDefault();
    const problem = problemOf(next, present);
    setWrong(problem);
    if (problem === undefined) onSend(typedAddress(next));
  }

  return (
    <form noValidate aria-label="Change my email address" className="grid gap-4" onSubmit={send}>
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
      <FormButtons label="Send the link" busy={busy} onBack={onBack} />
    </form>
  );
}

function LinkSent({ email, next }: { readonly email: string; readonly next: string }) {
  const { demoMode } = useConfig();
  return (
    <Alert
      kind="success"
      title={`We sent a link to ${next}`}
      actions={
        demoMode && (
          <ButtonLink
            component={Link}
            size="sm"
            variant="secondary"
            icon="mail"
            to={`/mailbox?q=${encodeURIComponent(next.toLowerCase())}`}
          >
            Open the demo mailbox
          </ButtonLink>
        )
      }
    >
      Open it, and log in with your current address one last time. After that, use the new one. We’ll also send a notice
      to <EmailText email={email} />.
    </Alert>
  );
}

function problemOf(next: string, present: string): string | undefined {
  const email = typedAddress(next).toLowerCase();
  if (email === '') return 'Email is required';
  if (!isTypedAddress(next)) return emailMessage;
  return email === present ? 'This is already your address' : undefined;
}
