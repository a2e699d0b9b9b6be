import { api, ApiProblem } from '@clinic/app-kit';
import { queryClient, session } from '@clinic/app-kit/host';
import type { SessionUser } from '@clinic/contracts';
import { Button, Dialog } from '@clinic/ui';
import { ContactFields, NameFields, PersonForm, showRejected } from '../pages/person-fields.tsx';
import { profileRules } from '../pages/profile-rules.ts';
import { useAttempt } from '../pages/use-attempt.ts';
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
  const { busy, failure, attempt } = useAttempt('The profile could not be saved', (error) => {
    showRejected(form, error);
    return error instanceof ApiProblem ? error.message : 'Something went wrong. Try again.';
  });

  const save = (values: typeof form.values): Promise<void> =>
    attempt(async () => {
      await api.call('registerUser', { body: { ...values, email: user.email, role: 'patient' } });
      await session.check();
      void queryClient.invalidateQueries({ queryKey: ['getUser'] });
      onSaved();
    });

  return (
    <Dialog open title="Your details" onClose={onClose}>
      <PersonForm form={form} failure={failure} onSave={save}>
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
      </PersonForm>
    </Dialog>
  );
}
