import { once, type Handler } from '@clinic/service-kit';
import type { MessagesContext } from '../settings.ts';
import { changePreferences } from './change-preferences.ts';
import { preferencesEtag, preferencesOf, toPreferences } from './preferences-record.ts';

/** Handlers of the caller's own preferences. */
export function preferencesHandlers(context: MessagesContext) {
  const getMessagePreferences: Handler<'getMessagePreferences'> = async ({ caller, res }) => {
    const found = toPreferences(await preferencesOf(context).findOne({ _id: caller.id }), context.settings);
    res.setHeader('ETag', preferencesEtag(found));
    return found;
  };

  const changeMessagePreferences: Handler<'changeMessagePreferences'> = async (request) => {
    const { caller, body, req, res } = request;
    const change = { caller, requested: body, ifMatch: req.get('if-match') };
    const changed = await once(context, request, (session) => changePreferences(context, change, session));
    res.setHeader('ETag', preferencesEtag(changed));
    return changed;
  };

  return { getMessagePreferences, changeMessagePreferences };
}
