import { api, ApiProblem, notify, useCall, useNavigate, useSession } from '@clinic/app-kit';
import { isStaff, type User } from '@clinic/contracts';
import { brand, Alert, Button } from '@clinic/ui';
import { useState } from 'react';
import { EmailConfirmation } from '../deletion/email-confirmation.tsx';
import { oneself } from '../users/named-account.ts';
import { Section } from './section.tsx';

/** Lets people delete their own account. */
export function DeletionSection({ email }: { readonly email: string }) {
  const { data } = useCall('getUser', { params: { email } });
  const { user } = useSession();
  const staff = user !== undefined && isStaff(user);
  return (
    <Section id="deletion" title="Delete my account">
      {staff && (
        <p>
          You work here, so patients, appointments or orders may depend on your account. Ask an admin to remove your
          role and rights first. Then you can delete your account here.
        </p>
      )}
      {!staff && !data && <p className="text-muted">Loading...</p>}
      {!staff && data && <Deletion user={data} />}
    </Section>
  );
}

function Deletion({ user }: { readonly user: User }) {
  const { logout } = useSession();
  const navigate = useNavigate();
  const [confirming, setConfirming] = useState(false);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();

  async function run(): Promise<void> {
    setBusy(true);
    setFailure(undefined);
    try {
      const { finished, signInAccount } = await api.call('finishErasure', oneself(user.email));
      const byHand = signInAccount === 'left' ? 'The clinic will delete your sign-in account by hand.' : undefined;
      if (finished === false)
        notify.success('We’re deleting your account', byHand ?? 'You’re logged out. The rest follows by itself.');
      else notify.success('Your account is deleted', byHand);
    } catch (error) {
      console.error('Could not delete', error);
      setFailure(error instanceof ApiProblem ? error.message : 'Something went wrong.');
      setBusy(false);
      return;
    }
    // The session is already over: this only updates the page.
    await logout().catch((error: unknown) => console.warn('The local session could not be closed', error));
    await navigate('/', { replace: true });
  }

  return (
    <>
      <ul className="grid list-disc gap-1 ps-5">
        <li>We cancel your upcoming appointments.</li>
        <li>We cancel orders we haven’t sent.</li>
        <li>
          We remove your name, email, phone, address, age and date of birth everywhere. We keep past appointments and
          orders, without your name.
        </li>
        <li>
          <strong>This can’t be undone.</strong> Download your data first if you want to keep it.
        </li>
      </ul>
      {!confirming && (
        <div>
          <Button variant="danger" icon="trash" onClick={() => setConfirming(true)}>
            Delete my account …
          </Button>
        </div>
      )}
      {failure !== undefined && (
        <Alert kind="warning" title="Your account isn’t deleted yet">
          {failure} Try again. If it keeps failing, email {brand.email}.
        </Alert>
      )}
      {confirming && (
        <EmailConfirmation
          email={user.email}
          label="Delete my account"
          mismatch="This isn’t your email address"
          confirmLabel="Delete my account"
          cancelLabel="Keep my account"
          busy={busy}
          onConfirm={() => void run()}
          onCancel={() => setConfirming(false)}
        />
      )}
    </>
  );
}
