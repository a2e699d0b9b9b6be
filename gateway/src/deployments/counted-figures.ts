import { createHash } from 'node:crypto';
import type { ReportedFigures } from '@clinic/service-kit/deployments/gateway-report';

/** Most releases of a front-end counted in a day. Reports can only name versions that visitors get, so there are few. */
const mostCounted = 60;

/** What a page reports about a release. */
export type Reported = 'visit' | 'error';

interface PageReport {
  readonly version: string;
  /** The canary's number if it is one, otherwise 0. */
  readonly canary: number;
  readonly what: Reported;
  /** The visitor's. */
  readonly network: string;
}

interface Counted extends Pick<ReportedFigures, 'version' | 'canary' | 'day'> {
  /** By a byte of the network's digest: enough to tell several from one, and too little to identify any. */
  readonly by: Map<number, Record<Reported, number>>;
  /** Since its last report. */
  hasChanged: boolean;
}

/** What visitors' pages report about a front-end's releases, counted by this process until it has been reported. */
export class CountedFigures {
  readonly #counted = new Map<string, Counted>();

  count({ version, canary, what, network }: PageReport): void {
    const counted = this.#of(version, canary);
    if (!counted) return;
    const from = createHash('sha256').update(network).digest().readUInt8();
    counted.hasChanged = true;
    const own = counted.by.get(from) ?? { visit: 0, error: 0 };
    own[what] += 1;
    counted.by.set(from, own);
  }

  /** Takes what has changed since the last report. @returns call it if the report has failed */
  take(): { readonly figures: readonly ReportedFigures[]; readonly failed: () => void } {
    const changed = [...this.#counted.values()].filter(({ hasChanged }) => hasChanged);
    const mark = (hasChanged: boolean) => changed.forEach((counted) => (counted.hasChanged = hasChanged));
    mark(false);
    return { figures: changed.map(figuresOf), failed: () => mark(true) };
  }

  #of(version: string, canary: number): Counted | undefined {
    const day = new Date().toISOString().slice(0, 10);
    const key = `${day} ${version} ${canary}`;
    let counted = this.#counted.get(key);
    if (!counted) {
      for (const [old, { day: before, hasChanged }] of this.#counted)
        if (before !== day && !hasChanged) this.#counted.delete(old);
      if (this.#counted.size >= mostCounted) return undefined;
      counted = { version, canary, day, by: new Map(), hasChanged: true };
      this.#counted.set(key, counted);
    }
    return counted;
  }
}

function figuresOf({ version, canary, day, by }: Counted): ReportedFigures {
  const networks = [...by.values()].toSorted((one, other) => other.error - one.error);
  const visits = networks.reduce((sum, { visit }) => sum + visit, 0);
  const errors = networks.reduce((sum, { error }) => sum + error, 0);
  // Without the one that reports the most errors it may be worse: that one may make most of the visits.
  const [others] = networks
    .map(({ visit, error }) => ({ visit: visits - visit, error: errors - error }))
    .toSorted((one, other) => rateOf(one) - rateOf(other));
  const [otherVisits, otherErrors] = [others?.visit ?? 0, others?.error ?? 0];
  return { version, canary, day, visits, errors, otherVisits, otherErrors, networks: by.size };
}

/** A page that breaks at once may report its error but never its visit. */
const rateOf = ({ visit, error }: Record<Reported, number>): number => error / Math.max(visit, error, 1);
