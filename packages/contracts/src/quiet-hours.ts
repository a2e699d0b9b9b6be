import { addDays, clinicInstant, clinicMoment } from './clinic-time.ts';

/** Quiet hours of the day. */
export interface QuietHours {
  /** 'HH:mm'; equal to `until`: no quiet hours. */
  readonly from: string;
  readonly until: string;
}

/**
 * When quiet hours end; `undefined` if there are none at this instant.
 *
 * @param timeZone - of `from` and `until`, IANA name
 */
export function quietUntil(now: Date, { from, until }: QuietHours, timeZone: string): Date | undefined {
  const { date, time } = clinicMoment(now, timeZone);
  const overnight = from > until;
  const isQuiet = overnight ? time >= from || time < until : time >= from && time < until;
  if (!isQuiet) return undefined;
  const end = clinicInstant({ date: overnight && time >= from ? addDays(date, 1) : date, time: until }, timeZone);
  // They aren't repeated with the hour of the clock in which they ended.
  return end > now ? end : undefined;
}

/** When the next quiet hours begin, at most `latest`. */
function quietFrom(awake: Date, { from, until }: QuietHours, timeZone: string, latest: Date): Date {
  if (from === until) return latest;
  const { date } = clinicMoment(awake, timeZone);
  const begins = [date, addDays(date, 1)].map((day) => clinicInstant({ date: day, time: from }, timeZone));
  return begins.find((begin) => begin > awake && begin < latest) ?? latest;
}

/**
 * The spans outside quiet hours between two instants, in order.
 *
 * @param timeZone - of the quiet hours, IANA name
 */
export function* awakeSpans(
  from: Date,
  until: Date,
  quiet: QuietHours,
  timeZone: string,
): Generator<{ readonly from: Date; readonly ms: number }> {
  for (let begin = from; begin < until;) {
    const morning = quietUntil(begin, quiet, timeZone);
    if (morning) {
      begin = morning;
      continue;
    }
    const end = quietFrom(begin, quiet, timeZone, until);
    yield { from: begin, ms: end.getTime() - begin.getTime() };
    begin = end;
  }
}

/** Milliseconds outside quiet hours between two instants. @param timeZone - of the quiet hours, IANA name */
export function awakeMs(from: Date, until: Date, quiet: QuietHours, timeZone: string): number {
  let sum = 0;
  for (const { ms } of awakeSpans(from, until, quiet, timeZone)) sum += ms;
  return sum;
}
