import { createTransport, type NodemailerError } from 'nodemailer';
import { RejectedMessage, type Channel } from './channel.ts';

/** Connections to the mail server per replica, hence messages in flight. */
export const mailConnections = 5;

export interface EmailOptions {
  readonly url: string;
  /** `Name <address>`. */
  readonly from: string;
  /** Time limit in milliseconds for connecting, for the greeting and for each response. */
  readonly timeoutMs: number;
}

/** Sends by SMTP. */
export function emailChannel({ url, from, timeoutMs }: EmailOptions): Channel {
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: mailConnections,
    // No retries here: the ledger schedules and counts them.
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
            // Suppresses automatic replies (RFC 3834, section 5).
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

/**
 * Whether a 5xx is about this message or its address. One about us, such as a wrong password, is retried until fixed.
 */
function isFinalRejection({ responseCode, command }: NodemailerError): boolean {
  return responseCode !== undefined && responseCode >= 500 && (command === 'RCPT TO' || command === 'DATA');
}
