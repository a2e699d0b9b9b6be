import type { Db } from 'mongodb';
import type { RunningDelivery } from '../delivery/start-delivery.ts';
import type { MessagesContext } from '../settings.ts';
import { EventDelivery } from './deliver-events.ts';

const running = new WeakMap<Db, RunningDelivery>();

/** The service's delivery to webhooks, once it has started. */
export const eventsOf = ({ db }: Pick<MessagesContext, 'db'>): RunningDelivery | undefined => running.get(db);

/** Starts delivering events to webhooks. */
export function startEvents(context: MessagesContext): RunningDelivery {
  const delivery = new EventDelivery(context);
  const started = { wake: delivery.wake, ended: delivery.run() };
  running.set(context.db, started);
  return started;
}
