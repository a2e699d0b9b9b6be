import { about, type Handler } from '@clinic/service-kit';
import { readCredentials, rejectOlderToken } from '../firebase/credentials-since.ts';
import { accountIsGone } from '../firebase/id-tokens.ts';
import type { IdentityParts } from '../open-parts.ts';
import type { IdentityContext } from '../settings.ts';
import { browserOf } from '../sessions/calling-browser.ts';
import { changeAccess as change } from './change-access.ts';
import { changeOwnProfile as changeProfile } from './change-profile.ts';
import { changeRights as assignRights } from './change-rights.ts';
import { changeRole as assignRole } from './change-role.ts';
import { accountFor, type AccountProof, type SignedInAccount } from './account-proof.ts';
import { getUser as readUser, getUserHistory as readUserHistory } from './get-user.ts';
import { listUsers as list } from './list-users.ts';
import { registerUser as register } from './register-user.ts';
import { reportUsers as report } from './report-users.ts';
import { userIdOf } from './user-record.ts';

/** Handlers of the calls about users: registration, lists, roles, access, the own profile. */
export function userHandlers(context: IdentityContext, parts: IdentityParts) {
  const { firebase, watch, limits, registrations } = parts;

  const registerUser: Handler<'registerUser'> = async (request) => {
    const browser = browserOf(context, request);
    await limits.countAccount(request.idToken?.uid ?? request.caller?.id ?? '', browser.address);
    const account = request.idToken && accountFor(request.body.email, request.idToken);
    if (account) await registrations.countNew(account.uid, browser);
    return register(context, {
      profile: request.body,
      proof: account && (await proofOf(account, browser.refreshId)),
      caller: request.caller,
      requestId: request.requestId,
    });
  };

  const proofOf = async (account: SignedInAccount, refreshId: string | undefined): Promise<AccountProof> => {
    const credentials = await readCredentials(firebase, account.uid, context.log);
    rejectOlderToken(account, credentials);
    return {
      account,
      credentials,
      passwordChanged: false,
      refreshId,
      accountIsGone: (uid) => accountIsGone(firebase, uid),
    };
  };

  const listUsers: Handler<'listUsers'> = ({ query }) => list(context, query);

  const reportUsers: Handler<'reportUsers'> = ({ query }) => report(context, query);

  const getUser: Handler<'getUser'> = ({ params, caller }) => readUser(context, params.email, caller);

  const getUserHistory: Handler<'getUserHistory'> = async (request) => {
    const { email } = request.params;
    const history = await readUserHistory(context, email, request.caller);
    return about({ id: await userIdOf(context, email), email }, history);
  };

  const changeRole: Handler<'changeRole'> = ({ params, body, caller, requestId }) =>
    watch.readAfter(assignRole(context, { userId: params.id, ...body, caller, requestId }));

  const changeRights: Handler<'changeRights'> = ({ params, query, body, caller, requestId }) =>
    watch.readAfter(assignRights(context, { ...params, ...query, ...body, caller, requestId }));

  const changeAccess: Handler<'changeAccess'> = ({ params, query, body, caller, requestId }) =>
    watch.readAfter(change(context, { ...params, ...query, ...body, caller, requestId }));

  const changeOwnProfile: Handler<'changeOwnProfile'> = ({ body, caller, requestId }) =>
    changeProfile(context, body, { caller, requestId });

  return {
    registerUser,
    listUsers,
    reportUsers,
    getUser,
    getUserHistory,
    changeRole,
    changeRights,
    changeAccess,
    changeOwnProfile,
  };
}
