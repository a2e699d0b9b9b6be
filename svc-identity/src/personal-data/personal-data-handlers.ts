import { about, countExport, listLooks, ProblemError, type Handler } from '@clinic/service-kit';
import { ObjectId } from 'mongodb';
import type { IdentityParts } from '../open-parts.ts';
import type { IdentityContext } from '../settings.ts';
import { browserOf } from '../sessions/calling-browser.ts';
import { namedUser, userIdOf } from '../users/user-record.ts';
import { dataHoldersOf, deletionOnTheWire, deletionsOf } from './deletion-record.ts';
import { exportUser as exportData } from './export-user.ts';
import { startDeletion, type DeletionStart } from './start-deletion.ts';

/** Milliseconds that a deletion waits for its end before it answers; most take less. */
const waitsFor = 5_000;

/** Handlers of the calls about all data of one person. */
export function personalDataHandlers(context: IdentityContext, parts: IdentityParts) {
  const { deletions, firebase, watch } = parts;

  const exportUser: Handler<'exportUser'> = async ({ params, query, caller }) => {
    await countExport(context, caller.id);
    const own = params.email === caller.email ? caller.id : undefined;
    const user = await namedUser(context, { ...params, userId: query.userId ?? own });
    return about({ id: user._id.toHexString(), email: params.email }, exportData(context, user));
  };

  /** The services learn of it with the ended sessions. */
  async function start(deletion: DeletionStart): Promise<{ userId: string; emailConfirmed: boolean }> {
    const started = await watch.readAfter(startDeletion(context, deletion));
    deletions.wake();
    return started;
  }

  const startErasure: Handler<'startErasure'> = async ({ params: { email }, query, caller, requestId }) => {
    if (email === caller.email)
      throw new ProblemError('own_account', { detail: 'Ask another admin to delete your account.' });
    const withoutAccount = query.withoutAccount !== undefined;
    return start({ call: 'startErasure', email, userId: query.userId, withoutAccount, caller, requestId });
  };

  const finishErasure: Handler<'finishErasure'> = async ({ params, query, caller, requestId, req, res }) => {
    const { userId } = await start({ call: 'finishErasure', ...params, ...query, caller, requestId });
    if (userId === caller.id) browserOf(context, { req, res }).forgetSession();
    const deletion = await deletions.finished(userId, waitsFor);
    const expected = firebase.mayDelete ? 'deleted' : 'left';
    return {
      userId,
      signInAccount: deletion?.signInAccount ?? expected,
      finished: deletion?.finishedAt !== undefined,
    };
  };

  const getDeletion: Handler<'getDeletion'> = async ({ params }) => {
    const deletion = await deletionsOf(context).findOne({ _id: new ObjectId(params.id) });
    if (!deletion) throw new ProblemError('not_found', { detail: 'This person isn’t being deleted.' });
    return deletionOnTheWire(deletion, await dataHoldersOf(context).find().toArray());
  };

  const listIdentityLooks: Handler<'listIdentityLooks'> = async ({ params: { email }, query, caller }) =>
    listLooks(context, query, caller, { email, id: await userIdOf(context, email) });

  return { exportUser, startErasure, finishErasure, getDeletion, listIdentityLooks };
}
