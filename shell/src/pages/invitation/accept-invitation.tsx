import { api, notify, openAccount, useNavigate } from '@clinic/app-kit';
import { session } from '@clinic/app-kit/host';
import { minStaffPasswordLength } from '@clinic/contracts';
import { passwordRule } from '@clinic/contracts/password-policy';
import { Alert, Button, PasswordField } from '@clinic/ui';
import { useState } from 'react';
import { AuthCard } from '../auth-card.tsx';
import { acceptsPassword, lengthRule } from '../password-rules.ts';
import { useFields } from '../use-fields.ts';
import { addressed, workAs, type OpenInvitation } from './open-invitation.ts';

const rules = { password: lengthRule(true) };

interface AcceptInvitationProps {
  readonly invitation: OpenInvitation;
  readonly token: string;
  /** The password used to log in is too short for staff. */
  readonly needsPassword: boolean;
}

/** The confirmed person accepts the role; role, profile and working times are created together. */
export function AcceptInvitation({ invitation, token, needsPassword }: AcceptInvitationProps) {
  const { role, email } = invitation;
  const navigate = useNavigate();
  const form = useFields({ password: '' }, rules);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();

  async function accept(password?: string): Promise<void> {
    if (busy) return;
    setFailure(undefined);
    setBusy(true);
    try {
      const account = await openAccount();
      try {
        if (password !== undefined && !(await acceptsPassword(form, password, { staff: true, email })))
          return setBusy(false);
        // Cancelled: nothing is accepted either.
        if (password !== undefined && !(await account.changePassword(password))) return setBusy(false);
        await api.call('acceptInvitation', { body: { token } });
        await session.check();
        notify.success(`Welcome. You now work here as ${workAs[role]}`);
        await navigate('/dash', { replace: true });
      } catch (error) {
        console.error('The invitation could not be accepted', error);
        setFailure(account.reasonFor(error));
        setBusy(false);
      }
    } catch (error) {
      console.error('The sign-in code could not be loaded', error);
      setFailure('The connection was lost. Try again.');
      setBusy(false);
    }
  }

  return (
    <AuthCard
      title={`Work here as ${workAs[role]}`}
      text={addressed(invitation, `this is your invitation. You are logged in as ${email}.`)}
    >
      {failure && (
        <Alert kind="error" title="We couldn’t finish accepting the invitation">
          {failure}
        </Alert>
      )}
      <form
        method="post"
        noValidate
        className="grid gap-5"
        onSubmit={(event) => {
          if (needsPassword) return form.submit(event, ({ password }) => void accept(password));
          event.preventDefault();
          void accept();
        }}
      >
        {needsPassword && (
          <>
            <p>
              You’ll see other people’s records, so your password needs at least {minStaffPasswordLength} characters.
              Choose a longer one.
            </p>
            <PasswordField
              label="New password"
              autoComplete="new-password"
              required
              hint={passwordRule({ staff: true })}
              {...form.field('password')}
            />
          </>
        )}
        <Button type="submit" size="lg" block busy={busy}>
          Accept the invitation
        </Button>
      </form>
    </AuthCard>
  );
}
