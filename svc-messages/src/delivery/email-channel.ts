import { createTransport, type NodemailerError } from 'nodemailer';
import { RejectedMessage, type Channel } from './channel.ts';

/** Connections to the mail server, per replica: as many messages are in flight. */
export const mailConnections = 5;

/** Milliseconds of silence after which a connection counts as lost: connecting, greeting and each answer. */
export interface EmailOptions {
  readonly url: string;
  /** `Name <address>`. */
  readonly from: string;
  readonly timeoutMs: number;
}

/** Sends by SMTP. */
export function emailChannel({ url, from, timeoutMs }: EmailOptions): Channel {
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: mailConnections,
    // The ledger decides what is sent again, and counts it.
    maxRequeues: 0,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async send({ messageId, to, language, subject, text, html, ics, unsubscribe }) {
      try {
        await transport.sendMail({
          messageId,
          from,
          to: { name: to.name ?? '', address: to.email },
          subject,
          text,
          html,
          ...(ics && { icalEvent: { method: ics.method, content: ics.content, filename: 'appointment.ics' } }),
          headers: {
            // No holiday notes in reply (RFC 3834, section 5).
            'Auto-Submitted': 'auto-generated',
            'Content-Language': language,
            ...(unsubscribe !== undefined && {
              'List-Unsubscribe': `<${unsubscribe}>`,
              'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
            }),
          },
        });
      } catch (error) {
        if (isFinalRejection(error as NodemailerError))
          throw new RejectedMessage((error as Error).message, { cause: error });
        throw error;
      }
    },
    close: () => transport.close(),
  };
}

/** A 5xx about this message or its address; one about us, such as a wrong password, is mended and tried again. */
function isFinalRejection({ responseCode, command }: NodemailerError): boolean {
  return responseCode !== undefined && responseCode >= 500 && (command === 'RCPT TO' || command === 'DATA');
}
