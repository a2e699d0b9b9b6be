import type { Handler } from '@clinic/service-kit';
import type { IdentityParts } from '../open-parts.ts';
import type { IdentityContext } from '../settings.ts';
import { browserOf } from '../sessions/calling-browser.ts';
import { rememberDevice } from './known-devices.ts';
import { removeSecondFactor as remove } from './remove-second-factor.ts';
import {
  confirmSecondFactor as confirm,
  renewRecoveryCodes as renew,
  startSecondFactor as start,
} from './set-up-second-factor.ts';

/** Handlers of the calls about authenticator apps and recovery codes. */
export function secondFactorHandlers(context: IdentityContext, parts: IdentityParts) {
  const { watch, factors } = parts;

  const startSecondFactor: Handler<'startSecondFactor'> = ({ caller, requestId }) =>
    start(context, factors, { caller, requestId });

  const confirmSecondFactor: Handler<'confirmSecondFactor'> = async ({ body, caller, requestId, req, res }) => {
    const recoveryCodes = await watch.readAfter(confirm(context, factors, { caller, requestId }, body.code));
    await rememberDevice(context, caller.id, browserOf(context, { req, res }));
    return { recoveryCodes };
  };

  const renewRecoveryCodes: Handler<'renewRecoveryCodes'> = async ({ caller, requestId }) => ({
    recoveryCodes: await renew(context, { caller, requestId }),
  });

  const removeSecondFactor: Handler<'removeSecondFactor'> = async ({ params, query, caller, requestId }) => {
    await watch.readAfter(remove(context, { ...params, ...query, caller, requestId }));
  };

  return { startSecondFactor, confirmSecondFactor, renewRecoveryCodes, removeSecondFactor };
}
