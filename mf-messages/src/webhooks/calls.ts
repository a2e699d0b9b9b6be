import { addCalls } from '@clinic/app-kit';
import { webhookCalls } from '@clinic/svc-messages/contract/webhook-calls';

// The table of all pages doesn’t have them.
addCalls(webhookCalls);
