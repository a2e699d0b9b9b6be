import { clinicMoment, formatDate, Link, notify, useConfig } from '@clinic/app-kit';
import type { CallResponse } from '@clinic/contracts';
import { Alert, brand, Button, ButtonLink, TextField } from '@clinic/ui';
import { EmailText } from '@clinic/ui/email-text';
import { useRef } from 'react';

interface InvitationLinkProps {
  readonly made: CallResponse<'inviteStaff'>;
  /** Starts another invitation. */
  readonly onNext: () => void;
}

/** Shows the link of a new invitation once: only the invited person can use it, and it can't be read again. */
export function InvitationLink({ made: { invitation, token }, onNext }: InvitationLinkProps) {
  const { demoMode, clinicTimeZone } = useConfig();
  const field = useRef<HTMLInputElement>(null);
  const link = `${location.origin}/register?invitation=${token}`;
  const until = formatDate(clinicMoment(new Date(invitation.expiresAt), clinicTimeZone).date);
  const mail = `mailto:${encodeURIComponent(invitation.email)}?subject=${encodeURIComponent(`Your invitation to ${brand.brandName}`)}&body=${encodeURIComponent(`You’re invited to work at ${brand.brandName} as ${invitation.role}. Open this link by ${until}:\n\n${link}\n`)}`;

  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(link);
      notify.success('The link is copied');
    } catch (error) {
      // The browser doesn't allow copying: the person does it by hand.
      console.warn('Could not copy', error);
      field.current?.select();
      notify.info('Press Ctrl+C to copy the link');
    }
  }

  return (
    <div className="grid gap-5">
      <Alert kind="success" title={`${invitation.name || invitation.email} is invited`}>
        Send them this link. We won’t show it again.
      </Alert>
      <div className="flex flex-wrap items-end gap-3">
        <TextField
          ref={field}
          label="Invitation link"
          readOnly
          value={link}
          className="min-w-0 flex-[1_1_16rem]"
          onFocus={(event) => event.currentTarget.select()}
        />
        <Button icon="clipboard" onClick={() => void copy()}>
          Copy the link
        </Button>
        <ButtonLink href={mail} variant="secondary" icon="mail">
          Write an email
        </ButtonLink>
      </div>
      <ul className="grid list-disc gap-1 ps-5 text-sm text-muted">
        <li>
          It works until {until}, for <EmailText email={invitation.email} /> only.
        </li>
        <li>Lost it? Revoke the invitation and create a new one.</li>
        {demoMode && (
          <li>
            In this demo, open it in a private window. The email that confirms the address is in the{' '}
            <Link className="underline underline-offset-4" to={`/mailbox?q=${encodeURIComponent(invitation.email)}`}>
              demo mailbox
            </Link>
            .
          </li>
        )}
      </ul>
      <div className="flex flex-wrap gap-3">
        <Button variant="soft" icon="plus" onClick={onNext}>
          Invite someone else
        </Button>
        <ButtonLink component={Link} variant="ghost" to="/dash/staff">
          All invitations
        </ButtonLink>
      </div>
    </div>
  );
}
