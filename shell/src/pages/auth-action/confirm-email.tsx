import { notify, useNavigate, useSearchParams, useSession } from '@clinic/app-kit';
import { Alert } from '@clinic/ui';
import { useState } from 'react';
import { AuthCard } from '../auth-card.tsx';
import { ForgotPassword } from '../forgot-password.tsx';
import type { ActionProps } from './action-props.ts';
import { continueTo } from './continue-to.ts';
import { SignInForm } from './sign-in-form.tsx';

/**
 * Confirms an email address. Whoever opens the link logs in first: a stranger may have registered with the address, and its
 * owner must not confirm that stranger's account by opening a mail.
 */
export function ConfirmEmail({ code, mailed: { email }, account }: ActionProps) {
  const { user } = useSession();
  const navigate = useNavigate();
  const [search] = useSearchParams();
  const [asksForReset, setAsksForReset] = useState(false);
  return (
    <AuthCard
      title="Confirm your email address"
      text="Log in to the account you registered."
      after={
        <>
          Didn’t register here? Someone else may have used your address. Don’t confirm it:{' '}
          <button
            type="button"
            className="cursor-pointer font-semibold text-primary underline underline-offset-4"
            onClick={() => setAsksForReset(true)}
          >
            reset the password instead
          </button>{' '}
          to make the account yours alone.
        </>
      }
    >
      {user && user.email !== email && (
        <Alert>
          You are logged in as {user.email} in this browser. Confirming logs you in as {email}.
        </Alert>
      )}
      <SignInForm
        email={email}
        account={account}
        submitLabel="Log in and confirm"
        onSignIn={async (given) => {
          await account.confirmEmail(code, email, given);
          notify.success('Your email address is confirmed');
          await navigate(continueTo(search.get('continueUrl')), { replace: true });
        }}
      />
      {asksForReset && <ForgotPassword email={email} onClose={() => setAsksForReset(false)} />}
    </AuthCard>
  );
}
