import { routes, type CallId, type Route, type ServiceName } from '@clinic/contracts';
import { calls, joinCalls } from '@clinic/contracts/calls';
import { messagesRoutes } from '../../../svc-messages/src/contract/routes.ts';
import { messagesSchemas } from '../../../svc-messages/src/contract/schemas.ts';

/** Calls of the three services. */
export type OwnCallId = keyof typeof routes;

/** A service that tests call: one of the three, or svc-messages if the test has started it. */
export type TestedService = ServiceName | 'messages';

/** The calls of the three services and of svc-messages, without their schemas. */
export const everyRoute: Readonly<Record<CallId, Route & { readonly service: TestedService }>> = {
  ...routes,
  ...messagesRoutes,
};

/** The same with their schemas. */
export const everyCall = { ...calls, ...joinCalls(messagesRoutes, messagesSchemas) };
