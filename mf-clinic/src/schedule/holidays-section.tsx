import { formatDate, useCall } from '@clinic/app-kit';
import { useClinicToday } from '@clinic/app-kit/clinic-today';
import { useOpened } from '@clinic/app-kit/opened';
import { useChange } from '@clinic/app-kit/records';
import { scheduleLimits } from '@clinic/svc-clinic/contract/limits';
import type { Holiday, OutsideAppointment } from '@clinic/svc-clinic/contract/schedule-schemas';
import { Alert, Button, Card, DateField, Icon, TextField } from '@clinic/ui';
import { ConfirmDialog } from '@clinic/ui/tables';
import { useState, type SyntheticEvent } from 'react';
import { touchedBySchedule } from './calls.ts';
import { LoadError } from '../load-error.tsx';
import { OutsideDecision } from './outside-decision.tsx';
import { momentInWords } from './outside-words.ts';
import { SettleAll } from './settle-all.tsx';

const none: readonly Holiday[] = [];

/** The days on which nobody can be booked, for admins. */
export function HolidaysSection() {
  const today = useClinicToday();
  const answer = useCall('listHolidays', {});
  const [fields, setFields] = useState({ name: '', from: '', until: '' });
  const [removing, ask] = useOpened(answer.data ?? none, ({ _id }) => _id);
  // As stored: whoever comes back, or a colleague, settles them.
  const booked = useCall('listVisitsOnHolidays', {});
  const outside = booked.data ?? [];
  const isCut = outside.length >= scheduleLimits.outside;
  const [deciding, setDeciding] = useState<OutsideAppointment>();
  const outdated = ['listHolidays', 'previewSchedule', ...touchedBySchedule] as const;
  const add = useChange('addHoliday', {
    invalidates: outdated,
    success: ({ holiday }) => `The clinic is closed on ${holiday.name}`,
    undo: ({ holiday }) => ({
      call: 'removeHoliday',
      input: { params: { id: holiday._id } },
      done: `The clinic is open on ${holiday.name}`,
    }),
    failure: false,
    onDone: () => setFields({ name: '', from: '', until: '' }),
  });
  const remove = useChange('removeHoliday', {
    invalidates: outdated,
    success: 'The holiday is removed',
    undo: (_, { params }) => {
      const removed = answer.data?.find(({ _id }) => _id === params.id);
      if (!removed) return undefined;
      const { name, from, until } = removed;
      return {
        call: 'addHoliday',
        input: { body: { name, from, until } },
        done: `The clinic is closed on ${name} again`,
      };
    },
  });
  const error = (field: string) => add.error?.problem.errors?.find((one) => one.field === field)?.message;

  function submit(event: SyntheticEvent): void {
    event.preventDefault();
    add.mutate({ body: { ...fields, until: fields.until || fields.from } });
  }

  return (
    <Card as="section" aria-labelledby="holidays-title" className="grid gap-6">
      <div>
        <h2 id="holidays-title" className="text-heading font-bold">
          Clinic holidays
        </h2>
        <p className="text-sm text-muted">Nobody can be booked on these days. Existing appointments stay booked.</p>
      </div>
      <LoadError title="Error loading holidays" answer={answer} />
      {answer.data?.length === 0 && <p className="text-muted">No holidays are coming up.</p>}
      {answer.data && answer.data.length > 0 && (
        <ul aria-label="Clinic holidays" className="grid gap-2">
          {answer.data.map((holiday) => (
            <li
              key={holiday._id}
              className="flex items-center justify-between gap-3 rounded-xl bg-base-200 py-1 ps-4 pe-1"
            >
              <span className="min-w-0">
                <strong className="font-semibold wrap-anywhere">{holiday.name}</strong>{' '}
                <span className="block tabular-nums sm:inline">{spanText(holiday)}</span>
              </span>
              <button
                type="button"
                className="ui-icon-button"
                aria-label={`Remove ${holiday.name}`}
                onClick={() => ask(holiday)}
              >
                <Icon name="trash" size={17} />
              </button>
            </li>
          ))}
        </ul>
      )}
      <LoadError title="Error loading appointments on holidays" answer={booked} />
      {outside.length > 0 && (
        <Alert
          kind="warning"
          title={
            outside.length === 1
              ? '1 appointment is booked on a holiday'
              : `${isCut ? 'At least ' : ''}${outside.length} appointments are booked on holidays`
          }
        >
          <p>They stay booked as promised, and nobody is told anything, until you decide.</p>
          <SettleAll appointments={outside} />
          <ul className="mt-3 grid gap-2">
            {outside.map((one) => (
              <li key={one._id} className="flex flex-wrap items-center justify-between gap-2">
                <span>
                  {one.patientname} with {one.doctorname}, {momentInWords(one)}
                  {one.promised && (
                    <span className="block text-sm">
                      Promised {one.promised.minutes} minutes at {one.promised.place || 'the clinic'}.
                    </span>
                  )}
                </span>
                <Button
                  variant="secondary"
                  size="sm"
                  aria-label={`Decide about ${one.patientname}, ${formatDate(one.date)}`}
                  onClick={() => setDeciding(one)}
                >
                  Decide
                </Button>
              </li>
            ))}
          </ul>
        </Alert>
      )}
      {isCut && (
        <Alert kind="warning" title="More appointments may be booked on holidays">
          Only the first {scheduleLimits.outside} are named here. Find the others under the hours of each doctor.
        </Alert>
      )}
      <form
        noValidate
        aria-label="New holiday"
        className="grid gap-4 sm:grid-cols-2 xl:grid-cols-[2fr_1fr_1fr_auto] xl:items-start"
        onSubmit={submit}
      >
        <TextField
          label="Name"
          required
          maxLength={200}
          value={fields.name}
          error={error('name')}
          onChange={(event) => setFields({ ...fields, name: event.target.value })}
        />
        <DateField
          label="First day"
          required
          min={today}
          value={fields.from}
          error={error('from')}
          onChange={(event) => setFields({ ...fields, from: event.target.value })}
        />
        <DateField
          label="Last day"
          min={fields.from || today}
          value={fields.until}
          // Without a day of its own it is the first, whose message says it.
          error={fields.until ? error('until') : undefined}
          hint="Leave it empty for one day."
          onChange={(event) => setFields({ ...fields, until: event.target.value })}
        />
        <Button
          type="submit"
          variant="secondary"
          icon="plus"
          busy={add.isPending}
          className="justify-self-start xl:mt-7"
        >
          Add holiday
        </Button>
      </form>
      {add.error && !add.error.problem.errors?.length && <Alert kind="error">{add.error.message}</Alert>}
      <ConfirmDialog
        open={removing !== undefined}
        title={`Remove ${removing?.name ?? 'this holiday'}?`}
        confirmLabel="Remove the holiday"
        cancelLabel="Keep it"
        onConfirm={() => {
          if (removing) remove.mutate({ params: { id: removing._id } });
          ask();
        }}
        onCancel={() => ask()}
      >
        Patients can book on {removing && spanText(removing)} again.
      </ConfirmDialog>
      {deciding && <OutsideDecision appointment={deciding} onClose={() => setDeciding(undefined)} />}
    </Card>
  );
}

function spanText({ from, until }: Holiday): string {
  return from === until ? formatDate(from) : `${formatDate(from)} to ${formatDate(until)}`;
}
