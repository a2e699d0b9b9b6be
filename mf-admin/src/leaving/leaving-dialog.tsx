import { useCall } from '@clinic/app-kit';
import type { Doctor } from '@clinic/svc-clinic/contract/schemas';
import { Alert, Button, Dialog, ErrorState, SelectField } from '@clinic/ui';
import { useRef } from 'react';
import { NewProfile, type NewProfileHandle } from '../staff/new-profile.tsx';
import { AppointmentDecision } from './appointment-decision.tsx';
import { profilesOf, type Account } from './coming-appointments.ts';
import { missingOf } from './decisions.ts';
import { useHandOver, type Leaving } from './use-hand-over.ts';

interface LeavingDialogProps {
  readonly leaving: Leaving;
  /** The account has changed and all decisions are carried out, or the admin leaves the rest for later. */
  readonly onDone: () => void;
  /** Nothing was changed. */
  readonly onCancel: () => void;
}

/** Shows a leaving doctor's appointments, has the admin decide about each, and then carries out everything together. */
export function LeavingDialog({
  leaving: { account, name, coming, change, act, joining },
  onDone,
  onCancel,
}: LeavingDialogProps) {
  const profile = useRef<NewProfileHandle>(null);
  const { colleagues, failed } = useColleagues(account);
  const { rows, open, decisionOf, decide, outcomes, checked, left, busy, failure, run } = useHandOver(
    { account, coming, act },
    profile,
    onDone,
  );

  function close(): void {
    if (busy) return;
    if (left) onDone();
    else onCancel();
  }

  return (
    <Dialog
      open
      wide
      title={`${name} has ${rows.length === 1 ? 'an upcoming appointment' : `${rows.length} upcoming appointments`}`}
      onClose={close}
    >
      <div className="grid gap-5">
        <p>
          {left
            ? `${name} can’t be booked any more.`
            : `Choose what to do with each. After that, ${name} can’t be booked any more.`}{' '}
          Tell the patients whose appointments change. Their phone numbers are below.
        </p>
        {failed && (
          <ErrorState title="Error loading doctors" text={failed.error.message} onRetry={() => void failed.refetch()} />
        )}
        {rows.length > 1 && !left && (
          <SelectField
            label="Move all to one colleague"
            placeholder="Choose a colleague"
            value=""
            options={colleagues.map((one) => ({ value: one.email, label: `${one.name}, ${one.specialization}` }))}
            hint="We keep the date and time if they’re free. You can change each one below."
            onChange={(event) =>
              decide(open.map((one) => [one, { ...decisionOf(one), act: 'move', doctor: event.target.value }]))
            }
          />
        )}
        <ul aria-label="Appointments to move or cancel" className="divide-y divide-line border-y border-line py-4">
          {rows.map((one) => (
            <AppointmentDecision
              key={one._id}
              appointment={one}
              decision={decisionOf(one)}
              colleagues={colleagues}
              outcome={outcomes.get(one._id)}
              missing={checked ? missingOf(decisionOf(one)) : undefined}
              onChange={(decision) => decide([[one, decision]])}
            />
          ))}
        </ul>
        {joining && !left && (
          <section aria-labelledby="new-profile" className="grid gap-3">
            <h3 id="new-profile" className="font-semibold text-base-content">
              Their profile as a {joining.role}
            </h3>
            <NewProfile user={joining.user} role={joining.role} ref={profile} />
          </section>
        )}
        {failure && <Alert kind="error">{failure}</Alert>}
        <div className="flex flex-wrap justify-end gap-2">
          <Button variant="ghost" aria-disabled={busy} onClick={close}>
            {left ? 'Leave the rest for later' : 'Go back'}
          </Button>
          <Button variant="danger" busy={busy} onClick={() => void run()}>
            {left ? 'Try again' : `${change} and do this`}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

/** Doctors who take appointments; those of the same specialty first. */
function useColleagues(account: Account) {
  const doctors = useCall('listDoctors', { query: {} });
  // By account: a profile may have another address.
  const own = useCall('getProfiles', profilesOf(account));
  const isNear = ({ specialization }: Doctor): boolean =>
    !!own.data?.some((one) => one.specialization === specialization);
  const colleagues = own.data
    ? ((doctors.data ?? []) as readonly Doctor[])
        .filter((one) => one.isAvailable && !own.data.some(({ _id }) => _id === one._id))
        .toSorted((a, b) => Number(isNear(b)) - Number(isNear(a)) || a.name.localeCompare(b.name))
    : [];
  return { colleagues, failed: [doctors, own].find((answer) => answer.isError) };
}
