import { api, ApiProblem } from '@clinic/app-kit';
import { queryClient, session } from '@clinic/app-kit/host';
import type { SessionUser } from '@clinic/contracts';
import { Alert, Button, Dialog } from '@clinic/ui';
import { useState } from 'react';
import { ContactFields, NameFields, showRejected } from '../pages/person-fields.tsx';
import { profileRules } from '../pages/profile-rules.ts';
import { useFields } from '../pages/use-fields.ts';

interface ProfileDialogProps {
  readonly user: SessionUser;
  readonly onSaved: () => void;
  readonly onClose: () => void;
}

/** Asks for the personal details an account lacks. */
export function ProfileDialog({ user, onSaved, onClose }: ProfileDialogProps) {
  const form = useFields(
    { firstName: user.firstName, lastName: user.lastName, phone: '', dateOfBirth: '' },
    profileRules,
  );
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();

  async function save(values: typeof form.values): Promise<void> {
    setFailure(undefined);
    setBusy(true);
    try {
      await api.call('registerUser', { body: { ...values, email: user.email, role: 'patient' } });
      await session.check();
      void queryClient.invalidateQueries({ queryKey: ['getUser'] });
      onSaved();
    } catch (error) {
      console.error('The profile could not be saved', error);
      setFailure(error instanceof ApiProblem ? error.message : 'Something went wrong. Try again.');
      showRejected(form, error);
      setBusy(false);
    }
  }

  return (
    <Dialog open title="Your details" onClose={onClose}>
      <form
        method="post"
        noValidate
        className="grid gap-5 sm:grid-cols-2"
        onSubmit={(event) => form.submit(event, (values) => void save(values))}
      >
        {failure && (
          <div className="sm:col-span-2">
            <Alert kind="error">{failure}</Alert>
          </div>
        )}
        <NameFields form={form} />
        <ContactFields form={form} />
        <div className="flex flex-wrap justify-end gap-2 sm:col-span-2">
          <Button variant="ghost" onClick={onClose}>
            Not now
          </Button>
          <Button type="submit" busy={busy}>
            Save my details
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
