import { useCall, useQueryClient } from '@clinic/app-kit';
import { useChange } from '@clinic/app-kit/records';
import type { User } from '@clinic/contracts';
import { Alert, Button } from '@clinic/ui';
import { useEffect, useState } from 'react';
import { DownloadButton } from '../account/download-button.tsx';
import { named } from '../users/named-account.ts';
import { fullName } from '../users/user-names.ts';
import { EmailConfirmation } from './email-confirmation.tsx';
import { stepsOf } from './progress.ts';
import { StepList } from './step-line.tsx';

/** Milliseconds between two looks at a deletion that goes on. */
const lookEvery = 1_000;

interface DeletionPanelProps {
  readonly user: User;
  /** Whether something is running, so the dialog must not be closed. */
  readonly onBusy: (busy: boolean) => void;
  readonly onClose: () => void;
}

/** Deletes a person: says what will happen, asks for the email address, and shows how far the services have got. */
export function DeletionPanel({ user, onBusy, onClose }: DeletionPanelProps) {
  const [started, setStarted] = useState(user.erasing === true);
  const start = useChange('startErasure', { invalidates: ['listUsers'], onDone: () => setStarted(true) });
  const name = fullName(user);
  const { isPending } = start;
  useEffect(() => onBusy(isPending), [isPending, onBusy]);

  if (started) return <DeletionProgress id={user._id} name={name} onClose={onClose} />;
  return (
    <div className="grid gap-4">
      <ul className="grid list-disc gap-1 ps-5">
        <li>We log {name} out straight away, and they can’t log in again.</li>
        <li>We cancel their upcoming appointments, so others can book those times.</li>
        <li>We cancel orders we haven’t sent, and the items go back into stock.</li>
        <li>
          We remove their name, email, phone, address, age and date of birth everywhere, including the history. We keep
          past appointments and orders, without a name.
        </li>
        {user.role !== 'patient' && (
          <li>We remove their profile from the directory. Patients still see who treated them.</li>
        )}
        <li>
          <strong>This can’t be undone.</strong>
        </li>
      </ul>
      <div>
        <DownloadButton email={user.email} userId={user._id} label="Download their data first" />
      </div>
      <EmailConfirmation
        email={user.email}
        mismatch="This isn’t their email address"
        confirmLabel={`Delete ${name}`}
        cancelLabel="Go back"
        busy={isPending}
        onConfirm={() => start.mutate(named(user))}
        onCancel={onClose}
      />
    </div>
  );
}

/** The lists that a finished deletion changes. */
const changedLists = [
  'listUsers',
  'listAppointments',
  'listOrders',
  'listMedicines',
  'listDoctors',
  'listPharmacists',
] as const;

interface DeletionProgressProps {
  /** Of the person, by which the deletion is known. */
  readonly id: string;
  readonly name: string;
  readonly onClose: () => void;
}

/** How far the services have got. */
export function DeletionProgress({ id, name, onClose }: DeletionProgressProps) {
  const client = useQueryClient();
  const [finished, setFinished] = useState(false);
  const { data, error, dataUpdatedAt } = useCall(
    'getDeletion',
    { params: { id } },
    { staleTime: 0, refetchInterval: !finished && lookEvery },
  );
  if (data?.finishedAt !== undefined && !finished) setFinished(true);
  useEffect(() => {
    if (!finished) return;
    for (const list of changedLists) void client.invalidateQueries({ queryKey: [list] });
  }, [finished, client]);
  return (
    <div className="grid gap-4">
      {data ? <StepList steps={stepsOf(data, dataUpdatedAt)} /> : !error && <p className="text-muted">Loading...</p>}
      {error && !finished && (
        <Alert kind="warning" title="We can’t show how far this has got">
          {error.message}
        </Alert>
      )}
      {finished ? (
        <Alert kind="success" title={`${name} is deleted`}>
          Their history stays under a number, without their name or email address.
        </Alert>
      ) : (
        <p>{name} can’t log in any more. You can close this: the clinic goes on by itself.</p>
      )}
      <div>
        <Button variant="ghost" onClick={onClose}>
          Close
        </Button>
      </div>
    </div>
  );
}
