import type { MessagesContext } from '../settings.ts';
import type { Channel } from './channel.ts';
import { Delivery } from './deliver.ts';
import { emailChannel } from './email-channel.ts';
import { fileChannel } from './file-channel.ts';

/** The delivery of messages to people. Without a mail server there is none, and they wait in the ledger. */
export async function openDelivery(context: MessagesContext): Promise<Delivery | undefined> {
  const channel = await channelOf(context);
  if (!channel) context.log.warn('messages wait: SMTP_URL isn’t set, so there is no mail server to send them with');
  return channel && new Delivery(context, channel);
}

async function channelOf(context: MessagesContext): Promise<Channel | undefined> {
  const { MESSAGE_CHANNEL, MESSAGE_FOLDER, SMTP_URL, DEMO_MODE, MAIL_FROM, SEND_TIMEOUT_SECONDS } = context.settings;
  if (MESSAGE_CHANNEL === 'file' && MESSAGE_FOLDER !== undefined) return fileChannel(MESSAGE_FOLDER);
  const demoUrl = async () => (await import('../demo/demo-mail-server.ts')).startDemoMailServer(context);
  const url = SMTP_URL ?? (DEMO_MODE ? await demoUrl() : undefined);
  return url === undefined
    ? undefined
    : emailChannel({ url, from: MAIL_FROM, timeoutMs: SEND_TIMEOUT_SECONDS * 1_000 });
}
