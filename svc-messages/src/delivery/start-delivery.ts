import type { Db } from 'mongodb';
import { startDemoMailServer } from '../mailbox/demo-mail-server.ts';
import type { MessagesContext } from '../settings.ts';
import type { Channel } from './channel.ts';
import { Delivery } from './deliver.ts';
import { emailChannel } from './email-channel.ts';
import { fileChannel } from './file-channel.ts';

/** The delivery of a running service, to people or to webhooks. */
export interface RunningDelivery {
  /** Call it when there is something new to deliver. */
  readonly wake: () => void;
  /** Resolves once the service stops and nothing is in flight. */
  readonly ended: Promise<void>;
}

const running = new WeakMap<Db, RunningDelivery>();

/** The service's delivery, once it has started. */
export const deliveryOf = ({ db }: Pick<MessagesContext, 'db'>): RunningDelivery | undefined => running.get(db);

/** Starts sending due messages. Without a mail server they wait in the ledger. */
export async function startDelivery(context: MessagesContext): Promise<RunningDelivery> {
  const channel = await channelOf(context);
  const delivery = channel && new Delivery(context, channel);
  if (!delivery) context.log.warn('messages wait: SMTP_URL isn’t set, so there is no mail server to send them with');
  const started: RunningDelivery = {
    wake: () => delivery?.wake(),
    ended: delivery ? delivery.run() : Promise.resolve(),
  };
  running.set(context.db, started);
  return started;
}

async function channelOf(context: MessagesContext): Promise<Channel | undefined> {
  const { MESSAGE_CHANNEL, MESSAGE_FOLDER, SMTP_URL, DEMO_MODE, MAIL_FROM, SEND_TIMEOUT_SECONDS } = context.settings;
  if (MESSAGE_CHANNEL === 'file' && MESSAGE_FOLDER !== undefined) return fileChannel(MESSAGE_FOLDER);
  const url = SMTP_URL ?? (DEMO_MODE ? await startDemoMailServer(context) : undefined);
  return url === undefined
    ? undefined
    : emailChannel({ url, from: MAIL_FROM, timeoutMs: SEND_TIMEOUT_SECONDS * 1_000 });
}
