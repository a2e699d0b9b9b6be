import { notify, useNavigate } from '@clinic/app-kit';
import { Alert, Button, PasswordField, TextField } from '@clinic/ui';
import { useState } from 'react';
import { AuthCard } from '../auth-card.tsx';
import { acceptsPassword, lengthRule, passwordHint } from '../password-rules.ts';
import { useFields } from '../use-fields.ts';
import type { ActionProps } from './action-props.ts';

const rules = { password: lengthRule() };

/** Sets a new password, and logs in with it. */
export function ResetPassword({ code, mailed: { email }, account }: ActionProps) {
  const navigate = useNavigate();
  const form = useFields({ password: '' }, rules);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();

  async function save(password: string): Promise<void> {
    setFailure(undefined);
    setBusy(true);
    try {
      // Whether they work here shows once they are logged in: see My Account.
      if (!(await acceptsPassword(form, password, { staff: false, email }))) return setBusy(false);
      await account.resetPassword(code, email, password);
      notify.success('Your new password is set', 'You are logged out everywhere else.');
      await navigate('/dash', { replace: true });
    } catch (error) {
      console.error('The password could not be set', error);
      setFailure(account.reasonFor(error));
      setBusy(false);
    }
  }

  return (
    <AuthCard title="Choose a new password" text="You log in with it from now on, and are logged out everywhere else." after={null}>
      <form method="post" noValidate className="grid gap-5" onSubmit={(event) => form.submit(event, ({ password }) => void save(password))}>
        {failure && <Alert kind="error">{failure}</Alert>}
        <TextField label="Email" type="email" autoComplete="username" value={email} readOnly />
        <PasswordField label="New password" autoComplete="new-password" required hint={passwordHint()} {...form.field('password')} />
        <Button type="submit" size="lg" block busy={busy}>Set the password and log in</Button>
      </form>
    </AuthCard>
  );
}
