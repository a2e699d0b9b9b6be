import { Link, notify } from '@clinic/app-kit';
import { useChange } from '@clinic/app-kit/records';
import type { User } from '@clinic/contracts';
import { Button, ButtonLink, Dialog } from '@clinic/ui';
import { useState } from 'react';
import { DeletionPanel } from '../deletion/deletion-panel.tsx';
import { Choice } from './choice.tsx';
import { named } from './named-account.ts';
import { RightsChoice } from './rights-choice.tsx';
import { endsWithAccess } from './use-staff-changes.tsx';
import { fullName } from './user-names.ts';

interface AccountDialogProps {
  readonly user: User;
  /** Whether it is the admin's own account. */
  readonly own: boolean;
  /** Switches the account off, once dependent records are settled. Rejects if it isn't. */
  readonly onSwitchOff: (user: User) => Promise<void>;
  readonly onClose: () => void;
}

/** Actions on an account other than changing its role. */
export function AccountDialog({ user, own, onSwitchOff, onClose }: AccountDialogProps) {
  const [deleting, setDeleting] = useState(user.erasing === true);
  const [busy, setBusy] = useState(false);
  const name = fullName(user);
  return (
    <Dialog
      open
      title={deleting ? `Delete ${name}` : `Account of ${name}`}
      onClose={() => {
        if (!busy) onClose();
      }}
    >
      {deleting ? (
        <DeletionPanel user={user} onBusy={setBusy} onClose={onClose} />
      ) : (
        <Choices user={user} own={own} onSwitchOff={onSwitchOff} onClose={onClose} onDelete={() => setDeleting(true)} />
      )}
    </Dialog>
  );
}

function Choices({ onDelete, ...choice }: AccountDialogProps & { readonly onDelete: () => void }) {
  const { user, own } = choice;
  return (
    <div className="divide-y divide-line">
      {!own && user.role !== 'admin' && !user.erasing && <RightsChoice user={user} />}
      {user.role === 'patient' && <RecordsChoice user={user} />}
      <Choice title="History" text="What has been changed, and who of the staff viewed their records.">
        <span className="flex flex-wrap gap-2">
          <ButtonLink component={Link} variant="soft" icon="clock" to={searched('/dash/history', user)}>
            Changes
          </ButtonLink>
          <ButtonLink component={Link} variant="soft" icon="eye" to={`${searched('/dash/history', user)}&show=looks`}>
            Who viewed them
          </ButtonLink>
        </span>
      </Choice>
      <LogOutChoice {...choice} />
      {user.disabled ? <SwitchOnChoice {...choice} /> : <SwitchOffChoice {...choice} />}
      {!own && user.secondFactor && <SecondStepChoice {...choice} />}
      {!own && (
        <Choice
          title="Delete the person"
          text="For people who ask for it. We remove their personal details from everything the clinic keeps."
        >
          <Button variant="danger" icon="trash" onClick={onDelete}>
            Delete …
          </Button>
        </Choice>
      )}
    </div>
  );
}

function RecordsChoice({ user }: Pick<AccountDialogProps, 'user'>) {
  return (
    <Choice title="Appointments and orders" text="Everything in their name, in the lists of the clinic.">
      <span className="flex flex-wrap gap-2">
        <ButtonLink component={Link} variant="soft" icon="calendar" to={searched('/dash/appoinments', user)}>
          Appointments
        </ButtonLink>
        <ButtonLink component={Link} variant="soft" icon="package" to={searched('/dash/orders', user)}>
          Orders
        </ButtonLink>
      </span>
    </Choice>
  );
}

function LogOutChoice({ user, own, onClose }: AccountDialogProps) {
  const endSessions = useChange('endSessions', {
    onDone: () => {
      notify.success(`${fullName(user)} is logged out everywhere`);
      onClose();
    },
  });
  return (
    <Choice
      title="Log out everywhere"
      text={
        own
          ? 'Logs you out on every device, including this one. You’ll need to log in again.'
          : 'Logs them out on every device within a second. They can log in again with their password.'
      }
    >
      <Button variant="soft" icon="logout" busy={endSessions.isPending} onClick={() => endSessions.mutate(named(user))}>
        Log out everywhere
      </Button>
    </Choice>
  );
}

function SwitchOnChoice({ user, onClose }: AccountDialogProps) {
  const changeAccess = useChange('changeAccess', {
    invalidates: ['listUsers'],
    success: `${fullName(user)} can log in again`,
    onDone: onClose,
  });
  return (
    <Choice
      title="The account is switched off"
      text="No one can log in with it. We keep everything that belongs to it."
    >
      <Button
        icon="check"
        busy={changeAccess.isPending}
        onClick={() => changeAccess.mutate({ ...named(user), body: { disabled: false } })}
      >
        Switch on again
      </Button>
    </Choice>
  );
}

function SwitchOffChoice({ user, own, onSwitchOff, onClose }: AccountDialogProps) {
  const [switching, setSwitching] = useState(false);

  async function switchOff(): Promise<void> {
    setSwitching(true);
    try {
      await onSwitchOff(user);
      onClose();
    } catch (error) {
      // Whatever rejected it has shown the reason.
      console.warn('We couldn’t switch the account off', error);
      setSwitching(false);
    }
  }

  return (
    <Choice
      title="Switch the account off"
      text={
        own
          ? 'You can’t switch off your own account. Ask another admin, so there’s always someone who can log in.'
          : `Logs them out within a second. No one can log in with the account until an admin switches it on again. ${endsWithAccess}`
      }
    >
      {!own && (
        <Button variant="secondary" icon="x-circle" busy={switching} onClick={() => void switchOff()}>
          Switch off
        </Button>
      )}
    </Choice>
  );
}

function SecondStepChoice({ user, onClose }: AccountDialogProps) {
  const resetSecondStep = useChange('removeSecondFactor', {
    invalidates: ['listUsers'],
    success: `${fullName(user)} logs in without a second step, and can set one up again`,
    onDone: onClose,
  });
  return (
    <Choice
      title="Reset the second step"
      text="For people who’ve lost their phone and their recovery codes. Check it’s really them asking. We log them out, and they log in again with their password only."
    >
      <Button
        variant="soft"
        icon="shield"
        busy={resetSecondStep.isPending}
        onClick={() => resetSecondStep.mutate(named(user))}
      >
        Reset the second step
      </Button>
    </Choice>
  );
}

/** A list's address with the person's records only. */
const searched = (path: string, { email }: User): string => `${path}?q=${encodeURIComponent(email)}`;
