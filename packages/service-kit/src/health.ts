import { Router, type Response } from 'express';
import type { Db } from 'mongodb';
import type { Watchers } from '@clinic/graceful-server';
import type { VersionTracker } from './version-tracker.ts';

/** Milliseconds that the database has to answer a readiness question. */
const pingLimit = 2_000;

/** A readiness report: which parts are well, and why not. */
export interface Readiness {
  readonly ready: boolean;
  readonly checks: Readonly<Record<string, string>>;
}

/**
 * Looks at everything the service depends on. Until the session feed was heard for the first time a service isn't ready:
 * a new one must not answer 503 where the one before answered. A feed that is lost later is only reported: public calls
 * still work, and taking the service away would turn one outage into two.
 */
export async function readiness(db: Db, versions: VersionTracker, stopping: AbortSignal): Promise<Readiness> {
  const database = await pingDatabase(db);
  const silence = versions.silence();
  const sessions = versions.isLive() ? 'ok' : silence === undefined ? 'not connected yet' : `lost ${Math.round(silence)} s ago`;
  const ready = database === 'ok' && silence !== undefined && !stopping.aborted;
  return { ready, checks: { database, sessions, process: stopping.aborted ? 'stopping' : 'ok' } };
}

async function pingDatabase(db: Db): Promise<string> {
  try {
    await db.command({ ping: 1 }, { timeoutMS: pingLimit });
    return 'ok';
  } catch (error) {
    return `does not answer (${(error as Error).name})`;
  }
}

/**
 * `/health/live`: the process runs; `/health/ready`: it can do its work. The gateway routes neither.
 *
 * @param watchers - notes who has heard that the service stops
 */
export function healthRoutes(db: Db, versions: VersionTracker, stopping: AbortSignal, watchers?: Watchers): Router {
  const send = (response: Response, status: number, body: object): void => {
    response.status(status).set('Cache-Control', 'no-store').json(body);
  };
  return Router()
    .get('/health/live', (_request, response) => send(response, 200, { live: true }))
    .get('/health/ready', async (request, response) => {
      const report = await readiness(db, versions, stopping);
      response.once('finish', () => watchers?.asked(request, !report.ready));
      send(response, report.ready ? 200 : 503, report);
    });
}
