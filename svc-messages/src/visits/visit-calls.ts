import { outboxData } from '@clinic/contracts/outbox/entries';
import { z } from 'zod';
import { askSource, unlessUnavailable, type AskContext } from '../intake/ask-source.ts';
import type { LinkClaims } from '../links/link-tokens.ts';

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

/** What a link does to a visit. */
export type LinkedChange =
  | { readonly act: 'cancel' | 'arrive' | 'come' }
  | { readonly act: 'move'; readonly date: string; readonly time: string };

/**
 * The current state of visits; deleted ones are missing.
 *
 * @throws ProblemError unavailable
 */
export async function visitsNow(context: AskContext, ids: readonly string[]): Promise<ReadonlyMap<string, VisitNow>> {
  const visits = z
    .array(visitNow)
    .parse(await askSource(context, 'clinic', 'POST', '/visits', { body: { ids: [...new Set(ids)] } }));
  return new Map(visits.map((visit) => [visit.id, visit]));
}

/** The current state of visits; `undefined`: svc-clinic is unavailable. */
export const visitsUnlessUnavailable = (context: AskContext, ids: readonly string[]) =>
  unlessUnavailable(visitsNow(context, ids));

/** The free times to which a visit can be moved. @throws ProblemError unavailable */
export async function freeTimesOf(context: AskContext, visit: string): Promise<z.output<typeof freeDays>> {
  return freeDays.parse(await askSource(context, 'clinic', 'GET', `/visits/${visit}/free-times`));
}

/**
 * Changes a visit as its patient.
 *
 * @param seen - the visit's time and doctor in the message
 * @returns its new time
 * @throws ProblemError as svc-clinic says
 */
export async function changeVisit(
  context: AskContext,
  visit: string,
  body: { readonly account: string; readonly seen: LinkClaims<'visit'>['seen']; readonly change: LinkedChange },
): Promise<z.output<typeof moment>> {
  return moment.parse(await askSource(context, 'clinic', 'POST', `/visits/${visit}/change`, { body, once: true }));
}
