import { addDays, draftOf, useCall, useDraft, useQueryClient } from '@clinic/app-kit';
import { useClinicToday } from '@clinic/app-kit/clinic-today';
import { useChange, useLeaveQuestion } from '@clinic/app-kit/records';
import type { FieldError } from '@clinic/contracts';
import type { Doctor } from '@clinic/svc-clinic/contract/schemas';
import type { Schedule } from '@clinic/svc-clinic/contract/schedule-schemas';
import { startOfWeek } from '@clinic/contracts/opening-days';
import { failureTitle } from '@clinic/contracts/outcome';
import { Alert, Button, Card } from '@clinic/ui';
import { Loading } from '@clinic/ui/loading';
import { Switch } from '@clinic/ui/switch';
import { ConfirmDialog } from '@clinic/ui/tables';
import { useMemo, useRef, useState, type SyntheticEvent } from 'react';
import { touchedBySchedule } from './calls.ts';
import { incomplete, otherErrors, toDraft, usualWeek, type PeriodDraft, type ScheduleDraft } from './draft.ts';
import { ExceptionsEditor } from './exceptions-editor.tsx';
import { booked, OutsideWarning } from './outside-warning.tsx';
import { PeriodFields } from './period-fields.tsx';
import { changedParts, usePreview, type Edits } from './schedule-edits.ts';
import { WeekHours } from './week-hours.tsx';
import { LoadError } from '../load-error.tsx';
import { WeekPreview } from './week-preview.tsx';

interface ScheduleEditorProps {
  readonly doctor: Pick<Doctor, '_id' | 'name' | 'location'>;
  /** The doctor edits their own hours. */
  readonly own: boolean;
}

/** A doctor's weekly hours, exceptions and what patients see of them. */
export function ScheduleEditor({ doctor, own }: ScheduleEditorProps) {
  const answer = useCall('getSchedule', { params: { id: doctor._id } });
  if (answer.data) return <Editor key={doctor._id} doctor={doctor} own={own} schedule={answer.data} />;
  return (
    <Card>
      {answer.isError ? <LoadError title="Error loading hours" answer={answer} /> : <Loading className="h-96" />}
    </Card>
  );
}

function Editor({ doctor, own, schedule }: ScheduleEditorProps & { readonly schedule: Schedule }) {
  const today = useClinicToday();
  const client = useQueryClient();
  const key = `schedule ${doctor._id}`;
  const [edits, setEdits] = useState<Edits | undefined>(() => draftOf<Edits>(key));
  useDraft(key, () => edits, 'forget');
  const leaving = useLeaveQuestion(edits !== undefined);
  const saved = useMemo(() => toDraft(schedule), [schedule]);
  const draft = edits?.draft ?? saved;
  const [shown, setShown] = useState(0);
  const index = Math.min(shown, draft.periods.length - 1);
  const period = draft.periods[index];
  const holidays = useCall('listHolidays', {});
  const [from, setFrom] = useState(() => nextWeek(today));
  const preview = usePreview(doctor._id, draft, from);
  const sent = useRef<Edits>(undefined);
  const save = useChange('changeSchedule', {
    invalidates: touchedBySchedule,
    success: ({ outside }) =>
      `${own ? 'Your hours are' : `The hours of ${doctor.name} are`} saved${outside.length > 0 ? `. ${booked(outside.length)} outside them` : ''}`,
    undo: ({ schedule: { version } }) =>
      sent.current && {
        call: 'changeSchedule',
        input: {
          params: { id: doctor._id },
          body: { version, ...changedParts({ base: sent.current.draft, draft: sent.current.base }) },
        },
        done: `${own ? 'Your hours are' : `The hours of ${doctor.name} are`} as they were`,
      },
    failure: false,
    draft: key,
    // What was edited while it saved stays, as edits of what is saved now.
    onDone: ({ schedule: { version } }) =>
      setEdits((now) =>
        now && sent.current && now !== sent.current
          ? { version, base: sent.current.draft, draft: now.draft }
          : undefined,
      ),
  });
  const errors: readonly FieldError[] = save.error?.problem.errors ?? [
    ...incomplete(draft),
    // A value that no schedule can have is rejected without a preview.
    ...(preview.error?.problem.errors ?? preview.data?.errors ?? []),
  ];
  const elsewhere = otherErrors(errors);
  const changed = edits !== undefined;
  const stale = save.error?.code === 'changed_meanwhile';

  function edit(fields: Partial<ScheduleDraft>): void {
    if (!save.isPending) save.reset();
    const { version, base } = edits ?? { version: schedule.version, base: saved };
    setEdits({ version, base, draft: { ...draft, ...fields } });
  }
  const editPeriod = (fields: Partial<PeriodDraft>): void =>
    edit({ periods: draft.periods.map((one, at) => (at === index ? { ...one, ...fields } : one)) });

  function submit(event: SyntheticEvent): void {
    event.preventDefault();
    if (!edits || save.isPending) return;
    sent.current = edits;
    save.mutate({
      params: { id: doctor._id },
      body: { version: edits.version, ...changedParts(edits) },
    });
  }

  function reload(): void {
    setEdits(undefined);
    save.reset();
    void client.invalidateQueries({ queryKey: ['getSchedule'] });
  }

  return (
    <Card as="section" aria-labelledby="hours-title">
      <form
        className="grid gap-8"
        noValidate
        onSubmit={submit}
        aria-label={own ? 'My hours' : `Hours of ${doctor.name}`}
      >
        <div className="grid gap-2">
          <h2 id="hours-title" className="text-heading font-bold">
            {own ? 'My hours' : doctor.name}
          </h2>
          <p className="text-sm text-muted">When patients can book. Existing appointments stay booked.</p>
          <Switch
            label={own ? 'I take appointments' : 'Takes appointments'}
            checked={draft.takesAppointments}
            onChange={(takesAppointments) => edit({ takesAppointments })}
          />
        </div>

        <section aria-labelledby="hours-week" className="grid gap-4">
          <h3 id="hours-week" className="font-semibold">
            Weekly hours
          </h3>
          {period ? (
            <>
              <PeriodFields
                periods={draft.periods}
                index={index}
                errors={errors}
                today={today}
                onShow={setShown}
                onPeriods={(periods, show) => {
                  edit({ periods });
                  setShown(show);
                }}
                onChange={editPeriod}
              />
              <WeekHours
                period={period}
                index={index}
                errors={errors}
                places={placesOf(draft)}
                usualPlace={doctor.location}
                onChange={(days) => editPeriod({ days })}
              />
              <Button
                variant="link"
                size="sm"
                className="h-auto justify-self-start text-start whitespace-normal"
                onClick={() => edit({ periods: [], exceptions: [] })}
              >
                Remove all hours: nobody can book
              </Button>
            </>
          ) : (
            <div className="grid justify-items-start gap-3">
              <p>There are no hours, so patients can’t book.</p>
              <Button variant="secondary" size="sm" icon="plus" onClick={() => edit({ periods: [usualWeek] })}>
                Set weekly hours
              </Button>
            </div>
          )}
        </section>

        <section aria-labelledby="hours-exceptions" className="grid gap-4">
          <h3 id="hours-exceptions" className="font-semibold">
            Time off and extra hours
          </h3>
          <ExceptionsEditor
            today={today}
            holidays={holidays.data ?? []}
            hasHours={draft.periods.length > 0}
            daysOff={draft.daysOff}
            exceptions={draft.exceptions}
            onChange={edit}
          />
        </section>

        {preview.error && !preview.error.problem.errors ? (
          <LoadError title="Error checking these hours" answer={preview} />
        ) : (
          <WeekPreview days={preview.data?.days} from={from} today={today} onFrom={setFrom} />
        )}

        {changed && errors.length === 0 && (preview.data?.outside.length ?? 0) > 0 && (
          <OutsideWarning outside={preview.data?.outside ?? []} />
        )}
        {elsewhere.length > 0 && <Alert kind="error">{elsewhere.join('. ')}</Alert>}
        {stale ? (
          <Alert
            kind="error"
            title="Someone else has changed these hours"
            actions={
              <Button variant="secondary" size="sm" onClick={reload}>
                Show their hours
              </Button>
            }
          >
            Your changes aren’t saved. Note what you need, show the saved hours, and make your changes again.
          </Alert>
        ) : (
          save.error &&
          errors.length === 0 && (
            <Alert kind="error" title={failureTitle(save.error, 'We couldn’t save the hours')}>
              {save.error.message}
            </Alert>
          )
        )}
        <div
          className={
            changed
              ? 'sticky bottom-0 z-10 -mx-2 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-xl border border-line bg-base-100 p-3 shadow-card'
              : 'flex'
          }
        >
          <Button type="submit" icon="check" busy={save.isPending} aria-disabled={!changed || errors.length > 0}>
            {own ? 'Save my hours' : 'Save the hours'}
          </Button>
          {changed && (
            <>
              <Button variant="ghost" size="sm" onClick={() => setEdits(undefined)}>
                Discard
              </Button>
              <p className="ui-hint">{errors.length > 0 ? 'Fix the errors above first.' : 'Not saved yet.'}</p>
            </>
          )}
        </div>
      </form>
      <ConfirmDialog
        {...leaving}
        title="Leave without saving?"
        confirmLabel="Leave without saving"
        cancelLabel="Keep editing"
        destructive
      >
        {own ? 'Your new hours aren’t saved yet.' : `The new hours of ${doctor.name} aren’t saved yet.`}
      </ConfirmDialog>
    </Card>
  );
}

function placesOf({ periods, exceptions }: ScheduleDraft): string[] {
  const spans = periods.flatMap(({ days }) => Object.values(days).flat());
  return [...new Set([...spans, ...exceptions].map(({ place }) => place).filter((place) => place !== ''))].toSorted();
}

/** @param today - 'yyyy-mm-dd' */
function nextWeek(today: string): string {
  return addDays(startOfWeek(today), 7);
}
