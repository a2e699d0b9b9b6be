import { joinCalls } from '@clinic/contracts/calls';
import { sessionRoutes } from '@clinic/contracts/session/routes';
import { sessionSchemas } from '@clinic/contracts/session/schemas';
import { identityRoutes } from './routes.ts';
import { identitySchemas } from './schemas.ts';

/** The calls of svc-identity with their schemas. */
export const identityCalls = {
  ...joinCalls(identityRoutes, identitySchemas),
  // Last: `/users/report` comes before `/users/:email`.
  ...joinCalls(sessionRoutes, sessionSchemas),
};
