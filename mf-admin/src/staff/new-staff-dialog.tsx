import { ApiProblem } from '@clinic/app-kit';
import type { User } from '@clinic/contracts';
import { failureTitle } from '@clinic/contracts/outcome';
import { Alert, Button, Dialog } from '@clinic/ui';
import { useRef, useState, type SyntheticEvent } from 'react';
import { fullName } from '../users/user-names.ts';
import { NewProfile, type NewProfileHandle } from './new-profile.tsx';

export interface Joining {
  readonly user: User;
  readonly role: 'doctor' | 'pharmacist';
  /** Gives them the role. @throws ApiProblem */
  readonly act: () => Promise<unknown>;
}

interface NewStaffDialogProps {
  readonly joining: Joining;
  readonly onDone: () => void;
  /** The role wasn't given. */
  readonly onCancel: () => void;
}

/** Asks for the profile of somebody who gets a role that needs one. */
export function NewStaffDialog({ joining: { user, role, act }, onDone, onCancel }: NewStaffDialogProps) {
  const profile = useRef<NewProfileHandle>(null);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<{ readonly title: string; readonly text: string }>();

  async function submit(): Promise<void> {
    setFailure(undefined);
    if (busy || !(await profile.current?.check())) return;
    setBusy(true);
    try {
      await profile.current?.save();
      // Last, because this dialog is there to prevent a role without a profile.
      await act();
      onDone();
    } catch (error) {
      console.error('The role could not be assigned', error);
      const title = `${fullName(user)} isn’t a ${role} yet`;
      setFailure(
        error instanceof ApiProblem
          ? { title: failureTitle(error, title), text: error.message }
          : { title, text: 'Something went wrong. Try again.' },
      );
      setBusy(false);
    }
  }

  function close(): void {
    if (!busy) onCancel();
  }

  return (
    <Dialog open wide title={`${fullName(user)} needs a profile`} onClose={close}>
      <form
        noValidate
        className="grid gap-6"
        onSubmit={(event: SyntheticEvent) => {
          event.preventDefault();
          void submit();
        }}
      >
        <NewProfile user={user} role={role} ref={profile} />
        {failure && (
          <Alert kind="error" title={failure.title}>
            {failure.text}
          </Alert>
        )}
        <div className="flex flex-wrap justify-end gap-2">
          <Button variant="ghost" onClick={close}>
            Go back
          </Button>
          <Button type="submit" busy={busy}>
            Save and give the role
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
