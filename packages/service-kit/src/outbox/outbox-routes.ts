import { setTimeout as delay } from 'node:timers/promises';
import express, { type RequestHandler, type Router } from 'express';
import { z } from 'zod';
import type { ServiceContext } from '../context.ts';
import { ChangeFollower, insertsInto } from '../live/follow-changes.ts';
import { ProblemError } from '../http/problem-error.ts';
import { oldestEntries, removeTaken } from './outbox.ts';

/** Where a source hands over its messages; the gateway never routes it. */
export const outboxPath = '/internal/outbox';

/** Entries per response. */
export const mostEntries = 200;

/** Milliseconds that a request waits for entries. */
export const waitsFor = 20_000;

/** Milliseconds that the database waits for a change; a watch that is no longer needed ends within that time. */
const awaitChanges = 5_000;

/** Milliseconds after the last request until the outbox is no longer watched. */
const watchedFor = 60_000;

const someIds = z.array(z.string().regex(/^[0-9a-f]{24}$/)).max(mostEntries);
/** A svc-messages of an earlier release doesn't know of forgotten ones, and gets none. */
const takenIds = z.object({ ids: someIds, forgotten: someIds.default([]) });

/**
 * Adds the calls by which svc-messages takes a source's messages: it reads the oldest, then confirms what it has
 * stored.
 */
export function addOutboxRoutes(router: Router, context: ServiceContext): void {
  const watch = new OutboxWatch(context);
  router.get(outboxPath, async (request, response) => {
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const wait = request.query['wait'] === 'no' ? 0 : waitsFor;
    response.json(await watch.entries(wait, request.query['forgotten'] === 'too', gone.signal));
  });
  router.post(`${outboxPath}/taken`, express.json({ limit: '32kb' }), take(context));
}

function take(context: ServiceContext): RequestHandler {
  return async (request, response) => {
    const { success, data } = takenIds.safeParse(request.body);
    if (!success) throw new ProblemError('validation_failed', { detail: 'Send the ids of the entries taken.' });
    await removeTaken(context, data);
    response.sendStatus(204);
  };
}

/** Waits for entries with one change stream of the database, open while entries are being taken. */
class OutboxWatch {
  readonly #context: ServiceContext;
  #changed = Promise.withResolvers<void>();
  #neededUntil = 0;
  readonly #follower: ChangeFollower;

  constructor(context: ServiceContext) {
    this.#context = context;
    this.#follower = new ChangeFollower(context, {
      what: 'outbox',
      pipeline: insertsInto('outbox'),
      awaitMs: awaitChanges,
      isNeeded: () => performance.now() < this.#neededUntil,
      changed: async () => {
        const { resolve } = this.#changed;
        this.#changed = Promise.withResolvers();
        resolve();
      },
    });
  }

  /** @param wait - milliseconds @param all - forgotten ones, too @param gone - the client has hung up */
  async entries(wait: number, all: boolean, gone: AbortSignal) {
    const until = performance.now() + wait;
    const over = AbortSignal.any([gone, this.#context.stopping]);
    this.#neededUntil = performance.now() + watchedFor;
    if (wait > 0) this.#follower.follow();
    for (;;) {
      // Before the read, so that no change is missed.
      const changed = this.#changed.promise;
      const found = await oldestEntries(this.#context, mostEntries, all);
      const left = until - performance.now();
      if (found.length > 0 || left <= 0 || over.aborted) return found;
      // Ends early when the service stops or the client leaves.
      await Promise.race([changed, delay(left, undefined, { signal: over, ref: false }).catch(() => undefined)]);
    }
  }
}
