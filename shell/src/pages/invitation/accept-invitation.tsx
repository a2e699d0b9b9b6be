import { api, notify, openAccount, useNavigate } from '@clinic/app-kit';
import { queryClient, session } from '@clinic/app-kit/host';
import { minStaffPasswordLength } from '@clinic/contracts';
import { Alert, Button, PasswordField } from '@clinic/ui';
import { useState } from 'react';
import { AuthCard } from '../auth-card.tsx';
import { acceptsPassword, lengthRule, passwordHint } from '../password-rules.ts';
import { useFields } from '../use-fields.ts';
import { addressed, workAs, type OpenInvitation } from './open-invitation.ts';

const rules = { password: lengthRule(true) };

interface AcceptInvitationProps {
  readonly invitation: OpenInvitation;
  readonly token: string;
  /** The password is known to be long enough for somebody who works here. */
  readonly longPassword: boolean;
}

/** The confirmed person takes the role; role, profile and working times come into being together. */
export function AcceptInvitation({ invitation, token, longPassword }: AcceptInvitationProps) {
  const { role, email } = invitation;
  const navigate = useNavigate();
  const form = useFields({ password: '' }, rules);
  const [changes, setChanges] = useState(false);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();

  async function accept(password?: string): Promise<void> {
    if (busy) return;
    setFailure(undefined);
    setBusy(true);
    try {
      const account = await openAccount();
      try {
        if (password !== undefined && !(await acceptsPassword(form, password, { staff: true, email }))) return setBusy(false);
        // Cancelled: nothing is accepted either.
        if (password !== undefined && !(await account.changePassword(password))) return setBusy(false);
        await api.call('acceptInvitation', { body: { token } });
        await session.check();
        await queryClient.invalidateQueries({ queryKey: ['getUser'] });
        notify.success(`Welcome. You work here as ${workAs[role]} now`);
        await navigate('/dash', { replace: true });
      } catch (error) {
        console.error('The invitation could not be accepted', error);
        setFailure(account.reasonFor(error));
        setBusy(false);
      }
    } catch (error) {
      console.error('The sign-in code could not be loaded', error);
      setFailure('The connection was lost. Please try again.');
      setBusy(false);
    }
  }

  return (
    <AuthCard title={`Work here as ${workAs[role]}`} text={addressed(invitation, `this is your invitation. You are logged in as ${email}.`)}>
      {failure && <Alert kind="error" title="The invitation could not be accepted">{failure}</Alert>}
      <form
        method="post" noValidate className="grid gap-5"
        onSubmit={(event) => {
          if (changes && !longPassword) return form.submit(event, ({ password }) => void accept(password));
          event.preventDefault();
          void accept();
        }}
      >
        {!longPassword && (
          <fieldset className="grid gap-3">
            <legend className="mb-1 font-semibold">Your password</legend>
            <p className="text-sm text-muted">People who work here see other people’s records, so their passwords have at least {minStaffPasswordLength} characters.</p>
            <Choice checked={!changes} onChange={() => setChanges(false)}>Mine has {minStaffPasswordLength} characters or more, or I only use Google</Choice>
            <Choice checked={changes} onChange={() => setChanges(true)}>Choose a new password now</Choice>
            {changes && <PasswordField label="New password" autoComplete="new-password" required hint={passwordHint(true)} {...form.field('password')} />}
          </fieldset>
        )}
        <Button type="submit" size="lg" block busy={busy}>Accept the invitation</Button>
      </form>
    </AuthCard>
  );
}

const Choice = ({ checked, onChange, children }: { readonly checked: boolean; readonly onChange: () => void; readonly children: React.ReactNode }) => (
  <label className="flex items-start gap-3"><input type="radio" name="own-password" className="mt-0.5 size-5 shrink-0 accent-primary" checked={checked} onChange={onChange} />{children}</label>
);
