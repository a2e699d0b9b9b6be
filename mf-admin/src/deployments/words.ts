import { knownLabel } from '@clinic/contracts/known-words';
import type { Deployment } from '@clinic/svc-identity/contract/deployment-calls';

const count = new Intl.NumberFormat('en');
const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });

export const countText = (value: number): string => count.format(value);

export const percentText = (part: number): string => percent.format(part);

/** '3 (0.4%)': errors, and the share of visits that had one. */
export function errorsText({ visits, errors }: { readonly visits: number; readonly errors: number }): string {
  // A page that breaks at once may report its error and never its visit.
  const seen = Math.max(visits, errors);
  return seen === 0 ? '0' : `${countText(errors)} (${percentText(errors / seen)})`;
}

const decisions = {
  pin: (version) => `Pinned ${version}`,
  unpin: (version) => `Unpinned: back to ${version}`,
  rollback: (version) => `Rolled back to ${version}`,
  canary: (version) => `Started the canary ${version}`,
  stop: (version) => `Stopped the canary ${version}`,
  promoted: (version) => `Canary ${version} promoted to everybody`,
  'rolled back': (version) => `Canary ${version} rolled back`,
} as const satisfies Record<NonNullable<Deployment['decision']>['kind'], (version: string) => string>;

/** The last decision, and who made it. */
export function decisionText({ kind, version, by, email }: NonNullable<Deployment['decision']>): string {
  const who = knownLabel(
    {
      admin: email ?? 'somebody who has left',
      operator: 'an operator at the command line',
      gateway: 'what visitors’ pages reported',
    },
    by,
  );
  return `${Object.hasOwn(decisions, kind) ? decisions[kind](version) : `${kind} ${version}`}, by ${who}`;
}

/** What happens next with a running canary. */
export function canaryRulesText({ minVisits, errorRate, quietMinutes }: NonNullable<Deployment['canary']>): string {
  return `After ${countText(minVisits)} visits it’s rolled back at ${percentText(errorRate)} with an error, and goes to everybody after ${countText(quietMinutes)} minutes without one. If several networks visit, the errors of one alone don’t roll it back.`;
}
