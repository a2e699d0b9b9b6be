import { notify, useNavigate } from '@clinic/app-kit';
import { session } from '@clinic/app-kit/host';
import { passwordRule } from '@clinic/contracts/password-policy';
import { Alert, Button, PasswordField, TextField } from '@clinic/ui';
import { useState } from 'react';
import { AuthCard } from '../auth-card.tsx';
import { acceptsPassword, lengthRule } from '../password-rules.ts';
import { useAttempt } from '../use-attempt.ts';
import { useFields } from '../use-fields.ts';
import type { ActionProps } from './action-props.ts';

const rules = { anybody: { password: lengthRule() }, staff: { password: lengthRule(true) } };

/**
 * Sets a new password and logs in with it. Only the login shows whether the person is staff: if so, and the password is too
 * short for staff, it asks for a longer one. Until then the server gives them a patient's rights.
 */
export function ResetPassword({ code, mailed: { email }, account }: ActionProps) {
  const navigate = useNavigate();
  const [tooShort, setTooShort] = useState(false);
  const form = useFields({ password: '' }, tooShort ? rules.staff : rules.anybody);
  const { busy, failure, attempt } = useAttempt('The password could not be set', account.reasonFor);

  async function save(password: string): Promise<boolean> {
    if (!(await acceptsPassword(form, password, { staff: tooShort, email }))) return false;
    if (!tooShort) await account.resetPassword(code, email, password);
    else if (!(await account.changePassword(password))) return false;
    if (!tooShort && session.get().user?.held?.until === 'password') {
      setTooShort(true);
      form.fill({ password: '' });
      return false;
    }
    notify.success('Your new password is set', 'You’ve been logged out everywhere else.');
    await navigate('/dash', { replace: true });
    return true;
  }

  return (
    <AuthCard
      {...(tooShort
        ? {
            title: 'Choose a longer password',
            text: 'You work at the clinic and see other people’s records, so your password needs to be longer.',
          }
        : {
            title: 'Choose a new password',
            text: 'You’ll use it to log in from now on. We’ll log you out everywhere else.',
          })}
      after={null}
    >
      <form
        method="post"
        noValidate
        className="grid gap-5"
        onSubmit={(event) => form.submit(event, ({ password }) => void attempt(() => save(password)))}
      >
        {failure && <Alert kind="error">{failure}</Alert>}
        <TextField label="Email" type="email" autoComplete="username" value={email} readOnly />
        <PasswordField
          label="New password"
          autoComplete="new-password"
          required
          hint={passwordRule(tooShort ? { staff: true } : {})}
          {...form.field('password')}
        />
        <Button type="submit" size="lg" block busy={busy}>
          {tooShort ? 'Set the longer password' : 'Set the password and log in'}
        </Button>
      </form>
    </AuthCard>
  );
}
