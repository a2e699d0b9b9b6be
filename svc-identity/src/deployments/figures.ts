import type { ReportedFigures } from '@clinic/service-kit/deployments/gateway-report';
import type { Filter } from 'mongodb';
import type { CanaryRules } from '../contract/deployment-calls.ts';
import { figureDays, figuresOf, type FiguresRecord, type Stored } from './deployment-record.ts';

/**
 * Notes what pages have reported to a gateway. A repeated or late report changes nothing: the visits and errors of a
 * process only grow. Those without one network may fall, when it is another one.
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
  const { visits, errors, otherErrors } = counts;
  const none = {
    visits: 0,
    errors: 0,
    otherVisits: 0,
    otherErrors: 0,
    networks: 0,
    lastErrorAt: 0,
    lastOtherErrorAt: 0,
  };
  const started = { name, version, canary, at: new Date(day), ...none };
  const update = (filter: Filter<FiguresRecord>, $set: Partial<FiguresRecord>) => ({
    updateOne: { filter: { _id, ...filter }, update: { $set } },
  });
  await figuresOf(context).bulkWrite([
    { updateOne: { filter: { _id }, update: { $setOnInsert: started }, upsert: true } },
    update({ errors: { $lt: errors } }, { lastErrorAt: now }),
    update({ otherErrors: { $lt: otherErrors } }, { lastOtherErrorAt: now }),
    update({ visits: { $lte: visits }, errors: { $lte: errors } }, counts),
  ]);
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

/** Visits to a canary, those with an error, and when its last one was noted; 0 if there was none. */
interface Evidence {
  readonly visits: number;
  readonly errors: number;
  readonly lastErrorAt: number;
}

/**
 * What decides about a canary: what all have reported, and `others` without the network of each gateway and day
 * without which the least fails, which can have made its errors up: reports are anonymous. If only one network visits the
 * front-end at all, that is what it reports.
 *
 * @param figures - of the front-end
 */
export function evidenceOf(
  figures: readonly FiguresRecord[],
  canary: number,
): { readonly all: Evidence; readonly others: Evidence } {
  const own = figures.filter((one) => one.canary === canary);
  const latest = (field: 'lastErrorAt' | 'lastOtherErrorAt') => Math.max(0, ...own.map(({ [field]: at = 0 }) => at));
  const all = { ...addUp(own), lastErrorAt: latest('lastErrorAt') };
  if (!figures.some(({ networks = 0 }) => networks > 1)) return { all, others: all };
  const [visits, errors] = [sumOf(own, 'otherVisits'), sumOf(own, 'otherErrors')];
  return { all, others: { visits, errors, lastErrorAt: latest('lastOtherErrorAt') } };
}

/** A page that breaks at once may report its error but never its visit. */
export const seenBy = ({ visits, errors }: Pick<Evidence, 'visits' | 'errors'>): number => Math.max(visits, errors);

/** Whether a canary has too many errors. */
export const fails = ({ errorRate }: Pick<CanaryRules, 'errorRate'>, evidence: Evidence): boolean =>
  evidence.errors > 0 && evidence.errors >= seenBy(evidence) * errorRate;

function sumOf(figures: readonly FiguresRecord[], field: 'visits' | 'errors' | 'otherVisits' | 'otherErrors'): number {
  return figures.reduce((sum, { [field]: count = 0 }) => sum + count, 0);
}
