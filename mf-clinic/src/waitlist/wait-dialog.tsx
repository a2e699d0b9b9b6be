import {
  addDays,
  draftOf,
  formatDate,
  formatTime,
  notify,
  useDraft,
  useSession,
  type ApiProblem,
} from '@clinic/app-kit';
import { useClinicToday } from '@clinic/app-kit/clinic-today';
import { useChange } from '@clinic/app-kit/records';
import { type WaitlistPart, waitlistParts } from '@clinic/svc-clinic/contract/limits';
import { waitlistLists } from '@clinic/svc-clinic/contract/lists';
import type { AboutVisit } from '@clinic/svc-clinic/contract/patient';
import type { FreeSlot } from '@clinic/svc-clinic/contract/problems';
import type { Appointment, Doctor } from '@clinic/svc-clinic/contract/schemas';
import { Alert, Button, DateField, Dialog } from '@clinic/ui';
import { useState, type SyntheticEvent } from 'react';
import { useForm } from 'react-hook-form';
import { patientRules, type PatientDetails } from '../booking/booking-fields.ts';
import { PatientFields } from '../booking/patient-fields.tsx';
import { Choice } from '../choice.tsx';
import type { AppointmentDialogProps } from '../dialogs/use-appointment-dialogs.ts';
import { partLabels } from './calls.ts';

/** What a patient waits for: a doctor, or an earlier time of an appointment. */
export type WaitTarget =
  | { readonly doctor: Pick<Doctor, 'name' | 'email' | 'specialty' | 'bookableUntil'> }
  | { readonly appointment: Appointment };

interface WaitDialogProps {
  readonly target: WaitTarget;
  /** The patient's address, and what is known about them. */
  readonly email: string;
  /** The account that staff saw at it. */
  readonly userId?: string | undefined;
  readonly details?: PatientDetails;
  readonly visit?: AboutVisit;
  readonly onClose: () => void;
  /** Called with a time that can be booked instead, if the page can book one. */
  readonly onChoose?: ((slot: FreeSlot) => void) | undefined;
}

/** Days that are suggested by default. */
const suggestedDays = 14;

const noDetails: PatientDetails = { patientname: '', age: '', number: '', address: '' };

/** The last day that makes sense, 'yyyy-mm-dd'. */
function lastDay(target: WaitTarget): string | undefined {
  return 'doctor' in target ? target.doctor.bookableUntil : target.appointment.date;
}

/** What was typed before a reload. */
interface WaitDraft {
  readonly patient: Partial<PatientDetails>;
  readonly from: string;
  readonly until: string;
  readonly parts: readonly WaitlistPart[];
  readonly anyDoctor: boolean;
}

/** Without empty fields: what is known about the patient may still be loading. */
const filledIn = (details: PatientDetails): Partial<PatientDetails> =>
  Object.fromEntries(Object.entries(details).filter(([, text]) => text !== ''));

/** What the dialog asks, and the request that it makes. */
function useWaiting({ target, email, userId, details = noDetails, visit, onClose }: WaitDialogProps) {
  const today = useClinicToday();
  const forOthers = email !== useSession().user?.email;
  const last = lastDay(target);
  const suggested = addDays(today, suggestedDays);
  const [key] = useState(
    () => `waitlist ${email} ${'doctor' in target ? target.doctor.email : target.appointment._id}`,
  );
  const [typed] = useState(() => draftOf<WaitDraft>(key));
  const [from, setFrom] = useState(typed?.from ?? today);
  const [until, setUntil] = useState(typed?.until ?? (last !== undefined && last < suggested ? last : suggested));
  const [parts, setParts] = useState<readonly WaitlistPart[]>(typed?.parts ?? waitlistParts);
  const [anyDoctor, setAnyDoctor] = useState(typed?.anyDoctor ?? false);
  const [missing, setMissing] = useState<string>();
  // The details may still be loading when a link opens the dialog at once; what has been typed here stays.
  const form = useForm<PatientDetails>({
    values: { ...details, ...typed?.patient },
    resetOptions: { keepDirtyValues: true },
  });
  const { getValues } = form;
  useDraft(key, (): WaitDraft => ({ patient: filledIn(getValues()), from, until, parts, anyDoctor }), 'drop');
  const join = useChange('joinWaitlist', {
    invalidates: waitlistLists,
    failure: false,
    draft: key,
    onDone: () => {
      notify.success(
        forOthers
          ? 'On the waitlist: we’ll tell the patient as soon as a time becomes free'
          : 'We’ll tell you here as soon as a time becomes free',
      );
      onClose();
    },
  });

  function send(fields: PatientDetails): void {
    const about =
      'appointment' in target
        ? { appointment: target.appointment._id }
        : {
            ...(anyDoctor ? { specialty: target.doctor.specialty } : { doctoremail: target.doctor.email }),
            ...fields,
            age: Number(fields.age),
            ...visit,
          };
    join.mutate({ body: { patientemail: email, userId, from, until, parts: [...parts], ...about } });
  }

  function submit(event: SyntheticEvent): void {
    event.preventDefault();
    setMissing(parts.length === 0 ? 'Choose at least one time of day' : undefined);
    if (parts.length === 0) return;
    if ('appointment' in target) send(noDetails);
    else void form.handleSubmit(send)();
  }

  const fault = (field: string) => join.error?.problem.errors?.find((one) => one.field === field)?.message;
  const days = { today, last, from, setFrom, until, setUntil };
  return { form, forOthers, join, submit, fault, missing, days, parts, setParts, anyDoctor, setAnyDoctor };
}

type Waiting = ReturnType<typeof useWaiting>;

/** Puts a patient on the waitlist: between which days, and at which times of day. */
export function WaitDialog(props: WaitDialogProps) {
  const { target, onClose } = props;
  const waiting = useWaiting(props);
  const { form, join, submit, fault } = waiting;
  const { errors } = form.formState;
  const forEarlier = 'appointment' in target;
  return (
    <Dialog open wide title={forEarlier ? 'Wait for an earlier time' : 'Join the waitlist'} onClose={onClose}>
      <form noValidate aria-label="Waitlist" className="grid gap-5" onSubmit={submit}>
        {'appointment' in target && <Now {...target.appointment} />}
        <p>
          {waiting.forOthers
            ? 'When a time becomes free, we hold it for the patient for a while and tell them. After several that they decline or miss, their place ends.'
            : 'When a time becomes free, we hold it for you for a while and show it on every page. After several that you decline or miss, your place ends.'}
          {forEarlier &&
            (waiting.forOthers
              ? ' They keep their appointment until they accept: then it moves.'
              : ' You keep your appointment until you accept: then it moves.')}
        </p>
        {'doctor' in target && target.doctor.specialty && <Who doctor={target.doctor} waiting={waiting} />}
        <Days waiting={waiting} />
        <Parts waiting={waiting} />
        {!forEarlier && (
          <div className="grid gap-5 sm:grid-cols-2">
            <PatientFields
              own={!waiting.forOthers}
              field={(name) => ({
                error: errors[name]?.message ?? fault(name),
                ...form.register(name, patientRules[name]),
              })}
            />
          </div>
        )}
        <Failure error={join.error} onChoose={props.onChoose} />
        <div className="flex flex-wrap gap-3">
          <Button type="submit" busy={join.isPending} icon="clock">
            Join the waitlist
          </Button>
          <Button variant="ghost" onClick={onClose}>
            Cancel
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function Now({ patientname, doctorname, date, time }: Appointment) {
  return (
    <p>
      {patientname} with {doctorname}, now on{' '}
      <strong className="whitespace-nowrap">
        {formatDate(date)} at {formatTime(time)}
      </strong>
      .
    </p>
  );
}

/** Puts the patient on the waitlist for an earlier time of an appointment. */
export function EarlierDialog({ appointment, onClose }: AppointmentDialogProps) {
  return <WaitDialog target={{ appointment }} email={appointment.patientemail} onClose={onClose} />;
}

interface PartProps {
  readonly waiting: Waiting;
}

function Who({
  doctor: { name, specialty },
  waiting: { anyDoctor, setAnyDoctor },
}: PartProps & { readonly doctor: Pick<Doctor, 'name' | 'specialty'> }) {
  return (
    <fieldset className="grid gap-2">
      <legend className="ui-label mb-2">Who</legend>
      <Choice type="radio" label={name} checked={!anyDoctor} onChange={() => setAnyDoctor(false)} />
      <Choice type="radio" label={`Any doctor, ${specialty}`} checked={anyDoctor} onChange={() => setAnyDoctor(true)} />
    </fieldset>
  );
}

function Days({ waiting: { days, fault } }: PartProps) {
  const { today, last, from, setFrom, until, setUntil } = days;
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <DateField
        label="First day"
        required
        min={today}
        max={last}
        value={from}
        error={fault('from')}
        onChange={(event) => setFrom(event.target.value)}
      />
      <DateField
        label="Last day"
        required
        min={from || today}
        max={last}
        value={until}
        error={fault('until')}
        onChange={(event) => setUntil(event.target.value)}
      />
    </div>
  );
}

function Parts({ waiting: { parts, setParts, missing } }: PartProps) {
  return (
    <fieldset className="grid gap-2" aria-describedby={missing ? 'wait-parts-error' : undefined}>
      <legend className="ui-label mb-2" data-required>
        Times of day
      </legend>
      {waitlistParts.map((part) => (
        <Choice
          key={part}
          type="checkbox"
          label={partLabels[part]}
          checked={parts.includes(part)}
          onChange={() => setParts(parts.includes(part) ? parts.filter((one) => one !== part) : [...parts, part])}
        />
      ))}
      {missing && (
        <p id="wait-parts-error" role="alert" className="ui-error">
          {missing}
        </p>
      )}
    </fieldset>
  );
}

/** Fields of the form; other errors are shown below it. */
const ownFields = new Set(['from', 'until', ...Object.keys(noDetails)]);

function Failure({ error, onChoose }: Pick<WaitDialogProps, 'onChoose'> & { readonly error: ApiProblem | null }) {
  if (!error) return null;
  const faults = error.problem.errors ?? [];
  const elsewhere = faults.filter(({ field }) => !ownFields.has(field));
  if (faults.length > 0 && elsewhere.length === 0) return null;
  return (
    <Alert kind="error">
      {elsewhere.length > 0 ? elsewhere.map(({ message }) => message).join('. ') : error.message}
      {onChoose && error.problem.freeSlots && <FreeSlots slots={error.problem.freeSlots} onChoose={onChoose} />}
    </Alert>
  );
}

interface FreeSlotsProps {
  readonly slots: readonly FreeSlot[];
  readonly onChoose: (slot: FreeSlot) => void;
}

/** Times that can be booked now, each a way into the booking form. */
function FreeSlots({ slots, onChoose }: FreeSlotsProps) {
  return (
    <ul className="mt-2 flex flex-wrap gap-2">
      {slots.map((slot) => (
        <li key={`${slot.doctorid} ${slot.date} ${slot.time}`}>
          <Button size="sm" variant="soft" icon="calendar" onClick={() => onChoose(slot)}>
            {formatDate(slot.date)} at {formatTime(slot.time)}
            <span className="sr-only">, book with {slot.doctorname}</span>
          </Button>
        </li>
      ))}
    </ul>
  );
}
