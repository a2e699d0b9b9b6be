import { notify, useNavigate, useSession } from '@clinic/app-kit';
import { Alert, Button } from '@clinic/ui';
import { useState } from 'react';
import { AuthCard } from '../auth-card.tsx';
import type { ActionProps } from './action-props.ts';

/**
 * Undoes a change of the email address, from the notice sent to the old one. Whoever made the change knows the password, so
 * a new one follows.
 */
export function RecoverEmail({ code, mailed: { email }, account }: ActionProps) {
  const { sendPasswordReset } = useSession();
  const navigate = useNavigate();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();

  async function recover(): Promise<void> {
    setFailure(undefined);
    setBusy(true);
    try {
      await account.recoverEmail(code);
      await sendPasswordReset(email);
      notify.success(
        `Your email address is ${email} again`,
        'We’ve sent you a link to choose a new password. Do it now, because someone else may know the old one.',
      );
      await navigate('/login', { replace: true });
    } catch (error) {
      console.error('The former address could not be restored', error);
      setFailure(account.reasonFor(error));
      setBusy(false);
    }
  }

  return (
    <AuthCard
      title="Undo the change to your email address"
      text={`The email address of your account was changed. If that wasn’t you, change it back to ${email}.`}
      after="Was it you? Close this page and nothing will change."
    >
      {failure && <Alert kind="error">{failure}</Alert>}
      <p>We’ll then send you a link to choose a new password, because someone else may know the old one.</p>
      <Button size="lg" block busy={busy} onClick={() => void recover()}>
        Use {email} again
      </Button>
    </AuthCard>
  );
}
