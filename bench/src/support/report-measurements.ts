import { performance } from 'node:perf_hooks';

/** The best of several measurements, because the machine does other work too. */
export interface Measured {
  readonly what: string;
  readonly milliseconds: number;
}

/** Time budget of a report, milliseconds. */
export const reportBudget = 300;

const tries = 5;
const batch = 2_000;

/** The year that the records are spread over. */
export const year = { firstDay: '2026-01-01', lastDay: '2026-12-31', days: 365 } as const;

/** Stores `records` of what `recordOf` makes of their numbers. */
export async function store<Stored>(
  collection: { insertMany(stored: Stored[]): Promise<unknown> },
  records: number,
  recordOf: (n: number) => Stored,
): Promise<void> {
  for (let from = 0; from < records; from += batch)
    await collection.insertMany(
      Array.from({ length: Math.min(batch, records - from) }, (_, index) => recordOf(from + index)),
    );
}

/**
 * Measures a service's reports over HTTP, and the recount that they need first.
 *
 * @param recount - counts everything again, as the start after an update does
 * @param fetch - as an admin
 * @param reports - what each is, and its path
 */
export async function measure(
  recount: () => Promise<unknown>,
  fetch: (path: string) => Promise<Response>,
  reports: readonly (readonly [what: string, path: string])[],
): Promise<Measured[]> {
  const begun = performance.now();
  await recount();
  const counting = performance.now() - begun;
  const measured: Measured[] = [];
  for (const [what, path] of reports) {
    const times: number[] = [];
    for (let turn = 0; turn < tries; turn += 1) {
      const start = performance.now();
      const answer = await fetch(path);
      await answer.arrayBuffer();
      if (answer.status !== 200) throw new Error(`${what} answered ${answer.status}`);
      times.push(performance.now() - start);
    }
    measured.push({ what, milliseconds: Math.min(...times) });
  }
  return [...measured, { what: 'counting all again, at the start after an update', milliseconds: counting }];
}
