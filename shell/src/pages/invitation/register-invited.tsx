import { Link, useSession } from '@clinic/app-kit';
import { authCode, reasonFor } from '@clinic/app-kit/host';
import { passwordRule } from '@clinic/contracts/password-policy';
import { Button, TextField } from '@clinic/ui';
import { useEffect } from 'react';
import { AuthCard } from '../auth-card.tsx';
import { capitalised } from '../capitalised.ts';
import { acceptsPassword, lengthRule } from '../password-rules.ts';
import { ContactFields, NameFields, NewPasswordField, PersonForm, showRejected } from '../person-fields.tsx';
import { profileRules } from '../profile-rules.ts';
import { useAttempt } from '../use-attempt.ts';
import { useFields } from '../use-fields.ts';
import { addressed, workAs, type OpenInvitation } from './open-invitation.ts';

const rules = { ...profileRules, password: lengthRule(true) };

interface RegisterInvitedProps {
  readonly invitation: OpenInvitation;
  readonly token: string;
}

/** Registers the invited person; somebody with an account for the address logs in instead. */
export function RegisterInvited({ invitation, token }: RegisterInvitedProps) {
  const { email, role, name } = invitation;
  const { createAccount, prepareSignIn } = useSession();
  const [firstName = '', ...others] = name.replace(/^(?:Dr|Prof)\.?\s+/i, '').split(' ');
  const form = useFields({ firstName, lastName: others.join(' '), phone: '', dateOfBirth: '', password: '' }, rules);
  const { busy, failure, attempt } = useAttempt('Registration failed', (error) => {
    showRejected(form, error);
    return authCode(error) === 'email-already-in-use'
      ? 'There’s already an account with this address. Log in to it below, or reset your password.'
      : capitalised(reasonFor(error));
  });
  const logIn = (
    <Link
      to="/login"
      state={{ from: `/register?invitation=${encodeURIComponent(token)}` }}
      className="font-semibold text-primary underline underline-offset-4"
    >
      Log in
    </Link>
  );

  useEffect(prepareSignIn, [prepareSignIn]);

  const save = ({ password, ...profile }: typeof form.values): Promise<void> =>
    attempt(async () => {
      if (!(await acceptsPassword(form, password, { staff: true, email }))) return false;
      return createAccount({ ...profile, email }, password, location.href);
    });

  return (
    <AuthCard
      title={`Work here as ${workAs[role]}`}
      text={addressed(invitation, 'you’re invited. Create an account with the address we invited.')}
      after={<>Already have an account with this address? {logIn}</>}
    >
      <PersonForm form={form} failure={failure} onSave={save}>
        <NameFields form={form} />
        <TextField
          label="Email"
          type="email"
          autoComplete="username"
          value={email}
          readOnly
          className="sm:col-span-2"
        />
        <ContactFields form={form} />
        <NewPasswordField form={form} rule={passwordRule({ staff: true })} />
        <Button type="submit" size="lg" block busy={busy} className="sm:col-span-2">
          Create my account
        </Button>
      </PersonForm>
    </AuthCard>
  );
}
