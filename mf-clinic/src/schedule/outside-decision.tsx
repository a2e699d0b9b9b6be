import { formatDate, formatTime, useCall, useSession } from '@clinic/app-kit';
import { useClinicToday } from '@clinic/app-kit/clinic-today';
import { useChange } from '@clinic/app-kit/records';
import { type PatientChoice, patientChoiceOptions } from '@clinic/svc-clinic/contract/limits';
import type { Doctor } from '@clinic/svc-clinic/contract/schemas';
import type { OutsideAppointment } from '@clinic/svc-clinic/contract/schedule-schemas';
import { Alert, Button, DateField, Dialog, SelectField, Spinner } from '@clinic/ui';
import { useState } from 'react';
import { touchedByAppointments } from '@clinic/svc-clinic/contract/lists';
import { seenOf, undoOf } from '../reschedule/move-back.ts';
import { LoadError } from '../load-error.tsx';
import { Rejection } from '../rejection.tsx';
import { misfitInWords, toldInWords } from './outside-words.ts';
import './calls.ts';

interface OutsideDecisionProps {
  readonly appointment: OutsideAppointment;
  readonly onClose: () => void;
}

const otherActs = [
  { value: 'move', label: 'Move it to another time' },
  { value: 'colleague', label: 'Move it to a colleague' },
  { value: 'keep', label: 'Keep it as it is' },
  { value: 'cancel', label: 'Cancel it' },
];
const adopt = { value: 'adopt', label: 'Same time, with the new length and place' };
const done = {
  move: 'moved',
  adopt: 'changed',
  colleague: 'moved to a colleague',
  keep: 'kept',
  cancel: 'cancelled',
} as const;

/** What to do with an appointment outside its doctor's hours: keep, move or cancel it. */
export function OutsideDecision({ appointment, onClose }: OutsideDecisionProps) {
  const { _id, date, time, patientname, doctorname, doctoremail, now } = appointment;
  const { role } = useSession();
  const [act, setAct] = useState<keyof typeof done>(now ? 'adopt' : 'move');
  const [choice, setChoice] = useState<PatientChoice>('not asked');
  const [slot, setSlot] = useState({ date: '', time: '' });
  const [colleague, setColleague] = useState('');
  const [missing, setMissing] = useState<string>();
  const moves = act === 'move' || act === 'colleague';
  const doctors = useDoctors(doctoremail);
  const target = act === 'colleague' ? doctors.colleagues.find(({ email }) => email === colleague) : doctors.own;
  const settle = useChange('settleOutside', {
    invalidates: [...touchedByAppointments, 'getSchedule'],
    success: `The appointment of ${patientname} is ${done[act]}`,
    undo: (settled, { body: { decision } }) =>
      decision.act === 'move'
        ? undoOf([settled], `${patientname} is back on ${formatDate(date)} at ${formatTime(time)}`)
        : undefined,
    failure: false,
    onDone: onClose,
  });
  const alsoThen = settle.error?.problem.sameTime?.canConfirm === true;
  /** Of another time or doctor, nothing is known that would have to be confirmed. */
  const choose = (chosen: typeof slot): void => {
    setSlot(chosen);
    settle.reset();
  };

  function decide(): void {
    const lacks =
      act === 'colleague' && colleague === ''
        ? 'Choose a colleague'
        : moves && (slot.date === '' || slot.time === '')
          ? 'Choose a day and a time'
          : undefined;
    setMissing(lacks);
    if (lacks) return;
    const decision =
      act === 'keep'
        ? { act }
        : act === 'cancel'
          ? { act, patientChoice: choice }
          : {
              act: 'move' as const,
              ...(act === 'adopt' ? { date, time } : slot),
              patientChoice: choice,
              ...(act === 'colleague' && { doctoremail: colleague }),
              ...(alsoThen && { alsoThen }),
            };
    settle.mutate({ params: { id: _id }, body: { seen: seenOf(appointment), decision } });
  }

  return (
    <Dialog
      open
      title={`${patientname}, ${formatDate(date)} at ${formatTime(time)}`}
      onClose={onClose}
      actions={
        <>
          <Button variant="ghost" onClick={onClose}>
            Decide later
          </Button>
          <Button variant={act === 'cancel' ? 'danger' : 'primary'} busy={settle.isPending} onClick={decide}>
            {alsoThen
              ? 'Keep both'
              : act === 'keep'
                ? 'Keep it'
                : act === 'cancel'
                  ? 'Cancel the appointment'
                  : act === 'adopt'
                    ? 'Change it'
                    : 'Move it'}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <p>
          It no longer fits {role === 'admin' ? `the hours of ${doctorname}` : 'your hours'}.{' '}
          {appointment.why && misfitInWords(appointment)}
        </p>
        <SelectField
          label="What to do"
          options={now ? [adopt, ...otherActs] : otherActs}
          value={act}
          onChange={(event) => {
            setAct(event.target.value as keyof typeof done);
            choose({ date: '', time: '' });
          }}
        />
        {act === 'colleague' && (
          <SelectField
            label="Colleague"
            placeholder="Choose a colleague"
            options={doctors.colleagues.map(({ email, name, specialization }) => ({
              value: email,
              label: `${name}, ${specialization}`,
            }))}
            value={colleague}
            onChange={(event) => {
              setColleague(event.target.value);
              choose({ date: '', time: '' });
            }}
          />
        )}
        {moves && doctors.answer.isPending && <Spinner />}
        {moves && <LoadError title="Error loading doctors" answer={doctors.answer} />}
        {moves && target && <Slot doctor={target} slot={slot} onSlot={choose} />}
        {act !== 'keep' && (
          <SelectField
            label="The patient"
            options={patientChoiceOptions}
            value={choice}
            onChange={(event) => setChoice(event.target.value as PatientChoice)}
          />
        )}
        <p className="ui-hint">
          {act === 'keep'
            ? `${toldInWords(appointment, 'keep')} It stays booked with the time, length and place it was promised, and isn’t listed here any more.`
            : toldInWords(appointment, act === 'move' ? slot : act === 'adopt' ? { date, time } : act)}
        </p>
        {missing && <Alert kind="error">{missing}</Alert>}
        <Rejection error={settle.error} />
      </div>
    </Dialog>
  );
}

interface SlotProps {
  readonly doctor: Doctor;
  readonly slot: { readonly date: string; readonly time: string };
  readonly onSlot: (slot: { readonly date: string; readonly time: string }) => void;
}

/** A day and one of its free times; starts on the doctor's next free day. */
function Slot({ doctor, slot, onSlot }: SlotProps) {
  const today = useClinicToday();
  const date = slot.date || doctor.nextFree?.date || '';
  const free = useCall(
    'listFreeTimes',
    { params: { id: doctor._id }, query: { date } },
    { enabled: date !== '', staleTime: 0 },
  );
  const times = free.data?.times ?? [];
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <DateField
        label="Day"
        min={today}
        max={doctor.bookableUntil}
        value={date}
        onChange={(event) => onSlot({ date: event.target.value, time: '' })}
      />
      <SelectField
        label="Time"
        placeholder={free.isPending ? 'Loading…' : times.length > 0 ? 'Choose a time' : 'No free times on this day'}
        error={free.error && !free.data ? `We couldn’t load the free times. ${free.error.message}` : undefined}
        options={times.map((value) => ({ value, label: formatTime(value) }))}
        value={slot.time}
        onChange={(event) => onSlot({ date, time: event.target.value })}
      />
    </div>
  );
}

/** The appointment's doctor, and colleagues who take appointments: those of the same specialty first. */
function useDoctors(email: string): {
  readonly own: Doctor | undefined;
  readonly colleagues: readonly Doctor[];
  readonly answer: ReturnType<typeof useCall<'listDoctors'>>;
} {
  const answer = useCall('listDoctors', { query: {} });
  const doctors = (answer.data ?? []) as readonly Doctor[];
  const own = doctors.find((one) => one.email === email);
  const colleagues = doctors
    .filter((one) => one.email !== email && one.isAvailable)
    .toSorted(
      (one, other) =>
        Number(other.specialization === own?.specialization) - Number(one.specialization === own?.specialization) ||
        one.name.localeCompare(other.name),
    );
  return { own, colleagues, answer };
}
