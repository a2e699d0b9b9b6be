import type { AddressInfo } from 'node:net';
import { callbackify } from 'node:util';
import { simpleParser } from 'mailparser';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';

/** A mail as it arrived. */
interface ArrivedMail {
  readonly at: number;
  readonly to: string;
  readonly messageId: string;
  /** Whether the sender has shown that it got the answer: it went on to the next mail on the same connection. */
  isAcknowledged: boolean;
}

/** What the server does with the next mail. */
type Trouble = 'none' | 'busy' | 'hang' | 'drop after DATA';

/** A real mail server that fails on purpose. */
export interface TroubledMailServer {
  readonly url: string;
  readonly mails: readonly Readonly<ArrivedMail>[];
  /** Ends the faults. */
  recover(): void;
  close(): void;
}

/**
 * Starts a mail server that rejects mails, hangs, and closes connections after accepting one.
 *
 * @param random - 0 to 1
 */
export async function startTroubledMailServer(random: () => number): Promise<TroubledMailServer> {
  const mails: ArrivedMail[] = [];
  /** The last mail of each connection. */
  const lastOf = new Map<string, ArrivedMail>();
  let isTroubled = true;
  const trouble = (): Trouble => {
    const throwOf = isTroubled ? random() : 1;
    if (throwOf < 0.1) return 'busy';
    if (throwOf < 0.13) return 'hang';
    return throwOf < 0.2 ? 'drop after DATA' : 'none';
  };
  const busy = (): Error => Object.assign(new Error('try again later'), { responseCode: 451 });
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    logger: false,
    onConnect: (_session, done) => done(isTroubled && random() < 0.05 ? busy() : null),
    onMailFrom: (_address, { id }, done) => {
      const last = lastOf.get(id);
      if (last) last.isAcknowledged = true;
      done();
    },
    onData: callbackify(async (stream: SMTPServerDataStream, session: SMTPServerSession) => {
      const mail = await simpleParser(stream);
      const next = trouble();
      if (next === 'busy') throw busy();
      const to = session.envelope.rcptTo[0]?.address ?? '';
      const arrived = { at: Date.now(), to, messageId: mail.messageId ?? '', isAcknowledged: false };
      mails.push(arrived);
      lastOf.set(session.id, arrived);
      if (next === 'none') return;
      if (next === 'drop after DATA') for (const connection of server.connections) connection.close();
      // Never answer.
      await new Promise(() => undefined);
    }),
  });
  // Clients that are killed reset their connections.
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    mails,
    recover: () => (isTroubled = false),
    close: () => server.close(),
  };
}
