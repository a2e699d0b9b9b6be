import path from 'node:path';
import { appendEvent, isDuplicateKey, type HistoryChange } from '@clinic/service-kit';
import { endedCanaries } from '@clinic/static-server/canary';
import { keptDecisionsOf } from '@clinic/static-server/release-decisions';
import { ObjectId } from 'mongodb';
import { changedRecord } from '../access/access-events.ts';
import type { IdentityContext } from '../settings.ts';
import { usersOf } from '../users/user-record.ts';
import { actionOf, noteDecision, prepareDecisionNotes, withoutNote, type Decision } from './decision-notes.ts';
import { frontEndsIn } from './list-deployments.ts';

/** Milliseconds between two polls of the files. */
const everyMs = 15_000;

/** Milliseconds after which a command's decision has been carried out or withdrawn. */
const commandMs = 10_000;

/** The same for an admin's decision, whose transaction is retried for two minutes. */
const adminMs = 300_000;

/** A decision and who made it. */
interface MadeDecision extends Decision {
  readonly version?: string | undefined;
  readonly by: 'admin' | 'command line' | 'gateway';
  /** Account of the admin. */
  readonly account?: string | undefined;
}

/** Polls the files now, and every few seconds until the service stops. */
export async function noticeDecisionsPeriodically(context: IdentityContext): Promise<void> {
  if (context.settings.RELEASES_DIR === undefined) return;
  await prepareDecisionNotes(context);
  let isPolling = false;
  const poll = async (): Promise<void> => {
    if (isPolling) return;
    isPolling = true;
    try {
      await noticeDecisions(context);
    } catch (error) {
      if (!context.stopping.aborted)
        context.log.warn({ reason: (error as Error).message }, 'reading decisions about releases failed, will retry');
    } finally {
      isPolling = false;
    }
  };
  void poll();
  const timer = setInterval(() => void poll(), everyMs);
  context.stopping.addEventListener('abort', () => clearInterval(timer));
}

/**
 * Adds decisions to the history that no call has added: those of the command line and of gateways, and an admin's if
 * the database failed after the files had changed. Each is added once, by the first replica to notice it.
 *
 * @param now - Unix time in milliseconds
 */
export async function noticeDecisions(context: IdentityContext, now: number = Date.now()): Promise<void> {
  for (const name of await frontEndsIn(context.settings.RELEASES_DIR)) {
    const made = await decisionsAbout(context, name, now);
    for (const decision of await withoutNote(context, made)) await add(context, decision);
  }
}

/** Decisions that won't be withdrawn any more, oldest first. */
async function decisionsAbout(context: IdentityContext, name: string, now: number): Promise<MadeDecision[]> {
  const folder = path.join(context.settings.RELEASES_DIR ?? '', name);
  const [decisions, canaries] = await Promise.all([keptDecisionsOf(folder), endedCanaries(folder)]);
  return [
    ...decisions
      .filter(({ at, account }) => now - Date.parse(at) >= (account === undefined ? commandMs : adminMs))
      .map(({ kind, at, version, account }) => {
        const by = account === undefined ? ('command line' as const) : ('admin' as const);
        return { name, kind, at, version, account, by };
      }),
    ...canaries.flatMap(({ outcome, at, version }) =>
      outcome === 'stopped' ? [] : [{ name, kind: outcome, at, version, by: 'gateway' as const }],
    ),
  ].toSorted((a, b) => a.at.localeCompare(b.at));
}

async function add(context: IdentityContext, decision: MadeDecision): Promise<void> {
  const { name, kind, at, version, by } = decision;
  const caller = await adminOf(context, decision);
  try {
    await context.inTransaction(async (session) => {
      await noteDecision(context, session, decision);
      await appendEvent(context, session, {
        call: 'release files',
        at: new Date(at),
        caller,
        requestId: 'release files',
        record: { type: changedRecord, id: name },
        action: actionOf[kind],
        // The files don't have the release served before.
        before: { name },
        after: { name, ...versionOf(decision, version), ...(!caller && { decidedBy: by }) },
      });
    });
  } catch (error) {
    // Another replica was faster.
    if (!isDuplicateKey(error)) throw error;
  }
}

/** A canary leaves the served release as it is, unless it is promoted. */
function versionOf({ kind }: Decision, version: string | undefined): Readonly<Record<string, unknown>> {
  return kind === 'canary' || kind === 'stop' || kind === 'rolled back' ? { canary: version } : { version };
}

/** The admin who decided, if they still have an account. */
async function adminOf(context: IdentityContext, { account }: MadeDecision): Promise<HistoryChange['caller']> {
  if (account === undefined || !ObjectId.isValid(account)) return undefined;
  const user = await usersOf(context).findOne({ _id: new ObjectId(account) }, { projection: { email: 1 } });
  return user ? { id: account, email: user.email, role: 'admin' } : undefined;
}
