import { formatDate } from '@clinic/app-kit';
import { Button } from '@clinic/ui';
import { dayOfMonth, shortWeekday } from './week-days.ts';
import { closedWords, type DayColumn } from './grid-layout.ts';

interface ColumnHeadProps {
  readonly column: DayColumn;
  readonly today: string;
  readonly byDoctor: boolean;
  /** The page says which day it is. */
  readonly hidden: boolean;
  /** Moves all of it; absent if there is nothing to move. */
  readonly onMoveDay: (() => void) | undefined;
}

/** The head of a column: its day, or its doctor, and for screen readers what is in it. */
export function ColumnHead({ column, today, byDoctor, hidden, onMoveDay }: ColumnHeadProps) {
  const { key, doctor, day, appointments } = column;
  const isToday = day.date === today;
  const count = appointments.length === 1 ? '1 appointment' : `${appointments.length} appointments`;
  return (
    <div
      className={
        hidden ? '' : 'sticky top-0 z-20 min-w-0 border-s border-b border-line bg-base-100 px-2 py-2 text-center'
      }
    >
      <h3 id={`day-${key}`} className={hidden ? 'sr-only' : 'font-semibold'}>
        {byDoctor ? (
          <>
            <span className="block leading-snug wrap-anywhere">{doctor.name}</span>
            <span className="block text-xs font-normal wrap-anywhere text-muted">{doctor.specialization}</span>
          </>
        ) : (
          <>
            <span className="sr-only">
              {formatDate(day.date)}
              {isToday && ', today'}
            </span>
            <span aria-hidden className="block text-xs font-normal text-muted">
              {shortWeekday(day.date)}
            </span>
            <span
              aria-hidden
              className={`mx-auto grid size-8 place-items-center rounded-full text-base tabular-nums ${isToday ? 'bg-primary text-primary-content print:bg-transparent print:text-base-content' : ''}`}
            >
              {dayOfMonth(day.date)}
            </span>
          </>
        )}
        <span className="sr-only">, {day.closed ? (day.holiday ?? closedWords[day.closed]) : count}</span>
      </h3>
      {onMoveDay && !hidden && (
        <Button
          size="sm"
          variant="ghost"
          {...(!byDoctor && { icon: 'arrow-right' as const })}
          className="print:hidden"
          title="Move the day"
          aria-label={`Move the day of ${doctor.name}, ${formatDate(day.date)}`}
          onClick={onMoveDay}
        >
          {byDoctor && 'Move the day'}
        </Button>
      )}
    </div>
  );
}
