import { addDays, formatDate, formatTime } from '@clinic/app-kit';
import type { ScheduledDay } from '@clinic/svc-clinic/contract/schedule-schemas';
import { Button } from '@clinic/ui';
import { Loading } from '@clinic/ui/loading';

interface WeekPreviewProps {
  /** Absent while it loads. */
  readonly days: readonly ScheduledDay[] | undefined;
  /** First day shown. */
  readonly from: string;
  readonly today: string;
  readonly onFrom: (from: string) => void;
}

const why = { holiday: 'Clinic closed', 'day off': 'Day off', 'no hours': 'No hours' } as const;

/** The times that patients would be offered in a week. */
export function WeekPreview({ days, from, today, onFrom }: WeekPreviewProps) {
  const earlier = addDays(from, -7);
  return (
    <section aria-labelledby="schedule-preview" className="grid gap-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 id="schedule-preview" className="font-semibold">
          What patients can book
        </h3>
        <div className="flex items-center gap-1">
          <Button
            variant="ghost"
            size="sm"
            icon="chevron-left"
            aria-label="Earlier week"
            aria-disabled={from <= today}
            onClick={() => from > today && onFrom(earlier < today ? today : earlier)}
          />
          <span className="text-sm tabular-nums" aria-live="polite">
            {formatDate(from)}
          </span>
          <Button
            variant="ghost"
            size="sm"
            icon="chevron-right"
            aria-label="Later week"
            onClick={() => onFrom(addDays(from, 7))}
          />
        </div>
      </div>
      {days ? (
        <ol className="grid gap-2 sm:grid-cols-4 xl:grid-cols-7">
          {days.map((day) => (
            <Day key={day.date} day={day} />
          ))}
        </ol>
      ) : (
        <Loading className="h-32" />
      )}
      <p className="ui-hint">Times that are booked already are crossed out.</p>
    </section>
  );
}

function Day({ day: { date, closed, holiday, times } }: { readonly day: ScheduledDay }) {
  const free = times.filter(({ taken }) => !taken).length;
  return (
    <li className="min-w-0 rounded-xl border border-line p-3">
      <h4 className="text-sm font-semibold">{formatDate(date).replace(/, \d{4}$/, '')}</h4>
      {closed ? (
        <p className="text-sm text-muted">{holiday ?? why[closed]}</p>
      ) : times.length === 0 ? (
        <p className="text-sm text-muted">No hours</p>
      ) : (
        <>
          <p className="text-sm text-muted">
            {free} of {times.length} free
          </p>
          <ul className="mt-1 grid grid-cols-[repeat(auto-fill,minmax(4.5rem,1fr))] gap-x-2 text-sm tabular-nums">
            {times.map(({ time, taken, place }) => (
              <li key={time} className={taken ? 'text-muted line-through' : undefined} title={place || undefined}>
                {formatTime(time)}
                {taken && <span className="sr-only">, booked</span>}
              </li>
            ))}
          </ul>
        </>
      )}
    </li>
  );
}
