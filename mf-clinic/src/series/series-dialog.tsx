import { addDays, formatDate, formatTime, useCall, useQueryClient } from '@clinic/app-kit';
import { useClinicToday } from '@clinic/app-kit/clinic-today';
import { useChange } from '@clinic/app-kit/records';
import type { CallBody } from '@clinic/contracts';
import { seriesLimits } from '@clinic/svc-clinic/contract/limits';
import type { Appointment } from '@clinic/svc-clinic/contract/schemas';
import type { PlannedDate } from '@clinic/svc-clinic/contract/series-calls';
import { isUnknown } from '@clinic/contracts/outcome';
import { Button, DateField, Dialog, ErrorState, Icon, SelectField, Spinner, TextField } from '@clinic/ui';
import { useState } from 'react';
import { touchedByAppointments } from '@clinic/svc-clinic/contract/lists';
import { Rejection } from '../rejection.tsx';
import { useSettled } from '../use-settled.ts';
import './calls.ts';

/** Who a series is for: the patient and doctor of an appointment, or what an admin has entered. */
export type SeriesFor =
  | { readonly from: string; readonly seen: { readonly doctoremail: string } }
  | { readonly booking: NonNullable<CallBody<'bookSeries'>['booking']>; readonly seen: undefined };

interface SeriesDialogProps {
  readonly title: string;
  readonly whom: SeriesFor;
  readonly first: Slot;
  /** How many appointments are suggested. */
  readonly suggested: number;
  readonly onBooked: () => void;
  readonly onClose: () => void;
}

interface Slot {
  readonly date: string;
  readonly time: string;
}

const units = ['days', 'weeks', 'months'] as const;
type Unit = (typeof units)[number];
const isUnit = (text: string): text is Unit => units.some((unit) => unit === text);

const wholeIn = (text: string, most: number): number | undefined => {
  const number = Number(text);
  return Number.isInteger(number) && number >= 1 && number <= most ? number : undefined;
};
const keyOf = ({ date, time }: Slot): string => `${date} ${time}`;
const written = ({ date, time }: Slot): string => `${formatDate(date)} at ${formatTime(time)}`;

/** What the user decided about a date with a conflict. */
type Decision = Slot | 'left out';

function bookedInWords(booked: readonly Appointment[]): string {
  const what = booked.length === 1 ? 'Appointment booked' : `${booked.length} appointments booked`;
  return booked[0] ? `${what} for ${booked[0].patientname} with ${booked[0].doctorname}` : what;
}

/** Plans appointments at regular intervals, shows each date's conflicts, and books all of them or none. */
export function SeriesDialog({ title, whom, first, suggested, onBooked, onClose }: SeriesDialogProps) {
  const today = useClinicToday();
  const client = useQueryClient();
  const [date, setDate] = useState(first.date);
  const [time, setTime] = useState(first.time);
  const [every, setEvery] = useState('1');
  const [unit, setUnit] = useState<Unit>('weeks');
  const [count, setCount] = useState(String(suggested));
  const [decisions, setDecisions] = useState<ReadonlyMap<string, Decision>>(new Map());
  const distance = wholeIn(every, seriesLimits.every);
  const number = wholeIn(count, seriesLimits.appointments);
  const ready = date !== '' && time !== '' && distance !== undefined && number !== undefined;
  const party =
    'from' in whom
      ? { from: whom.from }
      : { booking: { doctoremail: whom.booking.doctoremail, patientemail: whom.booking.patientemail } };
  const asked = JSON.stringify([date, time, unit, distance, number]);
  const settled = useSettled(asked) === asked;
  const plan = useCall(
    'previewSeries',
    { body: { ...party, first: { date, time }, every: { unit, count: distance ?? 1 }, count: number ?? 1 } },
    { enabled: ready && settled, staleTime: 0, keepPrevious: true },
  );
  const checking = plan.isFetching || (ready && !settled);
  const planned = ready ? (plan.data?.dates ?? []) : [];
  const chosen = planned.flatMap((one) => {
    const decision = decisions.get(keyOf(one)) ?? (one.conflict === undefined ? slotOf(one) : undefined);
    return decision === undefined || decision === 'left out' ? [] : [slotOf(decision)];
  });
  const open = planned.filter((one) => one.conflict !== undefined && !decisions.has(keyOf(one)));

  const book = useChange('bookSeries', {
    invalidates: touchedByAppointments,
    success: bookedInWords,
    failure: false,
    onDone: onBooked,
    // Somebody was faster: show what is free now. If nobody knows, the same dates are sent again.
    onError: (problem) => {
      if (!isUnknown(problem)) void client.invalidateQueries({ queryKey: ['previewSeries'] });
    },
  });
  const decide = (one: PlannedDate, decision: Decision | undefined): void => {
    book.reset();
    setDecisions((before) => {
      const next = new Map(before);
      if (decision === undefined) next.delete(keyOf(one));
      else next.set(keyOf(one), decision);
      return next;
    });
  };

  return (
    <Dialog
      open
      wide
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button variant="ghost" onClick={onClose}>
            Go back
          </Button>
          <Button
            icon="check"
            busy={book.isPending}
            aria-disabled={chosen.length === 0 || open.length > 0 || checking}
            onClick={() => {
              if (chosen.length > 0 && open.length === 0 && !checking)
                book.mutate({ body: { ...whom, dates: chosen } });
            }}
          >
            {chosen.length === 1 ? 'Book 1 appointment' : `Book ${chosen.length} appointments`}
          </Button>
        </>
      }
    >
      <div className="grid grid-cols-1 gap-5">
        <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
          <DateField label="First date" min={today} value={date} onChange={(event) => setDate(event.target.value)} />
          <TextField label="Time" type="time" value={time} onChange={(event) => setTime(event.target.value)} />
        </div>
        {'from' in whom && (
          <fieldset className="flex flex-wrap items-center gap-2">
            <legend className="sr-only">Common choices</legend>
            {[1, 2, 4, 6, 12].map((weeks) => (
              <Button
                key={weeks}
                size="sm"
                variant="soft"
                onClick={() => setDate(addDays(addDays(first.date, -7), 7 * weeks))}
              >
                In {weeks === 1 ? '1 week' : `${weeks} weeks`}
              </Button>
            ))}
          </fieldset>
        )}
        <div className="grid grid-cols-2 gap-4 sm:grid-cols-3">
          <TextField
            className="col-span-2 sm:col-span-1"
            label="How many"
            inputMode="numeric"
            value={count}
            error={number === undefined ? `Enter a number from 1 to ${seriesLimits.appointments}` : undefined}
            onChange={(event) => setCount(event.target.value)}
          />
          <TextField
            label="Every"
            inputMode="numeric"
            value={every}
            error={distance === undefined ? `Enter a number from 1 to ${seriesLimits.every}` : undefined}
            onChange={(event) => setEvery(event.target.value)}
          />
          <SelectField
            label="Unit"
            options={units}
            value={unit}
            onChange={(event) => isUnit(event.target.value) && setUnit(event.target.value)}
          />
        </div>
        {plan.isLoading && <Spinner />}
        {plan.isError && (
          <ErrorState title="Error checking the dates" text={plan.error.message} onRetry={() => void plan.refetch()} />
        )}
        {planned.length > 0 && (
          <ol aria-label="Dates" aria-busy={checking} className="grid grid-cols-1 gap-2">
            {planned.map((one, index) => (
              <DateLine
                key={keyOf(one)}
                number={index + 1}
                planned={one}
                decision={decisions.get(keyOf(one))}
                onDecide={(decision) => decide(one, decision)}
              />
            ))}
          </ol>
        )}
        {open.length > 0 && (
          <output className="ui-hint">
            {open.length === 1 ? 'Decide about 1 date' : `Decide about ${open.length} dates`} before you book.
          </output>
        )}
        <Rejection error={book.error} title="Nothing has been booked" />
      </div>
    </Dialog>
  );
}

const slotOf = ({ date, time }: Slot): Slot => ({ date, time });

interface DateLineProps {
  readonly number: number;
  readonly planned: PlannedDate;
  readonly decision: Decision | undefined;
  readonly onDecide: (decision: Decision | undefined) => void;
}

/** A date with its conflict, and what can be done about it. */
function DateLine({ number, planned, decision, onDecide }: DateLineProps) {
  const { conflict, alternative } = planned;
  const free = conflict === undefined || decision !== undefined;
  const leftOut = decision === 'left out';
  return (
    <li className="grid grid-cols-1 gap-2 rounded-xl bg-base-200 px-3 py-2 sm:px-4" data-tone={free ? 'green' : 'red'}>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="w-6 text-end text-muted tabular-nums">{number}</span>
        <span className={`font-semibold tabular-nums ${decision === undefined ? '' : 'line-through opacity-70'}`}>
          {written(planned)}
        </span>
        {decision !== undefined && !leftOut && <span className="font-semibold tabular-nums">{written(decision)}</span>}
        {leftOut && <span>Left out</span>}
        <span className="ms-auto inline-flex items-center gap-1 text-sm text-(--tone)">
          {!leftOut && <Icon name={free ? 'check' : 'alert-triangle'} size={16} />}
          {free ? !leftOut && 'Free' : 'Conflict'}
        </span>
        {conflict === undefined && (
          <Button
            size="sm"
            variant="ghost"
            aria-label={`${leftOut ? 'Put back' : 'Leave out'}: ${written(planned)}`}
            onClick={() => onDecide(leftOut ? undefined : 'left out')}
          >
            {leftOut ? 'Put back' : 'Leave out'}
          </Button>
        )}
      </div>
      {conflict !== undefined && (
        <div className="flex flex-wrap items-center gap-2 sm:ps-9">
          <p className="w-full text-sm">{conflict}</p>
          {decision === undefined ? (
            <>
              {alternative && (
                <Button size="sm" variant="secondary" onClick={() => onDecide(alternative)}>
                  Take {written(alternative)}
                </Button>
              )}
              <Button
                size="sm"
                variant="ghost"
                aria-label={`Leave out: ${written(planned)}`}
                onClick={() => onDecide('left out')}
              >
                Leave out
              </Button>
            </>
          ) : (
            <Button
              size="sm"
              variant="ghost"
              aria-label={`Decide again: ${written(planned)}`}
              onClick={() => onDecide(undefined)}
            >
              Decide again
            </Button>
          )}
        </div>
      )}
    </li>
  );
}
