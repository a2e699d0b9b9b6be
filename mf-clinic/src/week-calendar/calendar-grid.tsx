import { formatDate } from '@clinic/app-kit';
import type { CalendarAppointment, ClinicMoment } from '@clinic/contracts';
import { useLayoutEffect, useRef, type CSSProperties } from 'react';
import { AppointmentBlock } from './appointment-block.tsx';
import { dayOfMonth, shortWeekday } from './calendar-days.ts';
import {
  inLanes,
  minuteOf,
  nearest,
  openSlots,
  rangeOf,
  scaleOf,
  shownSpan,
  shownTime,
  timeOf,
  type DayColumn,
  type OpenSlot,
  type Range,
} from './grid-layout.ts';
import { useArrowKeys, type Item } from './use-arrow-keys.ts';
import { useDrag, type Drag } from './use-drag.ts';
import type { Place } from './use-moves.ts';

interface CalendarGridProps {
  readonly label: string;
  readonly columns: readonly DayColumn[];
  readonly now: ClinicMoment;
  /** Columns are headed by their doctor instead of their day. */
  readonly byDoctor: boolean;
  /** The appointment that is being moved by keyboard or presses: free times become places for it. */
  readonly moving: CalendarAppointment | undefined;
  readonly mayMove: (appointment: CalendarAppointment) => boolean;
  readonly onMove: (appointment: CalendarAppointment, place: Place) => void;
  readonly onStopMoving: () => void;
  readonly onAppointment: (appointment: CalendarAppointment) => void;
  readonly onSlot: (column: DayColumn, slot: OpenSlot) => void;
  readonly onBlock: (column: DayColumn, block: { readonly from: string; readonly until: string }) => void;
  readonly onDayOff: (column: DayColumn) => void;
}

/** Minutes since midnight. */
const morning = 8 * 60;

const why = { holiday: 'Clinic closed', 'day off': 'Day off', 'no hours': 'No hours' } as const;

/** Top and height of a span on the day's scale; see `--minute` on the grid. */
function spanStyle(range: Range, from: string, until: string): CSSProperties {
  const start = Math.max(range.from, minuteOf(from));
  const end = Math.min(range.until, minuteOf(until));
  return {
    top: `calc(var(--minute) * ${start - range.from})`,
    height: `calc(var(--minute) * ${Math.max(0, end - start)})`,
  };
}

/** Days side by side on one scale: hours, blocks, free times and appointments. */
export function CalendarGrid(props: CalendarGridProps) {
  const { label, columns, now, byDoctor, moving, onMove, onStopMoving } = props;
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

  /** The free time under a dragged appointment. */
  function placeUnder({
    appointment,
    x,
    top,
  }: Drag): { readonly column: DayColumn; readonly slot: OpenSlot } | undefined {
    for (const element of grid.current?.querySelectorAll<HTMLElement>('[data-day]') ?? []) {
      const box = element.getBoundingClientRect();
      if (x < box.left || x >= box.right) continue;
      const column = columns.find(({ key }) => key === element.dataset['day']);
      if (column?.doctor.email !== appointment.doctoremail) return undefined;
      const minute = range.from + ((top - box.top) / box.height) * (range.until - range.from);
      const slot = nearest(openSlots(column, range, now), minute);
      // Far from any free time, nothing would be where somebody looks.
      return slot && Math.abs(minuteOf(slot.time) - minute) <= 60 ? { column, slot } : undefined;
    }
    return undefined;
  }

  const { drag, wasDragged, start } = useDrag((dropped) => {
    const place = placeUnder(dropped);
    if (place) onMove(dropped.appointment, { ...place.slot, date: place.column.day.date });
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
        style={{ gridTemplateColumns: `3.75rem repeat(${columns.length}, minmax(${byDoctor ? '9rem' : '5rem'}, 1fr))` }}
      >
        <div className={single ? 'h-2' : 'sticky start-0 top-0 z-30 border-b border-line bg-base-100'} />
        {columns.map((column) => (
          <ColumnHead key={column.key} column={column} today={now.date} byDoctor={byDoctor} hidden={single} />
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
          <Day
            key={column.key}
            {...props}
            column={column}
            index={index}
            range={range}
            dragged={drag?.appointment}
            over={over?.column.key === column.key ? over.slot : undefined}
            wasDragged={wasDragged}
            onPress={start}
          />
        ))}
      </div>
    </section>
  );
}

interface ColumnHeadProps {
  readonly column: DayColumn;
  readonly today: string;
  readonly byDoctor: boolean;
  /** The page says which day it is. */
  readonly hidden: boolean;
}

function ColumnHead({ column: { key, doctor, day, appointments }, today, byDoctor, hidden }: ColumnHeadProps) {
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
            <span className="block truncate">{doctor.name}</span>
            <span className="block truncate text-xs font-normal text-muted">{doctor.specialization}</span>
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
        <span className="sr-only">, {day.closed ? (day.holiday ?? why[day.closed]) : count}</span>
      </h3>
    </div>
  );
}

interface DayProps extends CalendarGridProps {
  readonly column: DayColumn;
  readonly index: number;
  readonly range: Range;
  readonly dragged: CalendarAppointment | undefined;
  /** Where the dragged appointment would go. */
  readonly over: OpenSlot | undefined;
  readonly wasDragged: () => boolean;
  readonly onPress: ReturnType<typeof useDrag>['start'];
}

function Day({ column, index, range, now, moving, dragged, over, wasDragged, onPress, ...on }: DayProps) {
  const { key, doctor, day, appointments } = column;
  const style = (from: string, until: string) => spanStyle(range, from, until);
  const open = openSlots(column, range, now);
  const targets = moving && moving.doctoremail !== doctor.email ? [] : open;
  const past = day.date < now.date;
  const minute = minuteOf(now.time);
  return (
    <fieldset
      aria-labelledby={`day-${key}`}
      data-day={key}
      className="relative min-w-0 border-s border-line"
      style={{ height: `calc(var(--minute) * ${range.until - range.from})` }}
    >
      <div
        aria-hidden
        className={`absolute inset-0 ${doctor.anyTime && !day.closed ? '' : 'bg-base-300/50 print:bg-transparent'}`}
      />
      {day.hours.map(({ from, until }) => (
        <div key={from} aria-hidden className="absolute inset-x-0 bg-base-100" style={style(from, until)} />
      ))}
      <div
        aria-hidden
        className="absolute inset-0 bg-[repeating-linear-gradient(to_bottom,var(--ui-line)_0_1px,transparent_1px_calc(var(--minute)*60))]"
      />
      {day.closed && (
        <Closed
          text={day.holiday ?? why[day.closed]}
          onPress={day.closed === 'day off' && !past ? () => on.onDayOff(column) : undefined}
          item={{ 'data-item': `closed ${key}`, 'data-column': index, 'data-minute': range.from }}
        />
      )}
      {targets.map((slot) => (
        <SlotButton
          key={slot.time}
          slot={slot}
          date={day.date}
          who={doctor.name}
          moving={moving}
          style={style(slot.time, slot.until)}
          item={{ 'data-item': `slot ${key} ${slot.time}`, 'data-column': index, 'data-minute': minuteOf(slot.time) }}
          onPress={() => (moving ? on.onMove(moving, { ...slot, date: day.date }) : on.onSlot(column, slot))}
        />
      ))}
      {day.off.map((block) => (
        <button
          key={block.from}
          type="button"
          aria-disabled={past || undefined}
          className="absolute inset-x-0 z-1 cursor-pointer overflow-hidden border-y border-line bg-[repeating-linear-gradient(135deg,var(--color-base-300)_0_6px,var(--color-base-200)_6px_12px)] px-2 py-0.5 text-start text-xs font-medium text-base-content focus-visible:z-10"
          style={style(block.from, block.until)}
          aria-label={`Blocked, ${shownSpan(block.from, block.until)}, ${formatDate(day.date)}`}
          data-item={`block ${key} ${block.from}`}
          data-column={index}
          data-minute={minuteOf(block.from)}
          onClick={() => !past && on.onBlock(column, block)}
        >
          <span className="rounded-sm bg-base-200 px-1">Blocked</span>
        </button>
      ))}
      {inLanes(appointments).map(({ appointment, lane, lanes }) => (
        <AppointmentBlock
          key={appointment._id}
          appointment={appointment}
          movable={on.mayMove(appointment)}
          faded={dragged?._id === appointment._id || moving?._id === appointment._id}
          style={{
            ...style(appointment.time, appointment.ends),
            left: `calc(${(lane / lanes) * 100}% + 2px)`,
            width: `calc(${100 / lanes}% - 5px)`,
          }}
          // While one is moved, arrow keys lead to free times only.
          item={
            moving
              ? {}
              : {
                  'data-item': `appointment ${appointment._id}`,
                  'data-column': index,
                  'data-minute': minuteOf(appointment.time),
                }
          }
          onPointerDown={(event) => on.mayMove(appointment) && !moving && onPress(event, appointment)}
          onClick={() => !wasDragged() && on.onAppointment(appointment)}
        />
      ))}
      {over && dragged && (
        <div
          className="pointer-events-none absolute inset-x-0.5 z-20 overflow-hidden rounded-lg border-2 border-primary bg-tint px-1.5 text-xs font-semibold shadow-lift"
          style={style(over.time, over.until)}
        >
          {shownTime(over.time)} {dragged.patientname}
        </div>
      )}
      {day.date === now.date && minute >= range.from && minute <= range.until && (
        <div
          aria-hidden
          className={`pointer-events-none absolute inset-x-0 z-10 h-0.5 bg-error print:hidden ${on.byDoctor && index > 0 ? '' : 'before:absolute before:-start-1 before:-top-1 before:size-2.5 before:rounded-full before:bg-error'}`}
          style={{ top: `calc(var(--minute) * ${minute - range.from})` }}
        />
      )}
    </fieldset>
  );
}

interface ClosedProps {
  readonly text: string;
  readonly onPress: (() => void) | undefined;
  readonly item: Item;
}

function Closed({ text, onPress, item }: ClosedProps) {
  const label = (
    <span className="mx-1 block rounded-lg border border-line bg-base-100 px-2 py-1 text-center text-xs font-medium text-muted">
      {text}
    </span>
  );
  if (!onPress) return <div className="absolute inset-x-0 top-2">{label}</div>;
  return (
    <button
      type="button"
      {...item}
      className="absolute inset-0 grid cursor-pointer content-start pt-2"
      aria-label={`${text}: take it back`}
      onClick={onPress}
    >
      {label}
    </button>
  );
}

interface SlotButtonProps {
  readonly slot: OpenSlot;
  readonly date: string;
  readonly who: string;
  readonly moving: CalendarAppointment | undefined;
  readonly style: CSSProperties;
  readonly item: Item;
  readonly onPress: () => void;
}

/** A free time: pressed to block it, or to put the appointment there that is being moved. */
function SlotButton({ slot, date, who, moving, style, item, onPress }: SlotButtonProps) {
  const span = shownSpan(slot.time, slot.until);
  return (
    <button
      type="button"
      {...item}
      className={`group absolute inset-x-0.5 cursor-pointer overflow-hidden rounded-lg border px-1.5 text-start text-xs focus-visible:z-10 print:hidden ${
        moving
          ? 'border-dashed border-primary bg-tint hover:border-solid focus-visible:border-solid'
          : 'border-transparent hover:border-line hover:bg-tint focus-visible:bg-tint'
      }`}
      style={style}
      aria-label={
        moving
          ? `Move ${moving.patientname} to ${shownTime(slot.time)}, ${formatDate(date)}`
          : `Free, ${span}, ${formatDate(date)}, ${who}`
      }
      onClick={onPress}
    >
      <span className="block truncate font-medium text-primary opacity-0 group-hover:opacity-100 group-focus-visible:opacity-100">
        {moving ? `${moving.patientname} to ${shownTime(slot.time)}` : span}
      </span>
    </button>
  );
}
