import { notify, useSession, type ApiProblem } from '@clinic/app-kit';
import { useChange } from '@clinic/app-kit/records';
import { Alert, Button, Spinner, StatusBadge, TextField } from '@clinic/ui';
import { ConfirmDialog } from '@clinic/ui/tables';
import { lazy, Suspense, useState, type SyntheticEvent } from 'react';
import { FormButtons } from './form-buttons.tsx';
import { oneself } from '../users/named-account.ts';
import { RecoveryCodes } from './recovery-codes.tsx';
import { Section } from './section.tsx';

const QrCode = lazy(async () => ({ default: (await import('./qr-code.tsx')).QrCode }));

/** The second step at login: an authenticator app on the phone, and recovery codes in case it is lost. */
export function SecondStepSection({ email }: { readonly email: string }) {
  const { user, load } = useSession();
  const [secret, setSecret] = useState<{ readonly secret: string; readonly uri: string }>();
  const [codes, setCodes] = useState<readonly string[]>();
  const [asksToRemove, setAsksToRemove] = useState(false);
  const params = { email };
  const start = useChange('startSecondFactor', { onDone: setSecret });
  const renew = useChange('renewRecoveryCodes', { onDone: ({ recoveryCodes }) => setCodes(recoveryCodes) });
  const remove = useChange('removeSecondFactor', {
    invalidates: ['getUser'],
    onDone: () => {
      notify.success('You’ve removed the second step');
      void load();
    },
  });
  const on = user?.secondFactor === true;

  function setUp(recoveryCodes: readonly string[]): void {
    setSecret(undefined);
    setCodes(recoveryCodes);
    notify.success('You’ve set up the second step');
    // A role that required this counts now.
    void load();
  }

  return (
    <Section
      id="second-step"
      title="Second step"
      text="When you log in, we also ask for a code from an app on your phone. Someone who knows your password can’t get in without it."
    >
      {codes && <RecoveryCodes codes={codes} email={email} onKept={() => setCodes(undefined)} />}
      {!codes && secret && <Enrolment email={email} {...secret} onDone={setUp} onBack={() => setSecret(undefined)} />}
      {!codes && !secret && (
        <>
          <div>
            <StatusBadge status={on ? 'On' : 'Off'} tone={on ? 'green' : 'grey'} />
          </div>
          {on ? (
            <div className="flex flex-wrap gap-3">
              <Button variant="soft" icon="refresh" busy={renew.isPending} onClick={() => renew.mutate({ params })}>
                New recovery codes
              </Button>
              <Button variant="ghost" icon="trash" busy={remove.isPending} onClick={() => setAsksToRemove(true)}>
                Remove the second step
              </Button>
            </div>
          ) : user?.emailVerified === false ? (
            <p>Confirm your email address first. The link is in our email.</p>
          ) : (
            <div>
              <Button variant="soft" icon="shield" busy={start.isPending} onClick={() => start.mutate({ params })}>
                Set up the second step
              </Button>
            </div>
          )}
        </>
      )}
      <ConfirmDialog
        open={asksToRemove}
        title="Remove the second step?"
        confirmLabel="Remove it"
        cancelLabel="Keep it"
        onCancel={() => setAsksToRemove(false)}
        onConfirm={() => {
          setAsksToRemove(false);
          remove.mutate(oneself(email));
        }}
      >
        You’ll then log in with your password only. Your authenticator app and recovery codes will stop working.
      </ConfirmDialog>
    </Section>
  );
}

interface EnrolmentProps {
  readonly email: string;
  /** Base32. */
  readonly secret: string;
  readonly uri: string;
  readonly onDone: (recoveryCodes: readonly string[]) => void;
  readonly onBack: () => void;
}

function Enrolment({ email, secret, uri, onDone, onBack }: EnrolmentProps) {
  const [code, setCode] = useState('');
  const [wrong, setWrong] = useState<string>();
  const confirm = useChange('confirmSecondFactor', {
    invalidates: ['getUser'],
    failure: false,
    onDone: ({ recoveryCodes }) => onDone(recoveryCodes),
  });

  async function send(event: SyntheticEvent): Promise<void> {
    event.preventDefault();
    const typed = code.replaceAll(/\s/g, '');
    if (!/^\d{6}$/.test(typed)) return setWrong('Enter the six-digit code from the app');
    setWrong(undefined);
    try {
      await confirm.mutateAsync({ params: { email }, body: { code: typed } });
    } catch (error) {
      const problem = error as ApiProblem;
      setWrong(problem.fieldError('code') ?? problem.message);
    }
  }

  return (
    <form noValidate aria-label="Set up the second step" className="grid gap-5" onSubmit={(event) => void send(event)}>
      <ol className="grid list-decimal gap-5 ps-5">
        <li>
          If you don’t have one yet, install an authenticator app on your phone, such as Google Authenticator, Aegis or
          2FAS.
        </li>
        <li>
          <p className="mb-3">Scan this code with the app.</p>
          <Suspense
            fallback={
              <span className="grid size-52 place-items-center rounded-lg border border-line">
                <Spinner />
              </span>
            }
          >
            <QrCode text={uri} label="QR code for the authenticator app" />
          </Suspense>
          <details className="mt-3 text-sm">
            <summary className="cursor-pointer font-semibold text-primary">I can’t scan it</summary>
            <p className="mt-2">Enter this key in the app, as a time-based one:</p>
            <p className="mt-1 font-mono tracking-wide wrap-anywhere" data-secret="">
              {secret.replaceAll(/(.{4})(?=.)/g, '$1 ')}
            </p>
          </details>
        </li>
        <li>
          <TextField
            label="Enter the six-digit code from the app"
            inputMode="numeric"
            autoComplete="one-time-code"
            required
            maxLength={10}
            className="max-w-xs"
            error={wrong}
            value={code}
            onChange={(event) => setCode(event.target.value)}
          />
        </li>
      </ol>
      {confirm.isError && wrong === undefined && <Alert kind="error">{confirm.error.message}</Alert>}
      <FormButtons label="Turn it on" busy={confirm.isPending} onBack={onBack} />
    </form>
  );
}
