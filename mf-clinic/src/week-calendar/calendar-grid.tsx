import type { CalendarAppointment } from '@clinic/svc-clinic/contract/calendar-calls';
import { useLayoutEffect, useRef, type CSSProperties } from 'react';
import { CalendarDay, type DayActions } from './calendar-day.tsx';
import { ColumnHead } from './column-head.tsx';
import { minuteOf, timeOf } from '@clinic/contracts/clinic-time';
import { dropOn, rangeOf, scaleOf, shownTime, type DayColumn, type Drop } from './grid-layout.ts';
import { useArrowKeys } from './use-arrow-keys.ts';
import { useDrag, type Drag } from './use-drag.ts';

interface CalendarGridProps extends DayActions {
  readonly label: string;
  readonly columns: readonly DayColumn[];
  readonly onStopMoving: () => void;
  /** Moves all appointments of a column, where there is something to move. */
  readonly moveDayOf: (column: DayColumn) => (() => void) | undefined;
  /** @param reason - why a dropped appointment stays where it was */
  readonly onRefused: (appointment: CalendarAppointment, reason: string) => void;
}

/** Minutes since midnight. */
const morning = 8 * 60;

/** Days side by side on one scale: hours, blocks, free times and appointments. */
export function CalendarGrid(props: CalendarGridProps) {
  const { label, columns, now, byDoctor, moving, onMove, onStopMoving, moveDayOf, onRefused } = props;
  const grid = useRef<HTMLElement>(null);
  const range = rangeOf(columns);
  const scale = scaleOf(columns);
  const arrows = useArrowKeys(grid);
  const single = columns.length === 1 && !byDoctor;
  const firstSeen = columns.some(({ day }) => day.date === now.date) ? Math.min(minuteOf(now.time), morning) : morning;

  // Few people need the night first.
  useLayoutEffect(() => {
    grid.current?.scrollTo?.({ top: Math.max(0, firstSeen - range.from - 15) * scale });
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once: later it is the reader's choice
  }, []);

  /** The time under a dragged appointment. */
  function placeUnder({ appointment, x, top }: Drag): { readonly column: DayColumn; readonly drop: Drop } | undefined {
    for (const element of grid.current?.querySelectorAll<HTMLElement>('[data-day]') ?? []) {
      const box = element.getBoundingClientRect();
      if (x < box.left || x >= box.right) continue;
      const column = columns.find(({ key }) => key === element.dataset['day']);
      if (!column) return undefined;
      if (column.doctor.email !== appointment.doctoremail)
        return { column, drop: { refused: 'That’s another doctor’s time' } };
      const minute = range.from + ((top - box.top) / box.height) * (range.until - range.from);
      const drop = dropOn(column, minute, appointment);
      return drop && { column, drop };
    }
    return undefined;
  }

  const { drag, wasDragged, start } = useDrag((dropped) => {
    const place = placeUnder(dropped);
    if (place?.drop.slot) onMove(dropped.appointment, { ...place.drop.slot, date: place.column.day.date });
    else if (place?.drop.refused) onRefused(dropped.appointment, place.drop.refused);
  });
  const over = drag && placeUnder(drag);
  const hours = Array.from({ length: (range.until - range.from) / 60 }, (_, index) => timeOf(range.from + index * 60));

  return (
    // Keys pressed on its items arrive here.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section
      ref={grid}
      aria-label={label}
      className={`max-h-[calc(100dvh-1.5rem)] overflow-auto rounded-card border border-line bg-base-100 print:max-h-none print:overflow-visible print:rounded-none ${drag ? 'cursor-grabbing select-none' : ''}`}
      style={
        {
          '--minute': `${scale}px`,
          '--minutes': range.until - range.from,
          '--columns': columns.length,
        } as CSSProperties
      }
      data-calendar
      {...arrows}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && moving) onStopMoving();
        arrows.onKeyDown(event);
      }}
    >
      <div
        className="grid min-w-fit"
        style={{
          gridTemplateColumns: `3.75rem repeat(${columns.length}, minmax(${byDoctor ? '8.5rem' : '5rem'}, 1fr))`,
        }}
      >
        <div className={single ? 'h-2' : 'sticky start-0 top-0 z-30 border-b border-line bg-base-100'} />
        {columns.map((column) => (
          <ColumnHead
            key={column.key}
            column={column}
            today={now.date}
            byDoctor={byDoctor}
            hidden={single}
            onMoveDay={moveDayOf(column)}
          />
        ))}
        <div className="sticky start-0 z-20 bg-base-100" aria-hidden>
          {hours.map((time, index) => (
            <div
              key={time}
              className="relative text-end text-xs text-muted tabular-nums"
              style={{ height: 'calc(var(--minute) * 60)' }}
            >
              <span className={`absolute end-2 ${index === 0 ? 'top-0.5' : '-top-2.5'}`}>
                {shownTime(time).replace(':00', '')}
              </span>
            </div>
          ))}
        </div>
        {columns.map((column, index) => (
          <CalendarDay
            key={column.key}
            {...props}
            column={column}
            index={index}
            range={range}
            dragged={drag?.appointment}
            over={over?.column.key === column.key ? over.drop.slot : undefined}
            wasDragged={wasDragged}
            onPress={start}
          />
        ))}
      </div>
    </section>
  );
}
