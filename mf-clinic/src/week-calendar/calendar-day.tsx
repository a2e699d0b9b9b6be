import { formatDate } from '@clinic/app-kit';
import type { ClinicMoment } from '@clinic/contracts';
import type { CalendarAppointment } from '@clinic/svc-clinic/contract/calendar-calls';
import { minuteOf } from '@clinic/contracts/clinic-time';
import type { CSSProperties } from 'react';
import { AppointmentBlock } from './appointment-block.tsx';
import {
  blocksOf,
  closedWords,
  openSlots,
  shownSpan,
  shownTime,
  sideBySide,
  type Block,
  type DayColumn,
  type OpenSlot,
  type Range,
} from './grid-layout.ts';
import type { Item } from './use-arrow-keys.ts';
import type { useDrag } from './use-drag.ts';
import type { Place } from './use-moves.ts';

/** What a day needs to know, and what can be done in it. */
export interface DayActions {
  readonly now: ClinicMoment;
  /** Columns are headed by their doctor instead of their day. */
  readonly byDoctor: boolean;
  /** The appointment that is being moved by keyboard or presses: free times become places for it. */
  readonly moving: CalendarAppointment | undefined;
  readonly mayMove: (appointment: CalendarAppointment) => boolean;
  readonly onMove: (appointment: CalendarAppointment, place: Place) => void;
  readonly onAppointment: (appointment: CalendarAppointment) => void;
  readonly onSlot: (column: DayColumn, slot: OpenSlot) => void;
  readonly onBlock: (column: DayColumn, block: Block) => void;
  readonly onDayOff: (column: DayColumn) => void;
}

/** Top and height of a span on the day's scale; see `--minute` on the grid. */
function spanStyle(range: Range, from: string, until: string): CSSProperties {
  const start = Math.max(range.from, minuteOf(from));
  const end = Math.min(range.until, minuteOf(until));
  return {
    top: `calc(var(--minute) * ${start - range.from})`,
    height: `calc(var(--minute) * ${Math.max(0, end - start)})`,
  };
}

interface DayProps extends DayActions {
  readonly column: DayColumn;
  readonly index: number;
  readonly range: Range;
  readonly dragged: CalendarAppointment | undefined;
  /** Where the dragged appointment would go. */
  readonly over: OpenSlot | undefined;
  readonly wasDragged: () => boolean;
  readonly onPress: ReturnType<typeof useDrag>['start'];
}

/** A column of the grid: hours, blocks, free times and appointments of one day. */
export function CalendarDay(props: DayProps) {
  const { column, index, range, now, moving, dragged, over, ...on } = props;
  const { key, doctor, day } = column;
  const style = (from: string, until: string) => spanStyle(range, from, until);
  const open = openSlots(column, range, now);
  const targets = moving && moving.doctoremail !== doctor.email ? [] : open;
  const past = day.date < now.date;
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
          text={day.holiday ?? closedWords[day.closed]}
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
      {blocksOf(day).map((block) => (
        <Blocked
          key={block.from}
          block={block}
          date={day.date}
          past={past}
          style={style(block.from, block.until)}
          item={{
            'data-item': `block ${key} ${block.from}`,
            'data-column': index,
            'data-minute': minuteOf(block.from),
          }}
          onPress={() => on.onBlock(column, block)}
        />
      ))}
      <DayAppointments {...props} style={style} />
      {over && dragged && (
        <div
          className="pointer-events-none absolute inset-x-0.5 z-20 overflow-hidden rounded-lg border-2 border-primary bg-tint px-1.5 text-xs font-semibold shadow-lift"
          style={style(over.time, over.until)}
        >
          {shownTime(over.time)} {dragged.patientname}
        </div>
      )}
      {day.date === now.date && <NowLine range={range} time={now.time} marked={!on.byDoctor || index === 0} />}
    </fieldset>
  );
}

interface NowLineProps {
  readonly range: Range;
  /** 'HH:mm' */
  readonly time: string;
  /** Whether it begins with a dot. */
  readonly marked: boolean;
}

function NowLine({ range, time, marked }: NowLineProps) {
  const minute = minuteOf(time);
  if (minute < range.from || minute > range.until) return null;
  return (
    <div
      aria-hidden
      className={`pointer-events-none absolute inset-x-0 z-10 h-0.5 bg-error print:hidden ${marked ? 'before:absolute before:-start-1 before:-top-1 before:size-2.5 before:rounded-full before:bg-error' : ''}`}
      style={{ top: `calc(var(--minute) * ${minute - range.from})` }}
    />
  );
}

interface BlockedProps {
  readonly block: Block;
  readonly date: string;
  readonly past: boolean;
  readonly style: CSSProperties;
  readonly item: Item;
  readonly onPress: () => void;
}

/** Hours that the doctor has blocked; pressed to open them again. */
function Blocked({ block, date, past, style, item, onPress }: BlockedProps) {
  return (
    <button
      type="button"
      {...item}
      aria-disabled={past || undefined}
      className="absolute inset-x-0 z-1 cursor-pointer overflow-hidden border-y border-line bg-[repeating-linear-gradient(135deg,var(--color-base-300)_0_6px,var(--color-base-200)_6px_12px)] px-2 py-0.5 text-start text-xs font-medium text-base-content focus-visible:z-10"
      style={style}
      aria-label={`Blocked, ${shownSpan(block.from, block.until)}, ${formatDate(date)}`}
      onClick={() => !past && onPress()}
    >
      <span className="rounded-sm bg-base-200 px-1">Blocked</span>
    </button>
  );
}

interface DayAppointmentsProps extends DayProps {
  readonly style: (from: string, until: string) => CSSProperties;
}

function DayAppointments(props: DayAppointmentsProps) {
  const { column, index, moving, dragged, style, mayMove, wasDragged, onAppointment, onPress } = props;
  return sideBySide(column.appointments).map(({ appointment, lane, lanes }) => (
    <AppointmentBlock
      key={appointment._id}
      appointment={appointment}
      movable={mayMove(appointment)}
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
      onPointerDown={(event) => mayMove(appointment) && !moving && onPress(event, appointment)}
      onClick={() => !wasDragged() && onAppointment(appointment)}
    />
  ));
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
