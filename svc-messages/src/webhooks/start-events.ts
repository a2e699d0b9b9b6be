import type { Db } from 'mongodb';
import type { MessagesContext } from '../settings.ts';
import { EventDelivery } from './deliver-events.ts';

/** A running service's delivery to webhooks. */
interface RunningEvents {
  /** Call it when there are new deliveries. */
  readonly wake: () => void;
  /** Resolves once the service stops and nothing is in flight. */
  readonly ended: Promise<void>;
}

const running = new WeakMap<Db, RunningEvents>();

/** The service's delivery to webhooks, once it has started. */
export const eventsOf = ({ db }: Pick<MessagesContext, 'db'>): RunningEvents | undefined => running.get(db);

/** Starts delivering events to webhooks. */
export function startEvents(context: MessagesContext): RunningEvents {
  const delivery = new EventDelivery(context);
  const started = { wake: delivery.wake, ended: delivery.run() };
  running.set(context.db, started);
  return started;
}
