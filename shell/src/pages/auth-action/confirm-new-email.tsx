import { notify, useNavigate } from '@clinic/app-kit';
import { AuthCard } from '../auth-card.tsx';
import type { ActionProps } from './action-props.ts';
import { SignInForm } from './sign-in-form.tsx';

/**
 * Moves an account to the new address that its owner requested. They log in first: after a typo the new mailbox may be a
 * stranger's.
 */
export function ConfirmNewEmail({ code, mailed: { email, previousEmail = '' }, account }: ActionProps) {
  const navigate = useNavigate();
  return (
    <AuthCard
      title="Confirm your new email address"
      text={`You’ll log in with ${email}, and we’ll send our emails there.`}
      after="Didn’t ask for this? Close this page and nothing will change."
    >
      <SignInForm
        email={previousEmail}
        account={account}
        submitLabel={`Log in and use ${email}`}
        onSignIn={async (given) => {
          await account.confirmNewEmail(code, { from: previousEmail, to: email }, given);
          notify.success(`Your email address is now ${email}`, 'You’ve been logged out everywhere else.');
          await navigate('/dash/account', { replace: true });
        }}
      />
    </AuthCard>
  );
}
