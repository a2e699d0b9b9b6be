import { tzlib_get_ical_block } from 'timezones-ical-library';

const offset = /^(?<sign>[+-])(?<hours>\d\d):?(?<minutes>\d\d)?$/;
const offsetName = /^UTC(?<utcOffset>[+-]\d{4})$/;

/** The name of a zone in the file; an offset would need quotes, which some calendars reject. */
export function zoneName(timeZone: string): string {
  const { sign, hours, minutes = '00' } = offset.exec(timeZone)?.groups ?? {};
  if (sign !== undefined) return `UTC${sign}${hours}${minutes}`;
  // The library treats UTC as no time zone, and the strings as this machine's time.
  return timeZone.toUpperCase() === 'UTC' ? 'Etc/UTC' : timeZone;
}

/**
 * The VTIMEZONE of a zone (section 3.6.5).
 *
 * @param zone - as {@link zoneName} returns it
 */
export function zoneRules(zone: string): string | null {
  const { utcOffset } = offsetName.exec(zone)?.groups ?? {};
  if (utcOffset !== undefined) {
    return [
      'BEGIN:VTIMEZONE',
      `TZID:${zone}`,
      'BEGIN:STANDARD',
      `TZOFFSETFROM:${utcOffset}`,
      `TZOFFSETTO:${utcOffset}`,
      'DTSTART:19700101T000000',
      'END:STANDARD',
      'END:VTIMEZONE',
    ].join('\r\n');
  }
  // The library knows one name for zones with the same rules (Europe/Brussels for Europe/Amsterdam); the event uses
  // ours.
  const rules =
    tzlib_get_ical_block(zone)[0] ??
    tzlib_get_ical_block(new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone)[0];
  return rules?.replace(/^TZID:.*$/m, `TZID:${zone}`) ?? null;
}
