import { takenEntry } from '@clinic/contracts/outbox/entries';
import { BackgroundLoop, internalHeaders, internalSecret, outboxPath, outboxWaitsFor } from '@clinic/service-kit';
import { z } from 'zod';
import type { MessagesContext } from '../settings.ts';
import { dropForgotten, storeEntries } from './store-entries.ts';

/** Time limit in milliseconds for a response, beyond the source's own wait. */
const answerWithin = 10_000;

const entries = z.array(takenEntry);

/**
 * Polls each source's outbox until the service stops: stores the entries, then lets the source delete them.
 *
 * @param stored - called when the ledger has new messages
 */
export function takeOutboxes(context: MessagesContext, stored: () => void): void {
  for (const [source, urls] of context.settings.SOURCES) {
    let turn = 0;
    const work = async (): Promise<void> => {
      try {
        const taken = await takeOnce(context, source, `${urls[turn % urls.length] ?? ''}${outboxPath}`);
        if (taken > 0) stored();
      } catch (error) {
        // The next replica is tried.
        turn += 1;
        throw error;
      }
    };
    // The source waits for entries before it answers.
    void new BackgroundLoop(context, { what: `outbox poll of ${source}`, work, every: 0 }).run();
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
  const answer = await call(`${url}?forgotten=too`, { headers }, outboxWaitsFor + answerWithin);
  const found = entries.parse(await answer.json());
  if (found.length === 0) return 0;
  const idsOf = (isForgotten: boolean) =>
    found.filter(({ forgotten = false }) => forgotten === isForgotten).map(({ id }) => id);
  const taken = { ids: idsOf(false), forgotten: idsOf(true) };
  await storeEntries(
    context,
    source,
    found.filter(({ forgotten }) => !forgotten),
  );
  await dropForgotten(context, source, taken.forgotten);
  const body = JSON.stringify(taken);
  await call(
    `${url}/taken`,
    { method: 'POST', body, headers: { ...headers, 'content-type': 'application/json' } },
    answerWithin,
  );
  return found.length;
}
