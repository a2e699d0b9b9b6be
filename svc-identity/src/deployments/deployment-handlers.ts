import type { Handler } from '@clinic/service-kit';
import type { IdentityContext } from '../settings.ts';
import { changeDeployment as change } from './change-deployment.ts';
import { listDeployments as list } from './list-deployments.ts';

/** Handlers of the calls about releases of front-ends. */
export function deploymentHandlers(context: IdentityContext) {
  const listDeployments: Handler<'listDeployments'> = () => list(context);

  const changeDeployment: Handler<'changeDeployment'> = ({ params, body, caller, requestId }) =>
    change(context, { name: params.name, change: body, caller, requestId });

  return { listDeployments, changeDeployment };
}
