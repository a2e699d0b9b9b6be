import type { CalendarAppointment } from '@clinic/svc-clinic/contract/calendar-calls';
import { Icon, toneOfStatus } from '@clinic/ui';
import type { CSSProperties, PointerEvent } from 'react';
import { minuteOf } from '@clinic/contracts/clinic-time';
import { shownSpan } from './grid-layout.ts';
import { formatDate } from '@clinic/app-kit';
import type { Item } from './use-arrow-keys.ts';

interface AppointmentBlockProps {
  readonly appointment: CalendarAppointment;
  readonly movable: boolean;
  /** It is being moved. */
  readonly faded: boolean;
  readonly style: CSSProperties;
  readonly item: Item;
  readonly onPointerDown: (event: PointerEvent<HTMLElement>) => void;
  readonly onClick: () => void;
}

/** Minutes that leave room for a second line. */
const roomy = 40;

/** An appointment in the calendar: status as colour, icon and, where there is room, word. */
export function AppointmentBlock({
  appointment,
  movable,
  faded,
  style,
  item,
  onPointerDown,
  onClick,
}: AppointmentBlockProps) {
  const { patientname, doctorname, date, time, ends, status, outside } = appointment;
  const pending = status === 'Pending';
  const whole = `${patientname}, ${shownSpan(time, ends)}, ${status}, ${formatDate(date)}, with ${doctorname}${outside ? ', outside the hours' : ''}`;
  return (
    <button
      type="button"
      {...item}
      data-tone={toneOfStatus(status)}
      className={`absolute z-2 overflow-hidden rounded-lg border border-s-4 bg-(--tone-soft) px-1.5 text-start text-xs leading-tight text-(--tone) shadow-card hover:shadow-lift focus-visible:z-10 ${
        pending ? 'border-dashed' : ''
      } ${faded ? 'opacity-40' : ''} ${movable ? 'cursor-grab' : 'cursor-pointer'} border-(--tone) print:overflow-visible print:shadow-none`}
      style={style}
      title={whole}
      aria-label={whole}
      onPointerDown={onPointerDown}
      onClick={onClick}
    >
      <span className="flex items-center gap-1 pt-1 font-semibold text-base-content">
        <Icon name={pending ? 'clock' : 'check'} size={12} />
        <span className="truncate">{patientname}</span>
        {outside && <Icon name="alert-triangle" size={12} />}
      </span>
      {minuteOf(ends) - minuteOf(time) >= roomy && (
        <span className="block truncate">
          {shownSpan(time, ends)}, {status}
        </span>
      )}
    </button>
  );
}
