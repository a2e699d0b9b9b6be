import type { Handler } from '@clinic/service-kit';
import type { IdentityContext } from '../settings.ts';
import { decide } from './decide.ts';
import { describeDeployment, listDeployments as list } from './list-deployments.ts';

/** Handlers of the calls about releases of front-ends. */
export function deploymentHandlers(context: IdentityContext) {
  const listDeployments: Handler<'listDeployments'> = () => list(context);

  const changeDeployment: Handler<'changeDeployment'> = async ({ params, body, caller, requestId }) => {
    const { revision, ...decision } = body;
    const record = await decide(context, params.name, decision, { caller, requestId, revision });
    return describeDeployment(context, record);
  };

  return { listDeployments, changeDeployment };
}
