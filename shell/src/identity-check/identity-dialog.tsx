import { ApiProblem, useSession } from '@clinic/app-kit';
import { attemptOf, type Attempt } from '@clinic/app-kit/attempt';
import { authCode, reasonFor, type IdentityAnswer, type IdentityCheck } from '@clinic/app-kit/host';
import { Button, Dialog, PasswordField, TextField } from '@clinic/ui';
import { EmailText } from '@clinic/ui/email-text';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { capitalised } from '../pages/capitalised.ts';
import { GoogleButton } from '../pages/google-button.tsx';
import { useAccountChooser } from '../pages/use-account-chooser.tsx';
import { required, useFields } from '../pages/use-fields.ts';

const passwordRules = { password: required('Password is required') };
const codeRules = { code: required('Enter the code') };

/** The kinds of prompt: password or Google, authenticator app, or recovery code. */
type Way = 'password' | 'code' | 'recovery';

const titles: Readonly<Record<IdentityCheck['kind'], string>> = {
  second_factor: 'Enter your code',
  proof: 'Confirm it’s you',
  sign_in: 'Log in again',
  mail: 'Send the email again',
};

interface IdentityDialogProps {
  readonly check: IdentityCheck;
}

/** Prompts for the person's identity; {@link IdentityCheck} lists when. */
export function IdentityDialog({ check }: IdentityDialogProps) {
  const { kind, email } = check;
  const { user, prepareSignIn } = useSession();
  const hasCode = kind === 'second_factor' || (kind === 'proof' && user?.secondFactor === true);
  const [way, setWay] = useState<Way>(hasCode ? 'code' : 'password');
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const sent = useRef<Attempt>(undefined);
  const { choose, chooser } = useAccountChooser();

  // Google's window only opens right after a press, so everything it needs must be loaded by then.
  useEffect(() => {
    if (kind !== 'second_factor') prepareSignIn();
  }, [kind, prepareSignIn]);

  async function answer(given: IdentityAnswer): Promise<void> {
    if (busy) return;
    setFailure(undefined);
    setBusy(true);
    try {
      await check.answer(given);
    } catch (error) {
      console.warn('The answer was rejected', error);
      setFailure(sayWhy(error));
      setBusy(false);
    }
  }

  const switchTo = (next: Way) => {
    setFailure(undefined);
    setWay(next);
  };

  return (
    <>
      <Dialog
        open
        title={titles[kind]}
        onClose={() => {
          if (!busy) check.cancel();
        }}
      >
        <div className="grid gap-5">
          <p>{textOf(kind, way, email)}</p>
          {way === 'password' ? (
            <>
              <PasswordForm
                email={email}
                busy={busy}
                failure={failure}
                onSend={(password) => void answer({ by: 'password', password })}
                onCancel={check.cancel}
              />
              <div className="grid gap-3">
                <p className="flex items-center gap-4 text-sm before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
                  or
                </p>
                <GoogleButton onClick={() => void answer({ by: 'google', choose })} />
              </div>
            </>
          ) : (
            <CodeForm
              key={way}
              recovery={way === 'recovery'}
              busy={busy}
              failure={failure}
              onSend={(code) => {
                sent.current = attemptOf(code, sent.current);
                void answer({ by: 'code', code, key: sent.current.key });
              }}
              onCancel={check.cancel}
            />
          )}
          {hasCode && <OtherWay way={way} onSwitch={switchTo} />}
          {kind === 'proof' && <p className="text-sm">You won’t be asked again for 10 minutes.</p>}
        </div>
      </Dialog>
      {chooser}
    </>
  );
}

function sayWhy(error: unknown): string {
  // The address is fixed: only the password can be wrong.
  if (['invalid-credential', 'wrong-password', 'invalid-login-credentials'].includes(authCode(error) ?? ''))
    return 'This password isn’t right';
  return (
    (error instanceof ApiProblem ? error.problem.errors?.[0]?.message : undefined) ?? capitalised(reasonFor(error))
  );
}

function textOf(kind: IdentityCheck['kind'], way: Way, email: string): ReactNode {
  const whose = (
    <strong className="text-base-content">
      <EmailText email={email} />
    </strong>
  );
  if (way === 'code') return <>Open your authenticator app and enter the six-digit code for {whose}.</>;
  if (way === 'recovery') return <>Enter one of the recovery codes for {whose}. Each code works once.</>;
  if (kind === 'sign_in') return <>To change how you log in, first enter the password for {whose}.</>;
  if (kind === 'mail') return <>Enter the password for {whose}, and we’ll send the email.</>;
  return <>To keep records safe, we need to check it’s you. Enter the password for {whose}.</>;
}

function OtherWay({ way, onSwitch }: { readonly way: Way; readonly onSwitch: (way: Way) => void }) {
  return (
    <p className="border-t border-line pt-4 text-sm">
      {way === 'recovery' ? (
        <SwitchLink onClick={() => onSwitch('code')}>Use the authenticator app</SwitchLink>
      ) : (
        <SwitchLink onClick={() => onSwitch('recovery')}>Use a recovery code</SwitchLink>
      )}
    </p>
  );
}

const SwitchLink = ({ onClick, children }: { readonly onClick: () => void; readonly children: ReactNode }) => (
  <button
    type="button"
    className="cursor-pointer py-1 font-semibold text-primary underline-offset-4 hover:underline"
    onClick={onClick}
  >
    {children}
  </button>
);

/** Initial focus of the dialog, instead of its close button. */
const focused = (element: HTMLInputElement | null): void => element?.setAttribute('autofocus', '');

interface FormProps {
  readonly busy: boolean;
  readonly failure: string | undefined;
  readonly onCancel: () => void;
}

function PasswordForm({
  email,
  busy,
  failure,
  onSend,
  onCancel,
}: FormProps & { readonly email: string; readonly onSend: (password: string) => void }) {
  const form = useFields({ password: '' }, passwordRules);
  const { error, ...field } = form.field('password');
  return (
    <form
      method="post"
      noValidate
      className="grid gap-4"
      onSubmit={(event) => form.submit(event, ({ password }) => onSend(password))}
    >
      {/* Password managers need to know whose password it is. */}
      <input type="email" autoComplete="username" value={email} readOnly hidden />
      <PasswordField
        ref={focused}
        label="Password"
        autoComplete="current-password"
        required
        error={error ?? failure}
        {...field}
      />
      <Buttons busy={busy} onCancel={onCancel} />
    </form>
  );
}

const appCode = {
  label: 'Six-digit code',
  inputMode: 'numeric',
  autoComplete: 'one-time-code',
  maxLength: 10,
} as const;
const recoveryCode = {
  label: 'Recovery code',
  autoComplete: 'off',
  autoCapitalize: 'characters',
  spellCheck: false,
  maxLength: 40,
} as const;

function CodeForm({
  recovery,
  busy,
  failure,
  onSend,
  onCancel,
}: FormProps & { readonly recovery: boolean; readonly onSend: (code: string) => void }) {
  const form = useFields({ code: '' }, codeRules);
  const { error, ...field } = form.field('code');
  return (
    <form
      method="post"
      noValidate
      className="grid gap-4"
      onSubmit={(event) => form.submit(event, ({ code }) => onSend(code.trim()))}
    >
      <TextField ref={focused} required error={error ?? failure} {...(recovery ? recoveryCode : appCode)} {...field} />
      <Buttons busy={busy} onCancel={onCancel} />
    </form>
  );
}

function Buttons({ busy, onCancel }: Pick<FormProps, 'busy' | 'onCancel'>) {
  return (
    <div className="flex flex-wrap justify-end gap-2">
      <Button
        variant="ghost"
        aria-disabled={busy}
        onClick={() => {
          if (!busy) onCancel();
        }}
      >
        Cancel
      </Button>
      <Button type="submit" busy={busy}>
        Confirm
      </Button>
    </div>
  );
}
