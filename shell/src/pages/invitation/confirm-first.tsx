import { Link, useConfig } from '@clinic/app-kit';
import { Alert, ButtonLink } from '@clinic/ui';
import { EmailText } from '@clinic/ui/email-text';
import { SendConfirmation } from '../../account/send-confirmation.tsx';
import { AuthCard } from '../auth-card.tsx';
import { workAs, type OpenInvitation } from './open-invitation.ts';

/** Accepting a role requires proof of reading the mail of the invited address. */
export function ConfirmFirst({ invitation: { email, role } }: { readonly invitation: OpenInvitation }) {
  const { demoMode } = useConfig();
  return (
    <AuthCard title="Confirm your email address" text={`One more step before you work here as ${workAs[role]}.`}>
      <Alert>
        We sent a link to <EmailText email={email} />. Open it to come back here.
      </Alert>
      <div className="flex flex-wrap gap-2">
        {demoMode && (
          <ButtonLink component={Link} icon="mail" to={`/mailbox?q=${encodeURIComponent(email)}`}>
            Open the demo mailbox
          </ButtonLink>
        )}
        <SendConfirmation continueTo={location.href} />
      </div>
    </AuthCard>
  );
}
