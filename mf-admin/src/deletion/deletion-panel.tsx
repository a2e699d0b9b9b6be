import { useQueryClient } from '@clinic/app-kit';
import type { User } from '@clinic/contracts';
import { Alert, Button } from '@clinic/ui';
import { useState } from 'react';
import { DownloadButton } from '../account/download-button.tsx';
import { fullName } from '../users/user-names.ts';
import { deletePerson } from './delete-person.ts';
import { EmailConfirmation } from './email-confirmation.tsx';
import { isDone, type Progress } from './progress.ts';
import { StepList } from './step-line.tsx';

interface DeletionPanelProps {
  readonly user: User;
  /** Whether something is running, so the dialog must not be closed. */
  readonly onBusy: (busy: boolean) => void;
  readonly onClose: () => void;
}

/** Deletes a person: says what will happen, asks for the email address, shows each step, and continues where it stopped. */
export function DeletionPanel({ user, onBusy, onClose }: DeletionPanelProps) {
  const client = useQueryClient();
  const [progress, setProgress] = useState<Progress>();
  const [busy, setBusy] = useState(false);
  const name = fullName(user);

  async function run(): Promise<void> {
    setBusy(true);
    onBusy(true);
    await deletePerson(user.email, setProgress);
    setBusy(false);
    onBusy(false);
    for (const list of [
      'listUsers',
      'listAppointments',
      'listOrders',
      'listMedicines',
      'listDoctors',
      'listPharmacists',
    ])
      void client.invalidateQueries({ queryKey: [list] });
  }

  if (progress)
    return (
      <DeletionProgress name={name} progress={progress} busy={busy} onRetry={() => void run()} onClose={onClose} />
    );
  if (user.erasing) {
    return (
      <div className="grid justify-items-start gap-4">
        <p>We’ve started deleting {name}, but it isn’t finished. They can’t log in any more.</p>
        <Button variant="danger" icon="refresh" onClick={() => void run()}>
          Finish deleting
        </Button>
      </div>
    );
  }
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
        <DownloadButton email={user.email} label="Download their data first" />
      </div>
      <EmailConfirmation
        email={user.email}
        mismatch="This isn’t their email address"
        confirmLabel={`Delete ${name}`}
        cancelLabel="Go back"
        onConfirm={() => void run()}
        onCancel={onClose}
      />
    </div>
  );
}

interface DeletionProgressProps {
  readonly name: string;
  readonly progress: Progress;
  readonly busy: boolean;
  readonly onRetry: () => void;
  readonly onClose: () => void;
}

function DeletionProgress({ name, progress, busy, onRetry, onClose }: DeletionProgressProps) {
  const done = isDone(progress);
  return (
    <div className="grid gap-4">
      <StepList progress={progress} />
      {done && (
        <Alert kind="success" title={`${name} is deleted`}>
          Their history stays under a number, without their name or email address.
        </Alert>
      )}
      {!done && !busy && (
        <Alert kind="warning" title="We couldn’t delete everything yet">
          {name} can’t log in any more. Try again later. We won’t repeat the finished steps.
        </Alert>
      )}
      <div className="flex flex-wrap gap-3">
        {!done && (
          <Button variant="danger" icon="refresh" busy={busy} onClick={onRetry}>
            Try again
          </Button>
        )}
        {!busy && (
          <Button variant="ghost" onClick={onClose}>
            Close
          </Button>
        )}
      </div>
    </div>
  );
}
