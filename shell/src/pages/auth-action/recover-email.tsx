import { notify, useNavigate, useSession } from '@clinic/app-kit';
import { Alert, Button } from '@clinic/ui';
import { AuthCard } from '../auth-card.tsx';
import { useAttempt } from '../use-attempt.ts';
import type { ActionProps } from './action-props.ts';

/**
 * Undoes a change of the email address, from the notice sent to the old one. Whoever made the change knows the password, so
 * a new one follows.
 */
export function RecoverEmail({ code, mailed: { email }, account }: ActionProps) {
  const { sendPasswordReset } = useSession();
  const navigate = useNavigate();
  const { busy, failure, attempt } = useAttempt('The former address could not be restored', account.reasonFor);

  async function recover(): Promise<void> {
    await account.recoverEmail(code);
    await sendPasswordReset(email);
    notify.success(
      `Your email address is ${email} again`,
      'We’ve sent you a link to choose a new password. Do it now, because someone else may know the old one.',
    );
    await navigate('/login', { replace: true });
  }

  return (
    <AuthCard
      title="Undo the change to your email address"
      text={`The email address of your account was changed. If that wasn’t you, change it back to ${email}.`}
      after="Was it you? Close this page and nothing will change."
    >
      {failure && <Alert kind="error">{failure}</Alert>}
      <p>We’ll then send you a link to choose a new password, because someone else may know the old one.</p>
      <Button size="lg" block busy={busy} onClick={() => void attempt(recover)}>
        Use {email} again
      </Button>
    </AuthCard>
  );
}
