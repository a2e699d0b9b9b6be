import { Router, type Response } from 'express';
import type { Db } from 'mongodb';
import type { Watchers } from '@clinic/graceful-server';
import type { VersionTracker } from '../auth/version-tracker.ts';

/** Time limit of the database ping, milliseconds. */
const pingLimit = 2_000;

/** Readiness report: the state of each part, with the reason if it isn't ready. */
interface Readiness {
  readonly ready: boolean;
  readonly checks: Readonly<Record<string, string>>;
}

/**
 * Checks every dependency. A service isn't ready before it has received the session feed once: a new replica mustn't
 * respond with 503 where the old one worked. A feed lost later is only reported: public calls still work, and taking
 * the service out of rotation would make the outage worse.
 */
export async function readiness(db: Db, versions: VersionTracker, stopping: AbortSignal): Promise<Readiness> {
  const database = await pingDatabase(db);
  const silence = versions.silence();
  const sessions = versions.isLive()
    ? 'ok'
    : silence === undefined
      ? 'not connected yet'
      : `lost ${Math.round(silence)} s ago`;
  const ready = database === 'ok' && silence !== undefined && !stopping.aborted;
  return { ready, checks: { database, sessions, process: stopping.aborted ? 'stopping' : 'ok' } };
}

async function pingDatabase(db: Db): Promise<string> {
  try {
    // The driver's timeoutMS has no effect.
    await db.command({ ping: 1 }, { signal: AbortSignal.timeout(pingLimit) });
    return 'ok';
  } catch (error) {
    return `does not answer (${(error as Error).name})`;
  }
}

/**
 * `/health/live`: the process runs; `/health/ready`: it can serve requests. The gateway routes neither.
 *
 * @param watchers - tracks which gateways have seen that the service is stopping
 */
export function healthRoutes(db: Db, versions: VersionTracker, stopping: AbortSignal, watchers?: Watchers): Router {
  const send = (response: Response, status: number, body: object): void => {
    response.status(status).set('Cache-Control', 'no-store').json(body);
  };
  return Router()
    .get('/health/live', (_request, response) => send(response, 200, { live: true }))
    .get('/health/ready', async (request, response) => {
      const report = await readiness(db, versions, stopping);
      response.once('finish', () => watchers?.checked(request, !report.ready));
      send(response, report.ready ? 200 : 503, report);
    });
}
