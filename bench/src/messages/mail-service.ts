// A mail server on the loopback that accepts and counts every mail: SMTP on SMTP_PORT, its figures by HTTP on PORT.
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { callbackify } from 'node:util';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import { isReminded, type MailFigures } from './mail-figures.ts';

const reminded = new Set<string>();
let mails = 0;
let lastAt = 0;

const smtp = new SMTPServer({
  disabledCommands: ['AUTH', 'STARTTLS'],
  logger: false,
  onData: callbackify(async (stream: SMTPServerDataStream, session: SMTPServerSession) => {
    await buffer(stream);
    const to = session.envelope.rcptTo[0]?.address ?? '';
    if (!isReminded(to)) return;
    mails += 1;
    reminded.add(to);
    lastAt = Date.now();
  }),
});
// Clients reset their connections when they are stopped.
smtp.on('error', () => undefined);
smtp.listen(Number(process.env['SMTP_PORT']), '127.0.0.1');

createServer((_request, response) => {
  const figures: MailFigures = { people: reminded.size, mails, lastAt };
  response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(figures));
}).listen(Number(process.env['PORT']), '127.0.0.1');

// The benchmark has ended.
process.once('disconnect', () => process.exit());
