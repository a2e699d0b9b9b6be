import { defineRoutes } from '@clinic/contracts/define-routes';

const admin = ['admin'] as const;

/** The calls about releases of front-ends. */
export const deploymentRoutes = defineRoutes('identity', {
  listDeployments: {
    method: 'GET',
    path: '/deployments',
    access: { kind: 'restricted', roles: admin },
    summary: 'Get the releases of each front-end, its canary, and what visitors’ pages report about them',
    unnoted: 'which admin decided about a release',
  },
  changeDeployment: {
    method: 'POST',
    path: '/deployments/:name',
    access: { kind: 'restricted', roles: admin, freshProof: 'always' },
    errors: ['not_found', 'changed_meanwhile', 'transition_refused', 'proof_needed'],
    summary: 'Pin or unpin a release, roll back, start or stop a canary; based on the revision that the admin has seen',
    decides: {
      'params.name': 'database',
      'body.kind': 'record',
      'body.revision': 'record',
      'body.version': 'database',
    },
    unnoted: 'which admin decided about a release',
  },
});
