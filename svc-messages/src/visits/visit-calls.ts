import { isProblem } from '@clinic/contracts';
import { outboxData } from '@clinic/contracts/outbox/entries';
import { internalHeaders, internalSecret, ProblemError, unavailable } from '@clinic/service-kit';
import { z } from 'zod';
import type { MessagesContext } from '../settings.ts';

/** Time limit for a response of svc-clinic, milliseconds. */
const answerWithin = 5_000;

const visitNow = outboxData['appointment-booked'].shape.visit.extend({
  /** The patient's account. */
  patient: z.string().optional(),
  /** ISO instant until which the patient may change it. */
  changeUntil: z.string(),
});

/** The current state of a visit. */
export type VisitNow = z.output<typeof visitNow>;

const moment = z.object({ date: z.string(), time: z.string() });
const freeDays = z.array(z.object({ date: z.string(), times: z.array(z.string()) }));

type Context = Pick<MessagesContext, 'settings' | 'stopping'>;

/** What a link does to a visit. */
export type LinkedChange =
  | { readonly act: 'cancel' | 'arrive' | 'come' }
  | { readonly act: 'move'; readonly date: string; readonly time: string };

/**
 * The current state of visits; deleted ones are missing.
 *
 * @throws ProblemError unavailable
 */
export async function visitsNow(context: Context, ids: readonly string[]): Promise<ReadonlyMap<string, VisitNow>> {
  const visits = z.array(visitNow).parse(await ask(context, 'POST', '/visits', { ids: [...new Set(ids)] }));
  return new Map(visits.map((visit) => [visit.id, visit]));
}

/** The current state of visits; `undefined`: svc-clinic is unavailable. */
export async function visitsUnlessUnavailable(context: Context, ids: readonly string[]) {
  try {
    return await visitsNow(context, ids);
  } catch (error) {
    if (error instanceof ProblemError && error.code === 'unavailable') return undefined;
    throw error;
  }
}

/** The free times to which a visit can be moved. @throws ProblemError unavailable */
export async function freeTimesOf(context: Context, visit: string): Promise<z.output<typeof freeDays>> {
  return freeDays.parse(await ask(context, 'GET', `/visits/${visit}/free-times`));
}

/**
 * Changes a visit as its patient.
 *
 * @param seen - the visit's time in the message
 * @returns its new time
 * @throws ProblemError as svc-clinic says
 */
export async function changeVisit(
  context: Context,
  visit: string,
  body: { readonly account: string; readonly seen: z.output<typeof moment>; readonly change: LinkedChange },
): Promise<z.output<typeof moment>> {
  return moment.parse(await ask(context, 'POST', `/visits/${visit}/change`, body));
}

/**
 * Says that the patient has had the message of an offer in time to see it.
 *
 * @throws ProblemError unavailable, or as svc-clinic says
 */
export async function noteOfferTold(context: Context, offer: string): Promise<void> {
  await ask(context, 'POST', `/offers/${offer}/told`);
}

/**
 * Tries each replica of svc-clinic until one responds. A change goes to the next only if it never reached the previous
 * one.
 */
async function ask(
  { settings, stopping }: Context,
  method: 'GET' | 'POST',
  path: string,
  body?: object,
): Promise<unknown> {
  let cause: unknown;
  for (const url of settings.SOURCES.get('clinic') ?? []) {
    try {
      const response = await fetch(`${url}/internal${path}`, {
        method,
        ...(body && { body: JSON.stringify(body) }),
        headers: { ...internalHeaders(internalSecret(settings)), ...(body && { 'content-type': 'application/json' }) },
        signal: AbortSignal.any([stopping, AbortSignal.timeout(answerWithin)]),
        redirect: 'error',
      });
      const answer: unknown = await response.json();
      if (response.ok) return answer;
      if (isProblem(answer) && response.status < 500)
        throw new ProblemError(answer.code, {
          ...(answer.detail !== undefined && { detail: answer.detail }),
          ...(answer.freeTimes && { freeTimes: answer.freeTimes }),
        });
      cause = new Error(`svc-clinic answered ${response.status}`);
    } catch (error) {
      if (error instanceof ProblemError) throw error;
      cause = error;
      if (path.endsWith('/change') && !wasNeverSent(error)) break;
    }
  }
  throw unavailable('We can’t reach the appointments right now. Try again in a moment.', cause);
}

const wasNeverSent = (error: unknown): boolean =>
  error instanceof Error && (error.cause as NodeJS.ErrnoException | undefined)?.code === 'ECONNREFUSED';
