import type { CallId } from '@clinic/contracts';
import { clinicModels } from './clinic-models.ts';
import { identityModels } from './identity-models.ts';
import type { ListModel } from './list-model.ts';
import { messagesModels } from './messages-models.ts';
import { pharmacyModels } from './pharmacy-models.ts';

/** Every list that is read page by page. */
export const models: Readonly<Partial<Record<CallId, ListModel>>> = {
  ...identityModels,
  ...clinicModels,
  ...pharmacyModels,
  ...messagesModels,
};
