import { formatTime } from '@clinic/app-kit';
import { useChange } from '@clinic/app-kit/records';
import { Button, TextField } from '@clinic/ui';
import { useState, type SyntheticEvent } from 'react';
import { appointmentLists } from '@clinic/svc-clinic/contract/lists';
import '../attendance/calls.ts';
import { inWords, stateOf } from '../attendance/steps.ts';
import { reasonsOf } from '../rejection.tsx';

/** The code that a patient says at the desk: typed, Enter, and they have arrived. */
export function CodeField() {
  const [code, setCode] = useState('');
  const arrive = useChange('arriveByCode', {
    invalidates: [...appointmentLists, 'getAppointmentHistory'],
    success: ({ patientname, time, doctorname, attendance, ...visit }) =>
      `${patientname}, ${formatTime(time)} with ${doctorname}: ${inWords(stateOf({ attendance, ...visit }))}${attendance?.number === undefined ? '' : `, no. ${attendance.number}`}`,
    failure: false,
    onDone: () => setCode(''),
  });
  function submit(event: SyntheticEvent): void {
    event.preventDefault();
    if (code.trim() !== '' && !arrive.isPending) arrive.mutate({ body: { code } });
  }
  return (
    <form noValidate aria-label="Arrival by code" className="mb-4 flex flex-wrap items-end gap-2" onSubmit={submit}>
      <TextField
        label="Patient’s code"
        className="w-40"
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={20}
        value={code}
        onChange={({ target }) => {
          arrive.reset();
          setCode(target.value);
        }}
        {...(arrive.error && { error: reasonsOf(arrive.error) })}
      />
      <Button type="submit" variant="secondary" busy={arrive.isPending} aria-disabled={code.trim() === ''}>
        Arrived
      </Button>
    </form>
  );
}
