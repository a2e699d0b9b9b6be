import { setTimeout as delay } from 'node:timers/promises';
import { takenEntry } from '@clinic/contracts/outbox/entries';
import { internalHeaders, internalSecret, outboxPath, outboxWaitsFor } from '@clinic/service-kit';
import { z } from 'zod';
import type { MessagesContext } from '../settings.ts';
import { storeEntries } from './store-entries.ts';

/**
 * Milliseconds before a retry after a failure, and time limit for a response beyond the source's own wait.
 */
const retryEvery = 1_000;
const answerWithin = 10_000;

const entries = z.array(takenEntry);

/**
 * Polls each source's outbox until the service stops: stores the entries, then lets the source delete them.
 *
 * @param stored - called when the ledger has new messages
 */
export function takeOutboxes(context: MessagesContext, stored: () => void): void {
  for (const [source, urls] of context.settings.SOURCES) void follow(context, source, urls, stored);
}

async function follow(
  context: MessagesContext,
  source: string,
  urls: readonly string[],
  stored: () => void,
): Promise<void> {
  const { log, stopping } = context;
  let failures = 0;
  for (let turn = 0; !stopping.aborted;) {
    const url = `${urls[turn % urls.length] ?? ''}${outboxPath}`;
    try {
      const taken = await takeOnce(context, source, url);
      if (failures > 0) log.info({ source, failures }, 'outbox is back');
      failures = 0;
      if (taken > 0) stored();
    } catch (error) {
      if (stopping.aborted) return;
      failures += 1;
      turn += 1;
      if (failures === 1 || failures % 60 === 0)
        log.warn({ source, reason: reasonOf(error), failures }, 'outbox poll failed, will retry');
      // Only shutdown interrupts the wait.
      await delay(retryEvery, undefined, { signal: stopping }).catch(() => undefined);
    }
  }
}

/** @returns number of entries taken */
async function takeOnce(context: MessagesContext, source: string, url: string): Promise<number> {
  const headers = internalHeaders(internalSecret(context.settings));
  const call = async (address: string, init: RequestInit, within: number): Promise<Response> => {
    const signal = AbortSignal.any([context.stopping, AbortSignal.timeout(within)]);
    const response = await fetch(address, { ...init, signal, redirect: 'error' });
    if (!response.ok) throw new Error(`${address} answered ${response.status}`);
    return response;
  };
  const answer = await call(url, { headers }, outboxWaitsFor + answerWithin);
  const found = entries.parse(await answer.json());
  if (found.length === 0) return 0;
  await storeEntries(context, source, found);
  const body = JSON.stringify({ ids: found.map(({ id }) => id) });
  await call(
    `${url}/taken`,
    { method: 'POST', body, headers: { ...headers, 'content-type': 'application/json' } },
    answerWithin,
  );
  return found.length;
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error && cause.message ? `${error.message}: ${cause.message}` : error.message;
}
