import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { callbackify } from 'node:util';
import { simpleParser, type ParsedMail } from 'mailparser';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';

/** How the mail server treats the next mails to an address. */
type MailBehaviour = 'accept' | 'reject' | 'busy' | 'drop after DATA';

interface ReceivedMail {
  readonly recipients: readonly string[];
  /** Octets as characters. */
  readonly raw: string;
  readonly parsed: ParsedMail;
}

/** A mail server on a free port of loopback. */
export interface TestMailServer {
  readonly url: string;
  readonly mailsTo: (email: string) => readonly ParsedMail[];
  /** Every mail as it was received, and to whom its envelope said. */
  readonly received: readonly ReceivedMail[];
  /** How it treats the next mails to an address, one each; it accepts the others. */
  readonly behave: (email: string, ...next: readonly MailBehaviour[]) => void;
  readonly close: () => void;
}

export async function startTestMailServer(): Promise<TestMailServer> {
  const received: ReceivedMail[] = [];
  const behaviours = new Map<string, MailBehaviour[]>();
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    logger: false,
    onRcptTo({ address }, _session, done) {
      const next = behaviours.get(address)?.[0];
      if (next === 'reject' || next === 'busy') behaviours.get(address)?.shift();
      done(next === 'reject' ? smtpError(550) : next === 'busy' ? smtpError(451) : null);
    },
    onData: callbackify(async (stream: SMTPServerDataStream, session: SMTPServerSession) => {
      const content = await buffer(stream);
      const recipients = session.envelope.rcptTo.map(({ address }) => address);
      received.push({ recipients, raw: content.toString('binary'), parsed: await simpleParser(content) });
      const [address = ''] = recipients;
      if (behaviours.get(address)?.shift() !== 'drop after DATA') return;
      for (const connection of server.connections) connection.close();
    }),
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    received,
    mailsTo: (email) =>
      received.map(({ parsed }) => parsed).filter(({ to }) => [to].flat().some((one) => one?.text.includes(email))),
    behave: (email, ...next) => void behaviours.set(email, [...next]),
    close: () => server.close(),
  };
}

const smtpError = (responseCode: number): Error => Object.assign(new Error('not now'), { responseCode });
