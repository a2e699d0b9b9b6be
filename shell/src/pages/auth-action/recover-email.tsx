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
        `Your account has the address ${email} again`,
        'We sent you a link for a new password. Choose one now: somebody else may know the old one.',
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
      title="Undo the change of your address"
      text={`Somebody changed the email address of your account. If that wasn’t you, take ${email} back.`}
      after="Was it you? Close this page: nothing changes."
    >
      {failure && <Alert kind="error">{failure}</Alert>}
      <p>We then send you a link for a new password, because somebody else may know the old one.</p>
      <Button size="lg" block busy={busy} onClick={() => void recover()}>
        Use {email} again
      </Button>
    </AuthCard>
  );
}
