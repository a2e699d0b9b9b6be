import type { DomainCalls } from './domain.ts';
import type { sessionRoutes } from './session/routes.ts';

/** The calls that a program knows, without schemas: about the session, and of the domains whose contract it imports. */
export type Routes = typeof sessionRoutes & DomainCalls;

/** Name of a REST call. */
export type CallId = keyof Routes;
