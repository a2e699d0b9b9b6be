import { notify, useCall, useNavigate, useSession } from '@clinic/app-kit';
import type { User } from '@clinic/contracts';
import { brand, Alert, Button, TextField } from '@clinic/ui';
import { useState, type SyntheticEvent } from 'react';
import {
  deleteOneself,
  notBegunOneself,
  ownSteps,
  type OwnProgress,
  type OwnStep,
} from '../deletion/delete-oneself.ts';
import { StepLine } from '../deletion/step-line.tsx';
import { Section } from './section.tsx';

const names: Readonly<Record<OwnStep, string>> = {
  clinic: 'Your appointments',
  pharmacy: 'Your orders',
  account: 'Your account',
};

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
  const [asked, setAsked] = useState(false);
  const [typed, setTyped] = useState('');
  const [mistyped, setMistyped] = useState(false);
  const [progress, setProgress] = useState<OwnProgress>();
  const [busy, setBusy] = useState(false);

  async function run(): Promise<void> {
    setBusy(true);
    setProgress(notBegunOneself);
    const { account } = await deleteOneself(user, setProgress);
    setBusy(false);
    if (account.is !== 'done') return;
    notify.success('Your account is deleted', 'note' in account ? account.note : undefined);
    // The session is already over: this only updates the page.
    await logout().catch((error: unknown) => console.warn('The local session could not be closed', error));
    await navigate('/', { replace: true });
  }

  function confirm(event: SyntheticEvent): void {
    event.preventDefault();
    const right = typed.trim().toLowerCase() === user.email;
    setMistyped(!right);
    if (right) void run();
  }

  if (progress) {
    return (
      <div className="grid gap-4">
        <ol className="grid gap-3" aria-label="Deletion steps">
          {ownSteps.map((step) => (
            <StepLine key={step} name={names[step]} state={progress[step]} />
          ))}
        </ol>
        {!busy && progress.account.is !== 'done' && (
          <>
            <Alert kind="warning" title="Your account isn’t deleted yet">
              We won’t repeat the finished steps. If it keeps failing, email {brand.email}.
            </Alert>
            <div className="flex flex-wrap gap-3">
              <Button variant="danger" icon="refresh" onClick={() => void run()}>
                Try again
              </Button>
              <Button variant="ghost" onClick={() => setProgress(undefined)}>
                Stop here
              </Button>
            </div>
          </>
        )}
      </div>
    );
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
      {!asked && (
        <div>
          <Button variant="danger" icon="trash" onClick={() => setAsked(true)}>
            Delete my account …
          </Button>
        </div>
      )}
      {asked && (
        <form noValidate aria-label="Delete my account" className="grid gap-4" onSubmit={confirm}>
          <TextField
            label={`Type ${user.email} to confirm`}
            type="email"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            value={typed}
            error={mistyped ? 'This isn’t your email address' : undefined}
            onChange={(event) => setTyped(event.target.value)}
          />
          <div className="flex flex-wrap gap-3">
            <Button type="submit" variant="danger" icon="trash">
              Delete my account
            </Button>
            <Button variant="ghost" onClick={() => setAsked(false)}>
              Keep my account
            </Button>
          </div>
        </form>
      )}
    </>
  );
}
