import type { Route } from '../route.ts';

const admin = ['admin'] as const;

/** The calls about releases of front-ends. */
export const deploymentRoutes = {
  listDeployments: {
    service: 'identity',
    method: 'GET',
    path: '/deployments',
    access: { kind: 'restricted', roles: admin },
    status: 200,
    errors: [],
    summary: 'Get the releases of each front-end, its canary, and what visitors’ pages report about them',
  },
  changeDeployment: {
    service: 'identity',
    method: 'POST',
    path: '/deployments/:name',
    access: { kind: 'restricted', roles: admin },
    status: 200,
    errors: ['not_found', 'changed_meanwhile', 'transition_refused'],
    summary: 'Pin or unpin a release, roll back, start or stop a canary; based on the revision that the admin has seen',
  },
} as const satisfies Record<string, Route>;
