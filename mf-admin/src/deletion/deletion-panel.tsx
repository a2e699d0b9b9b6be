import { useQueryClient } from '@clinic/app-kit';
import type { User } from '@clinic/contracts';
import { Alert, Button, TextField } from '@clinic/ui';
import { useState } from 'react';
import { DownloadButton } from '../account/download-button.tsx';
import { fullName } from '../users/user-names.ts';
import { deletePerson, isDone, notBegun, steps, type Progress, type Step } from './delete-person.ts';
import { StepLine } from './step-line.tsx';

interface DeletionPanelProps {
  readonly user: User;
  /** Whether something is running, so the dialog must not be closed. */
  readonly onBusy: (busy: boolean) => void;
  readonly onClose: () => void;
}

const names: Readonly<Record<Step, string>> = {
  lock: 'Lock the account and end its sessions',
  clinic: 'Appointments',
  pharmacy: 'Orders',
  account: 'Sign-in account and user',
};

/** Deletes a person: says what will happen, asks for the email address, shows each step, and continues where it stopped. */
export function DeletionPanel({ user, onBusy, onClose }: DeletionPanelProps) {
  const client = useQueryClient();
  const [progress, setProgress] = useState<Progress>();
  const [busy, setBusy] = useState(false);
  const [typed, setTyped] = useState('');
  const [mistyped, setMistyped] = useState(false);
  const name = fullName(user);

  async function run(): Promise<void> {
    setBusy(true);
    onBusy(true);
    setProgress(notBegun);
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

  function confirm(): void {
    const right = typed.trim().toLowerCase() === user.email;
    setMistyped(!right);
    if (right) void run();
  }

  if (progress) {
    const done = isDone(progress);
    return (
      <div className="grid gap-4">
        <ol className="grid gap-3" aria-label="Deletion steps">
          {steps.map((step) => (
            <StepLine key={step} name={names[step]} state={progress[step]} />
          ))}
        </ol>
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
            <Button variant="danger" icon="refresh" busy={busy} onClick={() => void run()}>
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
    <form
      noValidate
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        confirm();
      }}
    >
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
      <TextField
        label={`Type ${user.email} to confirm`}
        type="email"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={typed}
        error={mistyped ? 'This isn’t their email address' : undefined}
        onChange={(event) => setTyped(event.target.value)}
      />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" variant="danger" icon="trash">
          Delete {name}
        </Button>
        <Button variant="ghost" onClick={onClose}>
          Go back
        </Button>
      </div>
    </form>
  );
}
