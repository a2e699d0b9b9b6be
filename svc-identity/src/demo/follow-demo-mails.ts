import { createHash } from 'node:crypto';
import { allMails } from '@clinic/contracts/demo-mails';
import { appendOutbox, BackgroundLoop, isDuplicateKey, takeUserLockFor } from '@clinic/service-kit';
import type { Collection, Db } from 'mongodb';
import type { z } from 'zod';
import type { IdentityContext } from '../settings.ts';
import { userIdOf } from '../users/user-record.ts';

/** A mail of the emulator that has been forwarded. */
interface ForwardedMail {
  /** Hash of its link, which is a secret. */
  readonly _id: string;
  readonly at: Date;
}

const forwardedMailsOf = ({ db }: { readonly db: Db }): Collection<ForwardedMail> => db.collection('demoMails');

/** Seconds to keep a mail's mark: links end after three days at the latest. */
const keptFor = 4 * 86_400;

type Mail = z.output<typeof allMails>[number];

/** Milliseconds between polls. */
const pollEvery = 1_000;

const kinds: Readonly<Record<string, 'confirm-address' | 'password-reset' | 'address-changed'>> = {
  verifyEmail: 'confirm-address',
  verifyAndChangeEmail: 'confirm-address',
  resetPassword: 'password-reset',
  recoverEmail: 'address-changed',
};

/**
 * In a demo, sends the mails that a real Firebase project would send: those to confirm an address, to choose a password,
 * and to undo a change of address.
 *
 * @param emulator - host:port of the Auth emulator
 */
export async function followDemoMails(context: IdentityContext, emulator: string): Promise<void> {
  await forwardedMailsOf(context).createIndex({ at: 1 }, { name: 'age', expireAfterSeconds: keptFor });
  const work = async (): Promise<void> => {
    const answer = await fetch(`http://${emulator}/internal/mails`, { signal: AbortSignal.timeout(5_000) });
    if (!answer.ok) throw new Error(`the emulator answered ${answer.status}`);
    for (const mail of allMails.parse(await answer.json())) await forward(context, mail);
  };
  void new BackgroundLoop(context, { what: 'reading the demo’s mails', work, every: pollEvery }).run();
}

/** Forwards a mail once, whichever replica reads it; one to somebody without an account waits until there is one. */
async function forward(context: IdentityContext, { mode, to, account, link }: Mail): Promise<void> {
  const kind = kinds[mode];
  const _id = createHash('sha256').update(link).digest('base64url');
  if (kind === undefined || (await forwardedMailsOf(context).findOne({ _id }))) return;
  const userId = await userIdOf(context, account);
  if (userId === undefined) return;
  try {
    await context.inTransaction(async (session) => {
      // Not to somebody who is being deleted.
      if (!(await takeUserLockFor(context, session, userId))) return;
      await forwardedMailsOf(context).insertOne({ _id, at: new Date() }, { session });
      await appendOutbox(context, session, { kind, to: { account: userId, email: to }, data: { link } });
    });
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
  }
}
