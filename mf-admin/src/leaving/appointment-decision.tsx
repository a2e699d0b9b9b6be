import { asciiDigits } from '@clinic/contracts/digits';
import { formatDate, formatTime, useCall } from '@clinic/app-kit';
import { type PatientChoice, patientChoiceOptions } from '@clinic/svc-clinic/contract/limits';
import type { Appointment, Doctor } from '@clinic/svc-clinic/contract/schemas';
import { DateField, Icon, SelectField, Spinner, StatusBadge, TextField } from '@clinic/ui';
import type { Decision } from './decisions.ts';

/** Progress of a decision. */
export type Outcome =
  | { readonly is: 'working' | 'done' }
  | {
      readonly is: 'failed';
      readonly reason: string;
      /** The patient has another appointment then, and may keep both. */ readonly canKeepBoth?: boolean;
    };

interface AppointmentDecisionProps {
  readonly appointment: Appointment;
  readonly decision: Decision;
  readonly colleagues: readonly Doctor[];
  readonly outcome: Outcome | undefined;
  /** What is missing, after an attempt to apply all decisions. */
  readonly missing: string | undefined;
  readonly onChange: (decision: Decision) => void;
}

const acts = [
  { value: '', label: 'Choose …' },
  { value: 'move', label: 'Move to a colleague' },
  { value: 'cancel', label: 'Cancel' },
];

/** One appointment of a leaving doctor, and what should happen to it. */
export function AppointmentDecision({
  appointment,
  decision,
  colleagues,
  outcome,
  missing,
  onChange,
}: AppointmentDecisionProps) {
  const { patientname, number, date, time, status } = appointment;
  const when = `${formatDate(date)}, ${formatTime(time)}`;
  const done = outcome?.is === 'done';
  return (
    <li className="grid gap-3 py-4 first:pt-0 last:pb-0">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1">
        <div className="min-w-0">
          <h3 className="font-semibold text-base-content wrap-anywhere">{patientname}</h3>
          <p className="text-sm">
            {when} ·{' '}
            <a className="link link-hover" href={`tel:${asciiDigits(number).replaceAll(/[^+\d]/g, '')}`}>
              {number}
            </a>
          </p>
        </div>
        {!done && <StatusBadge status={status} />}
      </div>
      {done && (
        <p className="flex items-center gap-2 font-medium text-success">
          <Icon name="check-circle" size={18} />
          {decision.act === 'cancel' ? 'Cancelled' : 'Moved'}
        </p>
      )}
      {outcome?.is === 'working' && (
        <p className="flex items-center gap-2">
          <Spinner label="" size={18} />
          In progress
        </p>
      )}
      {!done && outcome?.is !== 'working' && (
        <div className="grid gap-3 sm:grid-cols-2">
          <SelectField
            label={`What to do with the appointment of ${patientname} on ${when}`}
            hideLabel
            options={acts}
            value={decision.act}
            className="sm:col-span-2"
            error={outcome?.is === 'failed' ? outcome.reason : missing}
            onChange={(event) => onChange({ ...decision, act: event.target.value as Decision['act'] })}
          />
          {decision.act === 'move' && outcome?.is === 'failed' && outcome.canKeepBoth && (
            <label className="flex items-center gap-3 font-medium sm:col-span-2">
              <input
                type="checkbox"
                className="size-5 accent-primary"
                checked={decision.alsoThen === true}
                onChange={(event) => onChange({ ...decision, alsoThen: event.target.checked })}
              />
              The patient keeps both appointments
            </label>
          )}
          {decision.act === 'move' && <Move decision={decision} colleagues={colleagues} onChange={onChange} />}
          {decision.act !== '' && (
            <SelectField
              label="What the patient said"
              options={patientChoiceOptions}
              value={decision.choice}
              className="sm:col-span-2"
              hint="We record this in the appointment’s history."
              onChange={(event) => onChange({ ...decision, choice: event.target.value as PatientChoice })}
            />
          )}
        </div>
      )}
    </li>
  );
}

function Move({
  decision,
  colleagues,
  onChange,
}: Pick<AppointmentDecisionProps, 'decision' | 'colleagues' | 'onChange'>) {
  const { doctor, date, time } = decision;
  const colleague = colleagues.find(({ email }) => email === doctor);
  const { data } = useCall(
    'listFreeTimes',
    { params: { id: colleague?._id ?? '' }, query: { date } },
    { enabled: colleague !== undefined && date !== '' },
  );
  const listed = data && !data.anyTime ? data.times : undefined;
  const taken = listed !== undefined && time !== '' && !listed.includes(time);
  return (
    <>
      <SelectField
        label="Colleague"
        placeholder="Choose a colleague"
        value={doctor}
        className="sm:col-span-2"
        options={colleagues.map(({ email, name, specialization }) => ({
          value: email,
          label: `${name}, ${specialization}`,
        }))}
        onChange={(event) => onChange({ ...decision, doctor: event.target.value })}
      />
      <DateField
        label="Date"
        value={date}
        onChange={(event) => onChange({ ...decision, alsoThen: false, date: event.target.value })}
      />
      {listed ? (
        <SelectField
          label="Time"
          placeholder={listed.length === 0 ? 'There are no free times that day' : 'Choose a time'}
          value={taken ? '' : time}
          error={taken ? `${formatTime(time)} isn’t free: choose another time or day` : undefined}
          options={listed.map((value) => ({ value, label: formatTime(value) }))}
          onChange={(event) => onChange({ ...decision, alsoThen: false, time: event.target.value })}
        />
      ) : (
        <TextField
          label="Time"
          type="time"
          value={time}
          onChange={(event) => onChange({ ...decision, alsoThen: false, time: event.target.value })}
        />
      )}
    </>
  );
}
