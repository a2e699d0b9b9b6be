/** Zones with clock changes of an hour, half an hour, at midnight, across the date line, and none. */
export const zones = [
  'Asia/Dhaka',
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'America/Sao_Paulo',
  'Africa/Cairo',
  'Asia/Beirut',
  'Pacific/Apia',
  'America/Santiago',
  'Asia/Tehran',
] as const;

/** A zone in which it is this hour of the day: midnight has just been, or doesn't come while a test runs. */
export function zoneAt(hour: number): string {
  const ahead = (hour - new Date().getUTCHours() + 24) % 24;
  if (ahead === 0) return 'Etc/GMT';
  return ahead > 12 ? `Etc/GMT+${24 - ahead}` : `Etc/GMT-${ahead}`;
}
