import { formatDate, formatTime } from '@clinic/app-kit';
import type { Doctor } from '@clinic/svc-clinic/contract/schemas';
import { Button, DateField } from '@clinic/ui';
import { Loading } from '@clinic/ui/loading';
import { lazy, Suspense, useEffect, useRef, useState, type ComponentPropsWithRef, type ReactNode } from 'react';
import { useFreeDays } from './use-free-days.ts';
import { dateProblem } from './use-slot.ts';

// The form and its date field work before the calendar is loaded.
const DayCalendar = lazy(async () => ({ default: (await import('./day-calendar.tsx')).DayCalendar }));

export interface SlotChoiceProps {
  readonly doctor: Pick<Doctor, '_id' | 'availableTimes' | 'nextFree' | 'bookableUntil'>;
  /** 'yyyy-mm-dd' in the clinic's time zone. */
  readonly today: string;
  /** The chosen day; empty if none. */
  readonly date: string;
  readonly onDate: (date: string) => void;
  readonly onTime: (time: string) => void;
  readonly dateError: string | undefined;
  /** The chosen day's times are on their way. */
  readonly loading: boolean;
  /** Further props of the date input, e.g. from a form library. */
  readonly dateField: Omit<ComponentPropsWithRef<'input'>, 'className' | 'id'>;
  /** The choice of time. */
  readonly children: ReactNode;
}

/** Choice of day and time: the day typed or picked from a calendar of free days, beside the day's free times. */
export function SlotChoice({
  doctor,
  today,
  date,
  onDate,
  onTime,
  dateError,
  loading,
  dateField,
  children,
}: SlotChoiceProps) {
  const isShown = (day: string) => dateProblem(day, today, doctor.bookableUntil) === undefined;
  const [chosenMonth, setMonth] = useState(isShown(date) ? date : today);
  // The displayed month may end while the page is open.
  const month = chosenMonth < today ? today : chosenMonth;
  const [followed, setFollowed] = useState(date);
  // Typing a day moves the calendar to its month.
  if (followed !== date) {
    setFollowed(date);
    if (isShown(date)) setMonth(date);
  }
  const { nextFree, bookableUntil: until } = doctor;
  const listsTimes = doctor.availableTimes.length > 0;
  const free = useFreeDays(doctor._id, month, today, listsTimes);
  const times = useRef<HTMLDivElement>(null);
  const [pressed, setPressed] = useState<{ readonly day: string }>();
  // On a phone the times are below the calendar, out of sight. Whoever types a date keeps the field before their eyes.
  useEffect(() => {
    if (pressed?.day === date && !loading) times.current?.scrollIntoView({ block: 'nearest' });
  }, [pressed, date, loading]);
  return (
    <div className="grid gap-x-8 gap-y-6 md:grid-cols-2">
      <div className="grid min-w-0 content-start gap-4">
        <DateField label="Date" required min={today} max={until} error={dateError} {...dateField} />
        <Suspense fallback={<Loading className="h-80 max-w-96" />}>
          <DayCalendar
            label="Days"
            today={today}
            until={until}
            month={month}
            onMonth={setMonth}
            free={free}
            selected={[date]}
            onDay={(day) => {
              onDate(day);
              setPressed({ day });
            }}
          />
        </Suspense>
        {until && <p className="ui-hint">You can book until {formatDate(until)}.</p>}
        {/* Reserves the space, so that nothing moves under the pointer when the month changes. */}
        {listsTimes && (
          <p className={[...free.values()].includes(0) ? 'ui-hint' : 'ui-hint invisible'}>
            Crossed-out days have no free times.
          </p>
        )}
      </div>
      {/* Neither the form's pinned summary nor its buttons cover the times. */}
      <div ref={times} className="grid min-w-0 scroll-mt-36 scroll-mb-28 content-start gap-4">
        {children}
        {nextFree && nextFree.date >= today && (
          <Button
            variant="soft"
            size="sm"
            className="h-auto min-h-10 max-w-full justify-self-start py-1.5 whitespace-normal"
            onClick={() => {
              onDate(nextFree.date);
              onTime(nextFree.time);
            }}
          >
            Earliest: {formatDate(nextFree.date)} at {formatTime(nextFree.time)}
          </Button>
        )}
      </div>
    </div>
  );
}
