import type { ReportedFigures } from '@clinic/service-kit/deployments/gateway-report';
import { figureDays, figuresOf, type FiguresRecord, type Stored } from './deployment-record.ts';

/**
 * Notes what pages have reported to a gateway. A repeated or late report changes nothing: the counts of a process only grow.
 * Errors are as recent as the report that brings them, whatever the gateway's clock says.
 */
export async function noteFigures(
  context: Stored,
  name: string,
  gateway: string,
  { day, version, canary, ...counts }: ReportedFigures,
  now: number,
): Promise<void> {
  const _id = [name, version, canary, day, gateway].join(' ');
  const lastErrorAt = counts.errors > 0 ? now : 0;
  await figuresOf(context).updateOne({ _id, errors: { $lt: counts.errors } }, { $set: { lastErrorAt } });
  await figuresOf(context).updateOne(
    { _id },
    { $setOnInsert: { name, version, canary, at: new Date(day), lastErrorAt }, $max: counts },
    { upsert: true },
  );
}

/** What all gateways have noted about a front-end in the last days. */
export function readFigures(context: Stored, name: string): Promise<FiguresRecord[]> {
  const firstDay = new Date(Date.now() - (figureDays - 1) * 86_400_000).toISOString().slice(0, 10);
  return figuresOf(context)
    .find({ name, at: { $gte: new Date(firstDay) } })
    .toArray();
}

/** Adds up visits, and those of them with an error. */
export function addUp(figures: readonly FiguresRecord[]) {
  return { visits: sumOf(figures, 'visits'), errors: sumOf(figures, 'errors') };
}

/**
 * What decides about a canary. Where the front-end's visitors come from several networks, `failures` leaves out the errors
 * that one of them can have made up: reports are anonymous.
 *
 * @param figures - of the front-end
 */
export function evidenceOf(figures: readonly FiguresRecord[], canary: number) {
  const own = figures.filter((one) => one.canary === canary);
  const totals = addUp(own);
  const severalVisit = figures.some(({ networks }) => networks > 1);
  return {
    ...totals,
    failures: severalVisit ? sumOf(own, 'confirmedErrors') : totals.errors,
    lastErrorAt: Math.max(0, ...own.map(({ lastErrorAt }) => lastErrorAt)),
  };
}

function sumOf(figures: readonly FiguresRecord[], field: 'visits' | 'errors' | 'confirmedErrors'): number {
  return figures.reduce((sum, { [field]: count }) => sum + count, 0);
}
