import { about, countExport, listLooks, type Handler } from '@clinic/service-kit';
import type { IdentityParts } from '../open-parts.ts';
import type { IdentityContext } from '../settings.ts';
import { clearSessionCookies } from '../sessions/session-cookies.ts';
import { userIdOf } from '../users/user-record.ts';
import { finishErasure as finish, startErasure as start } from './erase-user.ts';
import { exportUser as exportData } from './export-user.ts';

/** Handlers of the calls about all data of one person. */
export function personalDataHandlers(context: IdentityContext, parts: IdentityParts) {
  const { firebase, watch } = parts;

  const exportUser: Handler<'exportUser'> = async (request) => {
    const { email } = request.params;
    await countExport(context, request.caller.id);
    const data = await exportData(context, email, request.caller);
    return about({ id: await userIdOf(context, email), email }, data);
  };

  const startErasure: Handler<'startErasure'> = ({ params, caller, requestId }) =>
    watch.readAfter(start(context, { email: params.email, caller, requestId }));

  const finishErasure: Handler<'finishErasure'> = async ({ params, caller, requestId, res }) => {
    const finished = await watch.readAfter(finish(context, firebase, { email: params.email, caller, requestId }));
    if (finished.userId === caller.id) clearSessionCookies(context, res);
    return finished;
  };

  const listIdentityLooks: Handler<'listIdentityLooks'> = async ({ params: { email }, query, caller }) =>
    listLooks(context, query, caller, { email, id: await userIdOf(context, email) });

  return { exportUser, startErasure, finishErasure, listIdentityLooks };
}
