import { formatDate, formatTime, useConfig } from '@clinic/app-kit';
import { clinicMoment } from '@clinic/contracts/clinic-time';
import { useChange } from '@clinic/app-kit/records';
import { touchedByAppointments, waitlistLists } from '@clinic/svc-clinic/contract/lists';
import type { WaitlistOffer } from '@clinic/svc-clinic/contract/waitlist-calls';
import { Button, Icon } from '@clinic/ui';
import { useEffect, useRef, useState } from 'react';
import { ClinicZone } from '../slots/clinic-zone.tsx';

interface OfferCardProps {
  readonly offer: WaitlistOffer;
  /** When the offer was received, milliseconds since 1970. */
  readonly receivedAt: number;
  /** It has ended while it was on screen. */
  readonly onOver: () => void;
}

/** What an accepted or declined offer outdates. */
const touched = [...waitlistLists, ...touchedByAppointments];

/** A time that is held for the patient, with what they can do about it. */
export function OfferCard({ offer, receivedAt, onOver }: OfferCardProps) {
  const { clinicTimeZone } = useConfig();
  const { _id, doctorname, date, time, place, moves, last, until } = offer;
  const slot = `${doctorname}, ${formatDate(date)} at ${formatTime(time)}`;
  const ends = new Date(until);
  const end = clinicMoment(ends, clinicTimeZone);
  // A time that became free at night is offered until the morning.
  const isTomorrow = end.date !== clinicMoment(new Date(ends.getTime() - offer.left), clinicTimeZone).date;
  const params = { params: { id: _id } } as const;
  const accept = useChange('acceptOffer', {
    invalidates: touched,
    success: moves ? `Your appointment is moved: ${slot}` : `Your appointment is booked: ${slot}`,
    onError: onOver,
  });
  const decline = useChange('declineOffer', {
    invalidates: touched,
    success: last
      ? 'The time goes to the next person. Your place on the waitlist has ended.'
      : 'The time goes to the next person. You stay on the waitlist.',
    onError: onOver,
  });
  const busy = accept.isPending || decline.isPending;
  // The buttons are disabled only with the next frame: a double press must not decide twice.
  const decided = useRef(false);
  const decide = ({ mutate }: typeof accept | typeof decline): void => {
    if (decided.current) return;
    decided.current = true;
    mutate(params, { onError: () => (decided.current = false) });
  };
  return (
    <section
      aria-label="A time is free for you"
      className="grid gap-3 rounded-2xl border border-primary bg-base-100 p-4 shadow-lg sm:grid-cols-[1fr_auto] sm:items-center"
    >
      <div className="min-w-0">
        {/* Announced once: what changes every second is not part of it. */}
        <output className="flex min-w-0 gap-3">
          <Icon name="calendar" size={22} className="mt-0.5 flex-none text-primary" />
          <span className="block min-w-0">
            <span className="block font-semibold wrap-anywhere">{slot}</span>
            <span className="block text-sm text-muted">
              {place && `${place}. `}
              Free for you until {isTomorrow && `${formatDate(end.date)} at `}
              {formatTime(end.time)}.{last && ' It’s our last offer: without it your place on the waitlist ends.'}
              {moves &&
                ` Accepting moves your appointment from ${formatDate(moves.date)} at ${formatTime(moves.time)}.`}
            </span>
          </span>
        </output>
        {/* Below the text, beside the icon. */}
        <div className="ps-8.5">
          <ClinicZone />
        </div>
      </div>
      <div className="flex flex-wrap items-center gap-2 sm:justify-end">
        <TimeLeft end={receivedAt + offer.left} onOver={onOver} />
        <Button size="sm" busy={accept.isPending} disabled={busy} onClick={() => decide(accept)}>
          Accept<span className="sr-only">: {slot}</span>
        </Button>
        <Button size="sm" variant="secondary" busy={decline.isPending} disabled={busy} onClick={() => decide(decline)}>
          Decline<span className="sr-only">: {slot}</span>
        </Button>
      </div>
    </section>
  );
}

/** @param end - milliseconds since 1970 */
function TimeLeft({ end, onOver }: { readonly end: number; readonly onOver: () => void }) {
  const [now, setNow] = useState(Date.now);
  const seconds = Math.max(0, Math.ceil((end - now) / 1_000));
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  const over = seconds === 0;
  useEffect(() => {
    if (over) onOver();
  }, [over, onOver]);
  if (seconds > 3_600) return null;
  return (
    <span role="timer" aria-live="off" className="me-1 text-sm whitespace-nowrap text-muted tabular-nums">
      {Math.floor(seconds / 60)}:{String(seconds % 60).padStart(2, '0')}
      <span className="sr-only"> minutes left</span>
    </span>
  );
}
