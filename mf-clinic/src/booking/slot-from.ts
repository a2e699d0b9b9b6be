import type { BookingFields } from './booking-fields.ts';

/** The slot that a link to the booking form names, e.g. `?date=2026-12-01&time=09:30`; anything else in the address is ignored. */
export function slotFrom(search: URLSearchParams): Partial<Pick<BookingFields, 'date' | 'time'>> {
  const date = search.get('date') ?? '';
  const time = search.get('time') ?? '';
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) return {};
  return { date, ...(/^\d{2}:\d{2}$/.test(time) && { time }) };
}
