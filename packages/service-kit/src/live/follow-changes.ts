import { setTimeout as delay } from 'node:timers/promises';
import { MongoServerError, type ChangeStream, type Document, type ResumeToken } from 'mongodb';
import type { ServiceContext } from '../context.ts';
import { reasonOf } from '../observability/logged-error.ts';
import { waitingForChanges, requestScope } from '../http/request-scope.ts';

/** Milliseconds between attempts after a failure. */
const retryEvery = 500;

/** The history doesn't reach back to the resume token. */
const CHANGE_STREAM_HISTORY_LOST = 286;

/** What to follow, and what to do about it. */
export interface FollowedChanges {
  /** Name in the log, e.g. `rights`. */
  readonly what: string;
  /** Stages that pick the events, e.g. one `$match`. */
  readonly pipeline: readonly Document[];
  /** Milliseconds that the database waits for a change before it reports none. */
  readonly awaitMs: number;
  /**
   * Reads what is new. Called when something has changed, or may have while the stream was down; first when the stream
   * is open, so that no change is missed. If it throws, it is called again.
   */
  readonly changed: () => Promise<void>;
  /** Called when nothing has changed. */
  readonly unchanged?: () => void;
  /** Ends the stream when it is false. */
  readonly isNeeded?: () => boolean;
}

type NeededChanges = FollowedChanges & Required<Pick<FollowedChanges, 'isNeeded'>>;

type Context = Pick<ServiceContext, 'db' | 'log' | 'stopping'>;

/**
 * Follows a database's changes by a change stream, until the service stops or `isNeeded` is false. The stream resumes
 * after outages of the database; if the history doesn't reach back that far, it starts again. Events are only a signal:
 * several at once cause one call.
 */
export async function followChanges(
  { db, log, stopping }: Context,
  { what, pipeline, awaitMs, changed, unchanged, isNeeded = () => true }: FollowedChanges,
): Promise<void> {
  const goesOn = (): boolean => !stopping.aborted && isNeeded();
  let token: ResumeToken;
  let failing = false;
  while (goesOn()) {
    const stream = db.watch([...pipeline], {
      maxAwaitTimeMS: awaitMs,
      ...(token !== undefined && { resumeAfter: token }),
    });
    const end = (): void => void stream.close().catch(() => undefined);
    stopping.addEventListener('abort', end, { once: true });
    try {
      let isOpen = false;
      while (goesOn()) {
        const event = await nextOf(stream);
        if (stream.closed) throw new StreamEnded('the database was dropped');
        const isChange = event !== null || !isOpen;
        isOpen = true;
        if (isChange) await changed();
        else unchanged?.();
        // Only now, so that an event whose work failed is repeated.
        token = stream.resumeToken ?? undefined;
        if (failing) log.info({ what }, 'follows changes again');
        failing = false;
      }
    } catch (error) {
      if (stopping.aborted) return;
      if (error instanceof StreamEnded || hasLostHistory(error)) token = undefined;
      if (!failing) log.warn({ what, reason: reasonOf(error) }, 'following changes failed, will retry');
      failing = true;
      // Only shutdown interrupts the wait.
      await delay(retryEvery, undefined, { signal: stopping }).catch(() => undefined);
    } finally {
      stopping.removeEventListener('abort', end);
      await stream.close().catch(() => undefined);
    }
  }
}

/** {@link followChanges} while somebody needs it, with one stream for all. */
export class ChangeFollower {
  readonly #context: Context;
  readonly #followed: NeededChanges;
  #following = false;

  constructor(context: Context, followed: NeededChanges) {
    this.#context = context;
    this.#followed = followed;
  }

  /** Call this when somebody begins to need it. */
  follow(): void {
    if (this.#following || this.#context.stopping.aborted || !this.#followed.isNeeded()) return;
    this.#following = true;
    void followChanges(this.#context, this.#followed).finally(() => {
      this.#following = false;
      // Somebody may have come while the stream was closing.
      this.follow();
    });
  }
}

/** Stages that pick what is added to a collection. */
export const insertsInto = (collection: string): Document[] => [
  { $match: { operationType: 'insert', 'ns.coll': collection } },
  { $project: { operationType: 1 } },
];

/** The stream has ended for good, as after `dropDatabase`: it can't be resumed. */
class StreamEnded extends Error {}

const hasLostHistory = (error: unknown): boolean =>
  error instanceof MongoServerError && error.code === CHANGE_STREAM_HISTORY_LOST;

/** The next event, after all others that arrived with it; `null` if there was none in time. */
async function nextOf(stream: ChangeStream): Promise<Document | null> {
  const event = await requestScope.run(waitingForChanges, () => stream.tryNext());
  while (stream.bufferedCount() > 0) await stream.tryNext();
  return event;
}
