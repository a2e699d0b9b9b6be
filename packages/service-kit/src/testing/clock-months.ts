/**
 * Time zones, each with the first day of a month in which its clocks change, or never do. In Havana they change at midnight: one
 * day starts at 01:00, another has two midnights.
 */
export const clockMonths = [
  ['Asia/Dhaka', '2026-05-16'],
  ['America/New_York', '2026-02-20'],
  ['America/New_York', '2026-10-15'],
  ['America/Havana', '2026-03-01'],
  ['America/Havana', '2026-10-20'],
  ['Australia/Lord_Howe', '2026-03-28'],
] as const;
