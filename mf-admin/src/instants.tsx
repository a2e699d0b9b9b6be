import { clinicMoment, formatShortDate, formatTime } from '@clinic/app-kit';

/** Formats an instant by the clinic's clock. @param at - ISO instant. @param timeZone - IANA name */
export function inWords(at: string, timeZone: string): string {
  const { date, time } = clinicMoment(new Date(at), timeZone);
  return `${formatShortDate(date)}, ${formatTime(time)}`;
}

/** When something happened, below what it was in a list. */
export const WhenBelow = ({ at, timeZone }: { readonly at: string; readonly timeZone: string }) => (
  <time dateTime={at} className="block text-sm font-normal whitespace-nowrap text-muted">
    {inWords(at, timeZone)}
  </time>
);
