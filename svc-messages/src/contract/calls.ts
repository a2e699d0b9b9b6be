import { joinCalls } from '@clinic/contracts/calls';
import { messagesRoutes } from './routes.ts';
import { messagesSchemas } from './schemas.ts';

/** The calls of svc-messages with their schemas. */
export const messagesCalls = joinCalls(messagesRoutes, messagesSchemas);
