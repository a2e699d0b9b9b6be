import { formatDate, formatTime } from '@clinic/app-kit';
import type { Doctor } from '@clinic/svc-clinic/contract/schemas';
import { brand } from '@clinic/ui';
import { useWatch } from 'react-hook-form';
import type { BookingState } from './use-booking.ts';

interface VisitSummaryProps {
  readonly doctor: Pick<Doctor, 'name' | 'location'>;
  readonly form: BookingState;
  /** Staff book for somebody else, so the patient is named, too. */
  readonly forOthers: boolean;
}

/** Who, when and where, pinned above the form where it is longer than the window. */
export function VisitSummary({ doctor, form: { control, date, time, free }, forOthers }: VisitSummaryProps) {
  const patient = useWatch({ control, name: 'patientname' }).trim();
  const place = (time && free.placeAt(time)) || doctor.location || brand.brandName;
  return (
    <section
      aria-label="Your choice"
      data-pinned-visit
      className="sticky top-(--ui-bar,0px) z-10 -mx-[clamp(1.125rem,0.9rem+1vw,1.75rem)] border-b border-line bg-base-100 px-[clamp(1.125rem,0.9rem+1vw,1.75rem)] py-2 lg:hidden"
    >
      <p className="font-semibold">{whenOf(date, time)}</p>
      <p className="text-sm wrap-anywhere text-muted">
        {forOthers && patient !== '' && `${patient}, with `}
        {doctor.name} · {place}
      </p>
    </section>
  );
}

function whenOf(date: string, time: string): string {
  if (date === '') return 'Choose a day and a time';
  return time === '' ? `${formatDate(date)}: choose a time` : `${formatDate(date)} at ${formatTime(time)}`;
}
