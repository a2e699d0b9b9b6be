import type { RetentionRule } from '@clinic/service-kit';
import { figureDays } from './deployments/deployment-record.ts';
import { signInRecord } from './access/access-events.ts';
import type { IdentityContext } from './settings.ts';

/** Days for which an admin can see how a deletion went. */
const deletionsKeptDays = 90;

/** Retention rules of this service. */
export function retention({ settings }: Pick<IdentityContext, 'settings'>): readonly RetentionRule[] {
  return [
    // The only part of the history that expires: it contains network addresses, and no right depends on it.
    {
      what: 'sign-in events',
      collection: 'events',
      keptDays: settings.SIGN_INS_KEPT_DAYS,
      over: (before) => [{ 'record.type': signInRecord, at: { $lt: before } }],
    },
    {
      what: 'ended sessions',
      collection: 'sessions',
      keptDays: settings.ENDED_SESSIONS_KEPT_DAYS,
      over: (before) => [{ endedAt: { $lt: before } }, { expiresAt: { $lt: before } }, { idleUntil: { $lt: before } }],
    },
    {
      what: 'finished deletions',
      collection: 'deletions',
      keptDays: deletionsKeptDays,
      over: (before) => [{ finishedAt: { $lt: before } }],
    },
    {
      what: 'invitations',
      collection: 'invitations',
      keptDays: settings.INVITATIONS_KEPT_DAYS,
      over: (before) => [{ expiresAt: { $lt: before } }],
    },
    {
      what: 'figures of releases',
      collection: 'releaseFigures',
      keptDays: figureDays,
      over: (before) => [{ at: { $lt: before } }],
    },
    {
      what: 'gateways that have stopped',
      collection: 'gateways',
      keptDays: 1,
      over: (before) => [{ at: { $lt: before } }],
    },
  ];
}
