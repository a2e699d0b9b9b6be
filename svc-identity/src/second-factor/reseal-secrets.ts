import type { SecretBox } from '@clinic/service-kit';
import type { Filter } from 'mongodb';
import type { IdentityContext } from '../settings.ts';
import { usersOf, type UserRecord } from '../users/user-record.ts';

/** Which secrets the current key hasn't encrypted: usually none, so that a start reads no users, however many there are. */
export const otherwiseSealed = ({ currentPrefix }: SecretBox): Filter<UserRecord> => ({
  $or: [
    { 'secondFactor.secret': { $lt: currentPrefix } },
    { 'secondFactor.secret': { $gt: `${currentPrefix}\uFFFF` } },
  ],
});

/**
 * Re-encrypts secrets of the previous key with the current one. Runs at each start; safe to repeat and to run in
 * several replicas. Logs whose secret neither key decrypts: the operator may have forgotten to name the previous key.
 *
 * @returns number of secrets re-encrypted
 */
export async function resealSecrets(context: IdentityContext, box: SecretBox): Promise<number> {
  const users = usersOf(context);
  let resealed = 0;
  for await (const { _id, secondFactor } of users.find(otherwiseSealed(box), { projection: { secondFactor: 1 } })) {
    if (!secondFactor) continue;
    const secret = box.open(secondFactor.secret, _id.toHexString());
    if (secret === undefined) {
      context.log.error(
        { user: _id.toHexString() },
        'authenticator secret is encrypted with neither session key; the person needs a recovery code or a reset',
      );
      continue;
    }
    const { modifiedCount } = await users.updateOne(
      { _id, 'secondFactor.secret': secondFactor.secret },
      { $set: { 'secondFactor.secret': box.seal(secret, _id.toHexString()) } },
    );
    resealed += modifiedCount;
  }
  return resealed;
}
