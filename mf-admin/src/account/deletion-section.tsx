import { notify, useCall, useNavigate, useSession } from '@clinic/app-kit';
import type { User } from '@clinic/contracts';
import { brand, Alert, Button } from '@clinic/ui';
import { useState } from 'react';
import { deleteOneself } from '../deletion/delete-oneself.ts';
import { EmailConfirmation } from '../deletion/email-confirmation.tsx';
import { stateOf, type Progress } from '../deletion/progress.ts';
import { StepList } from '../deletion/step-line.tsx';
import { Section } from './section.tsx';

/** Lets people delete their own account. */
export function DeletionSection({ email }: { readonly email: string }) {
  const { data } = useCall('getUser', { params: { email } });
  const { user, role } = useSession();
  const staff = (user?.held?.role ?? role ?? 'patient') !== 'patient';
  return (
    <Section id="deletion" title="Delete my account">
      {staff && (
        <p>
          You work here, so patients, appointments or orders may depend on your account. Ask an admin to remove your
          role first. Then you can delete your account here.
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
  const [progress, setProgress] = useState<Progress>();
  const [busy, setBusy] = useState(false);

  async function run(): Promise<void> {
    setBusy(true);
    const account = await deleteOneself(user, setProgress);
    setBusy(false);
    if (account?.is !== 'done') return;
    notify.success('Your account is deleted', 'note' in account ? account.note : undefined);
    // The session is already over: this only updates the page.
    await logout().catch((error: unknown) => console.warn('The local session could not be closed', error));
    await navigate('/', { replace: true });
  }

  if (progress)
    return (
      <DeletionProgress
        progress={progress}
        busy={busy}
        onRetry={() => void run()}
        onStop={() => setProgress(undefined)}
      />
    );
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
      {confirming && (
        <EmailConfirmation
          email={user.email}
          label="Delete my account"
          mismatch="This isn’t your email address"
          confirmLabel="Delete my account"
          cancelLabel="Keep my account"
          onConfirm={() => void run()}
          onCancel={() => setConfirming(false)}
        />
      )}
    </>
  );
}

interface DeletionProgressProps {
  readonly progress: Progress;
  readonly busy: boolean;
  readonly onRetry: () => void;
  readonly onStop: () => void;
}

function DeletionProgress({ progress, busy, onRetry, onStop }: DeletionProgressProps) {
  return (
    <div className="grid gap-4">
      <StepList progress={progress} />
      {!busy && stateOf(progress, 'account')?.is !== 'done' && (
        <>
          <Alert kind="warning" title="Your account isn’t deleted yet">
            We won’t repeat the finished steps. If it keeps failing, email {brand.email}.
          </Alert>
          <div className="flex flex-wrap gap-3">
            <Button variant="danger" icon="refresh" onClick={onRetry}>
              Try again
            </Button>
            <Button variant="ghost" onClick={onStop}>
              Stop here
            </Button>
          </div>
        </>
      )}
    </div>
  );
}
