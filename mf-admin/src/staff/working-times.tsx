import { formatTime } from '@clinic/app-kit';
import { Button, SelectField, TextField } from '@clinic/ui';
import { useState } from 'react';
import { MomentList } from '../doctors/moment-list.tsx';

interface WorkingTimesProps {
  /** 'HH:mm' */
  readonly values: readonly string[];
  readonly onChange: (values: readonly string[]) => void;
}

const distances = [
  { value: '15', label: 'Every 15 minutes' },
  { value: '20', label: 'Every 20 minutes' },
  { value: '30', label: 'Every 30 minutes' },
  { value: '45', label: 'Every 45 minutes' },
  { value: '60', label: 'Every hour' },
];

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
const timeOf = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;

/** The times from `from`, excluding `until`. @param every - minutes */
export function timesBetween(from: string, until: string, every: number): string[] {
  const times: string[] = [];
  for (let at = minutesOf(from); at < minutesOf(until); at += every) times.push(timeOf(at));
  return times;
}

/** The times of day at which a doctor can be booked: added as a series, or one by one. */
export function WorkingTimes({ values, onChange }: WorkingTimesProps) {
  const [from, setFrom] = useState('09:00');
  const [until, setUntil] = useState('12:00');
  const [every, setEvery] = useState('30');
  const row = from && until ? timesBetween(from, until, Number(every)) : [];
  return (
    <div className="grid gap-6">
      <fieldset className="grid gap-3">
        <legend className="mb-2 font-semibold">Several times at once</legend>
        <div className="flex flex-wrap items-end gap-3">
          <TextField
            label="From"
            type="time"
            value={from}
            className="min-w-0 flex-[1_1_7rem]"
            onChange={(event) => setFrom(event.target.value)}
          />
          <TextField
            label="Until"
            type="time"
            value={until}
            className="min-w-0 flex-[1_1_7rem]"
            onChange={(event) => setUntil(event.target.value)}
          />
          <SelectField
            label="How often"
            options={distances}
            value={every}
            className="min-w-0 flex-[1_1_10rem]"
            onChange={(event) => setEvery(event.target.value)}
          />
          <Button
            variant="secondary"
            icon="plus"
            aria-disabled={row.length === 0}
            onClick={() => onChange([...new Set([...values, ...row])].toSorted((a, b) => a.localeCompare(b)))}
          >
            {row.length === 1 ? 'Add 1 time' : `Add ${row.length} times`}
          </Button>
        </div>
      </fieldset>
      <MomentList
        label="Times of day"
        addLabel="Another time"
        type="time"
        values={values}
        format={formatTime}
        none="None yet. Patients can book any free time of day."
        onChange={onChange}
      />
    </div>
  );
}
