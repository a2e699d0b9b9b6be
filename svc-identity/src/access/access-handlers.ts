import { listEvents, type Handler } from '@clinic/service-kit';
import type { IdentityContext } from '../settings.ts';
import { changedRecord, listAccessEvents as listAccess } from './access-events.ts';

/** Handlers of the calls about who signed in and what was changed. */
export function accessHandlers(context: IdentityContext) {
  const listAccessEvents: Handler<'listAccessEvents'> = ({ query }) => listAccess(context, query);
  const listIdentityEvents: Handler<'listIdentityEvents'> = ({ query }) =>
    listEvents(context, query, { changed: changedRecord });
  return { listAccessEvents, listIdentityEvents };
}
