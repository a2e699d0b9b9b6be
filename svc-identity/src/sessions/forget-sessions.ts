import { erasingUpdate, type AccountHolder } from '@clinic/service-kit';
import { ObjectId } from 'mongodb';
import { sessionOwnerDeleted } from '../personal-data/personal-records.ts';
import type { IdentityContext } from '../settings.ts';
import { sessionsOf } from './session-record.ts';

/** Takes browser and network address of a deleted person out of their sessions, which have ended. */
export async function forgetSessions(
  context: Pick<IdentityContext, 'db'>,
  { id }: Pick<AccountHolder, 'id'>,
): Promise<void> {
  const sessions = sessionsOf(context);
  for await (const session of sessions.find({ userId: new ObjectId(id) }))
    await sessions.updateOne({ _id: session._id }, erasingUpdate(session, sessionOwnerDeleted));
}
