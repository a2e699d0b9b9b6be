import { addCalls } from '@clinic/app-kit';
import { webhookRoutes } from '@clinic/svc-messages/contract/webhook-routes';

// The table of all pages doesn’t have them.
addCalls(webhookRoutes);
