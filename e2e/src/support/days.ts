import type { FreeDays } from '@clinic/svc-clinic/contract/schemas';
import type { APIRequestContext } from '@playwright/test';

/** 'yyyy-mm-dd', this many days from now. */
export function dayFromNow(days: number): string {
  return new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
}

/** The first day with free times, at least this many days from now: 'yyyy-mm-dd'. @param doctor - their id */
export async function freeDayFrom(api: APIRequestContext, doctor: string, days: number): Promise<string> {
  const [day = ''] = await freeDaysFrom(api, doctor, days, 1);
  return day;
}

/** As {@link freeDayFrom}, so many days. */
export async function freeDaysFrom(
  api: APIRequestContext,
  doctor: string,
  days: number,
  count: number,
): Promise<string[]> {
  const period = `from=${dayFromNow(days)}&until=${dayFromNow(days + 20)}`;
  const { days: known } = (await (await api.get(`/doctors/${doctor}/free-days?${period}`)).json()) as FreeDays;
  const free = known.filter((day) => day.free > 0).map(({ date }) => date);
  if (free.length < count) throw new Error(`Doctor ${doctor} has ${free.length} free days in this period: ${period}`);
  return free.slice(0, count);
}

/** 'Tue, Dec 1, 2026', the date format of the screens. */
export const written = (date: string): string =>
  new Intl.DateTimeFormat('en-US', {
    weekday: 'short',
    month: 'short',
    day: 'numeric',
    year: 'numeric',
    timeZone: 'UTC',
  }).format(new Date(`${date}T00:00:00Z`));
