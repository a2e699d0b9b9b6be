import type { AccountActions } from '@clinic/app-kit';
import type { SignIn } from '@clinic/app-kit/account-actions';
import { authCode } from '@clinic/app-kit/host';
import { Alert, Button, PasswordField, TextField } from '@clinic/ui';
import { GoogleButton } from '../google-button.tsx';
import { useAccountChooser } from '../use-account-chooser.tsx';
import { useAttempt } from '../use-attempt.ts';
import { required, useFields } from '../use-fields.ts';

const rules = { password: required('Password is required') };

interface SignInFormProps {
  /** The person who has to sign in. */
  readonly email: string;
  readonly account: AccountActions;
  readonly submitLabel: string;
  /** What to do once signed in; resolves when all is done. */
  readonly onSignIn: (given: SignIn) => Promise<void>;
}

/** Asks one known person for their password or Google account. */
export function SignInForm({ email, account, submitLabel, onSignIn }: SignInFormProps) {
  const form = useFields({ password: '' }, rules);
  const { busy, failure, attempt } = useAttempt('The link’s action failed', (error) =>
    authCode(error) === 'invalid-credential'
      ? 'This isn’t the right password for this account.'
      : account.reasonFor(error),
  );
  const { choose, chooser } = useAccountChooser();

  const send = (given: SignIn): void => void attempt(() => onSignIn(given));

  return (
    <div className="grid gap-5">
      <form
        method="post"
        noValidate
        className="grid gap-5"
        onSubmit={(event) => form.submit(event, ({ password }) => send({ by: 'password', password }))}
      >
        {failure && <Alert kind="error">{failure}</Alert>}
        <TextField label="Email" type="email" autoComplete="username" value={email} readOnly />
        <PasswordField label="Password" autoComplete="current-password" required {...form.field('password')} />
        <Button type="submit" size="lg" block busy={busy}>
          {submitLabel}
        </Button>
      </form>
      <p className="flex items-center gap-4 text-sm text-muted before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        or
      </p>
      <GoogleButton onClick={() => send({ by: 'google', choose })} />
      {chooser}
    </div>
  );
}
