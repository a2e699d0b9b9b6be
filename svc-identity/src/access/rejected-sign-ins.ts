import { networkOf } from '@clinic/contracts/network';
import { appendEvent, type Rejection } from '@clinic/service-kit';
import type { IdentityContext } from '../settings.ts';
import { userIdOf } from '../users/user-record.ts';
import { signInRecord } from './access-events.ts';

/** Milliseconds before the same rejection is written again: attempts in a loop must not fill the database. */
const notedEvery = 60_000;
const rememberAtMost = 10_000;

/**
 * Writes rejected sign-ins to the history, each kind at most once a minute for a network; the log has every one. Never throws: the
 * rejection is sent in any case.
 */
export function noteRejectedSignIns(context: IdentityContext): (rejection: Rejection) => Promise<void> {
  const noted = new Map<string, number>();
  return async ({ call, problem, requestId, req, provenEmail }) => {
    if (call !== 'startSession') return;
    const reason = problem.code;
    // Being asked for a code is a normal step of signing in.
    if (reason === 'second_factor_needed') return;
    // Never the address that the request claims: otherwise anybody could write into anybody's history.
    if (!isNew(noted, `${networkOf(req.ip ?? '')} ${reason} ${provenEmail}`)) return;
    try {
      const account = provenEmail === undefined ? undefined : await userIdOf(context, provenEmail);
      await context.inTransaction((session) =>
        appendEvent(context, session, {
          call,
          caller: undefined,
          requestId,
          record: { type: signInRecord, id: provenEmail ?? 'unknown' },
          subject: provenEmail,
          accounts: [account],
          action: 'sign-in refused',
          before: null,
          after: { reason, address: req.ip },
        }),
      );
    } catch (error) {
      context.log.warn(
        { requestId, reason: (error as Error).message },
        'writing a rejected sign-in to the history failed',
      );
    }
  };
}

/** Whether a kind of rejection hasn't been written for a while; remembers that it is now. */
function isNew(noted: Map<string, number>, kind: string): boolean {
  const now = Date.now();
  const last = noted.get(kind);
  if (last !== undefined && now - last < notedEvery) return false;
  noted.delete(kind);
  const [oldest] = noted.keys();
  if (oldest !== undefined && noted.size >= rememberAtMost) noted.delete(oldest);
  noted.set(kind, now);
  return true;
}
