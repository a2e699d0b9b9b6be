import type { CalendarAppointment } from '@clinic/svc-clinic/contract/calendar-calls';
import { Icon, toneOfStatus } from '@clinic/ui';
import type { CSSProperties, PointerEvent } from 'react';
import { linesAbout } from '../appointments/about-visit.tsx';
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

/** An appointment in the calendar: name, and status as colour and icon; where there is room, time, reason and status as words. */
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
  const about = linesAbout(appointment).map(([, text]) => text);
  const more = [shownSpan(time, ends), ...about, status].join(', ');
  // Begins with what is on screen, for people who speak to their computer (WCAG 2.5.3).
  const whole = `${patientname}, ${more}, ${formatDate(date)}, with ${doctorname}${outside ? ', outside the hours' : ''}`;
  return (
    <button
      type="button"
      {...item}
      data-block
      data-tone={toneOfStatus(status)}
      className={`absolute z-2 overflow-hidden rounded-lg border border-s-4 bg-(--tone-soft) px-1.5 text-start text-xs leading-tight text-(--tone) shadow-card hover:shadow-lift focus-visible:z-10 ${
        pending ? 'border-dashed' : ''
      } ${faded ? 'opacity-40' : ''} ${movable ? 'cursor-grab' : 'cursor-pointer'} border-(--tone) print:text-[7pt] print:shadow-none`}
      style={style}
      title={whole}
      aria-label={whole}
      onPointerDown={onPointerDown}
      onClick={onClick}
    >
      <span className="flex items-center gap-1 pt-0.5 font-semibold text-base-content">
        <Icon name={pending ? 'clock' : 'check'} size={12} />
        <span data-block-name>{patientname}</span>
        {outside && <Icon name="alert-triangle" size={12} />}
      </span>{' '}
      <span data-block-more>{more}</span>
    </button>
  );
}
