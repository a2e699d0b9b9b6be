import type { AddressInfo } from 'node:net';
import { callbackify } from 'node:util';
import { newId } from '@clinic/service-kit';
import { simpleParser, type ParsedMail } from 'mailparser';
import { ObjectId } from 'mongodb';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import { messagesOf } from '../ledger/message-record.ts';
import type { MessagesContext } from '../settings.ts';
import { mailboxOf } from '../mailbox/mail-record.ts';

/** Largest mail, bytes. */
const mostBytes = 1_000_000;

/**
 * The demo's mail server, on loopback only. It keeps all mails, those to whoever registers too, for the page where everybody
 * reads them; none leaves this machine.
 *
 * @returns its address
 */
export async function startDemoMailServer(context: Pick<MessagesContext, 'db' | 'stopping'>): Promise<string> {
  const server = new SMTPServer({
    // Traffic never leaves this machine, and there is no certificate.
    disabledCommands: ['AUTH', 'STARTTLS'],
    logger: false,
    size: mostBytes,
    onData: callbackify(async (stream: SMTPServerDataStream, session: SMTPServerSession) => {
      const recipients = session.envelope.rcptTo.map(({ address }) => address.toLowerCase());
      await keep(context, recipients, await simpleParser(stream));
    }),
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => resolve());
  });
  // A client that disconnects in the middle of a mail sends it again.
  server.on('error', () => undefined);
  context.stopping.addEventListener('abort', () => server.close());
  return `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
}

async function keep(
  context: Pick<MessagesContext, 'db'>,
  recipients: readonly string[],
  mail: ParsedMail,
): Promise<void> {
  for (const to of recipients) {
    const _id = newId();
    await mailboxOf(context).insertOne({
      _id,
      to,
      from: mail.from?.text ?? '',
      subject: mail.subject ?? '',
      messageId: mail.messageId ?? '',
      receivedAt: new Date(),
      text: mail.text ?? '',
      ...(typeof mail.html === 'string' && { html: mail.html }),
      // Only named attachments are files: the calendar entry is also sent as an unnamed part of the text.
      attachments: mail.attachments.flatMap(({ filename, contentType, content }) =>
        filename === undefined ? [] : [{ name: filename, type: contentType, content: content.toString() }],
      ),
    });
    if (await isErased(context, mail.messageId)) await mailboxOf(context).deleteOne({ _id });
  }
}

/** Whether the message of a mail was deleted while it was being sent, with the person whom it was for. */
async function isErased(context: Pick<MessagesContext, 'db'>, messageId = ''): Promise<boolean> {
  const id = /^<([0-9a-f]{24})@/.exec(messageId)?.[1];
  if (id === undefined) return false;
  return (await messagesOf(context).findOne({ _id: new ObjectId(id) }, { projection: { _id: 1 } })) === null;
}
