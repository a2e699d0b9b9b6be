// For tests that compare charts with the records behind them. Days and weeks are computed differently from charts/spans.ts;
// otherwise both could be wrong together.

/** A period of a report, in the clinic's time zone. */
export interface ReportCase {
  /** What is special about it. */
  readonly name: string;
  /** IANA name. */
  readonly timeZone: string;
  readonly from: string;
  readonly to: string;
  readonly grain: 'day' | 'week';
}

/** Days, weeks and years over clock changes, in both hemispheres, and over year ends. */
export const reportCases: readonly ReportCase[] = [
  {
    name: 'a week in which clocks go forward',
    timeZone: 'America/New_York',
    from: '2026-03-05',
    to: '2026-03-11',
    grain: 'day',
  },
  {
    name: 'a month in which clocks go back',
    timeZone: 'Europe/London',
    from: '2026-10-10',
    to: '2026-11-08',
    grain: 'day',
  },
  { name: 'a quarter that ends a year', timeZone: 'Asia/Dhaka', from: '2026-11-15', to: '2027-02-14', grain: 'day' },
  { name: 'a day more than a quarter', timeZone: 'Asia/Dhaka', from: '2026-11-15', to: '2027-02-15', grain: 'week' },
  {
    name: 'a year with both changes',
    timeZone: 'America/Sao_Paulo',
    from: '2018-01-01',
    to: '2018-12-31',
    grain: 'week',
  },
  {
    name: 'a leap year from midnight changes to half hours',
    timeZone: 'Australia/Lord_Howe',
    from: '2028-01-01',
    to: '2028-12-31',
    grain: 'week',
  },
  {
    name: 'half a year around New Year',
    timeZone: 'Europe/Berlin',
    from: '2025-09-03',
    to: '2026-04-01',
    grain: 'week',
  },
  {
    name: 'a year whose last week belongs to the next',
    timeZone: 'Asia/Beirut',
    from: '2024-01-01',
    to: '2024-12-31',
    grain: 'week',
  },
];

const hour = 3_600_000;

/** Instants in and around a period: close to every midnight, and equally often anywhere in the day. */
export function instantsAround({ from, to }: Pick<ReportCase, 'from' | 'to'>): Date[] {
  const instants: Date[] = [];
  let seed = 20_261_122;
  for (let at = Date.parse(from) - 36 * hour; at <= Date.parse(to) + 60 * hour; at += hour / 2) {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7f_ff_ff_ff;
    // Every half hour may be a midnight somewhere: just before, and exactly then.
    if (seed % 4 === 0) instants.push(new Date(at - 1), new Date(at));
  }
  return instants;
}

/** The day of an instant in a time zone, 'yyyy-mm-dd'. */
export function dayOf(instant: Date, timeZone: string): string {
  const format = formats.get(timeZone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone });
  formats.set(timeZone, format);
  return format.format(instant);
}

// Creating a format costs as much as using it fifty times.
const formats = new Map<string, Intl.DateTimeFormat>();

/** `Map.groupBy`, which the oldest Node version for the browser tests doesn't have. */
function grouped<Row, Key>(rows: readonly Row[], keyOf: (row: Row) => Key): Map<Key, Row[]> {
  const groups = new Map<Key, Row[]>();
  for (const row of rows) {
    const key = keyOf(row);
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  return groups;
}

/** Records of a period by the label of the chart row that must show them; includes every row, in order. */
export function groupsOf<Row>(
  { from, to, grain }: ReportCase,
  records: readonly Row[],
  dateOf: (record: Row) => string,
): Map<string, Row[]> {
  const words = (day: string, options: Intl.DateTimeFormatOptions): string =>
    new Date(`${day}T12:00:00Z`).toLocaleDateString('en-US', {
      timeZone: 'UTC',
      month: 'short',
      day: 'numeric',
      ...options,
    });
  const days: string[] = [];
  for (let noon = Date.parse(`${from}T12:00:00Z`); noon <= Date.parse(`${to}T12:00:00Z`); noon += 24 * hour)
    days.push(new Date(noon).toISOString().slice(0, 10));
  // 5 January 1970 was a Monday.
  const weekOf = (day: string): number => Math.floor((Date.parse(day) / (24 * hour) - 4) / 7);
  const rows = grouped(days, (day) => (grain === 'day' ? day : weekOf(day)));
  const byDay = grouped(records, dateOf);
  return new Map(
    [...rows.values()].map((of) => {
      const [first = '', last = ''] = [of[0], of.at(-1)];
      const year = { year: 'numeric' } as const;
      const name =
        grain === 'day'
          ? words(first, { ...year, weekday: 'short' })
          : first === last
            ? words(first, year)
            : `${words(first, {})} – ${words(last, year)}`;
      return [name, of.flatMap((day) => byDay.get(day) ?? [])];
    }),
  );
}
