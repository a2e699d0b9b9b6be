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
