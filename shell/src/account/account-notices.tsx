import { Link, notify, useConfig, useLocation } from '@clinic/app-kit';
import { minStaffPasswordLength, roleLabels, type SessionUser } from '@clinic/contracts';
import { Alert, Button, ButtonLink } from '@clinic/ui';
import { EmailText } from '@clinic/ui/email-text';
import { useState } from 'react';
import { rememberedPlace } from '../guards/remembered-place.ts';
import { SendConfirmation } from './send-confirmation.tsx';
import { ProfileDialog } from './profile-dialog.tsx';

interface AccountNoticesProps {
  readonly user: SessionUser;
  /** The person has just registered. */
  readonly registered?: boolean;
}

/** What the signed-in person still has to do to complete their account. */
export function AccountNotices({ user, registered }: AccountNoticesProps) {
  return (
    <div className="mb-6 grid gap-3 empty:hidden">
      {registered && <Interrupted />}
      {!user.emailVerified && <Unconfirmed user={user} registered={registered} />}
      {user.held?.until === 'password' && (
        <Alert
          kind="warning"
          title="Choose a longer password to start work"
          actions={
            <ButtonLink component={Link} size="sm" to="/dash/account#password" icon="edit">
              Choose a password
            </ButtonLink>
          }
        >
          You’ve been given {given(user.held)}. Before you can work, choose a password of at least{' '}
          {minStaffPasswordLength} characters. If yours is long enough already, log out and log in again.
        </Alert>
      )}
      {user.emailVerified && user.held?.until === 'second_factor' && (
        <Alert
          kind="warning"
          title="Set up a second step to start work"
          actions={
            <ButtonLink component={Link} size="sm" to="/dash/account#second-step" icon="shield">
              Set it up
            </ButtonLink>
          }
        >
          You’ve been given {given(user.held)}. Before you can work, set up your account to ask for a code from your
          phone when you log in.
        </Alert>
      )}
      {user.profileNeeded && <ProfileNeeded user={user} />}
    </div>
  );
}

/** A role, or rights beside the role of a patient. */
const given = ({ role }: NonNullable<SessionUser['held']>): string =>
  role === 'patient' ? 'rights at the clinic' : `the role ${roleLabels[role]}`;

/** Leads back to what the registration interrupted, since a registration always ends on the home page. */
function Interrupted() {
  const place = rememberedPlace(useLocation().state);
  if (place === undefined || place === '/') return null;
  const booking = place.startsWith('/appoinment/');
  return (
    <Alert
      kind="success"
      title={booking ? 'Your account is ready. Your booking is waiting' : 'Your account is ready'}
      actions={
        <ButtonLink component={Link} size="sm" to={place} icon={booking ? 'calendar' : 'arrow-right'}>
          {booking ? 'Continue booking' : 'Continue where you were'}
        </ButtonLink>
      }
    >
      {booking
        ? 'The doctor and the time you chose are kept. Nothing is booked yet.'
        : 'Go back to the page you came from.'}
    </Alert>
  );
}

function Unconfirmed({ user: { email, held }, registered }: AccountNoticesProps) {
  const { demoMode } = useConfig();
  return (
    <Alert
      kind={held ? 'warning' : 'info'}
      title={registered ? 'One more step: confirm your email address' : 'Confirm your email address'}
      actions={
        <span className="flex flex-wrap gap-2">
          {demoMode && (
            <ButtonLink
              component={Link}
              size="sm"
              variant="secondary"
              icon="mail"
              to={`/mailbox?q=${encodeURIComponent(email)}`}
            >
              Open the demo mailbox
            </ButtonLink>
          )}
          <SendConfirmation />
        </span>
      }
    >
      We sent a link to <EmailText email={email} />.{' '}
      {held
        ? `You’ve been given the role ${roleLabels[held.role]}. Open the link to start using it.`
        : 'You can have fewer appointments and orders at a time until you open it.'}
    </Alert>
  );
}

function ProfileNeeded({ user }: { readonly user: SessionUser }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Alert
        kind="warning"
        title="Tell us your name and phone number"
        actions={
          <Button size="sm" icon="edit" onClick={() => setOpen(true)}>
            Complete my details
          </Button>
        }
      >
        We need them to reach you about your appointments and orders.
      </Alert>
      {open && (
        <ProfileDialog
          user={user}
          onClose={() => setOpen(false)}
          onSaved={() => {
            setOpen(false);
            notify.success('Your details are saved');
          }}
        />
      )}
    </>
  );
}
