import { testPageStates } from '@clinic/app-kit/test-page-states';
import { joinCalls } from '@clinic/contracts/calls';
import { sessionRoutes } from '@clinic/contracts/session/routes';
import { sessionSchemas } from '@clinic/contracts/session/schemas';
import { messagesCalls } from '@clinic/svc-messages/contract/calls';
import { pharmacyCalls } from '@clinic/svc-pharmacy/contract/calls';
import remote from '../remote.config.ts';

testPageStates(
  remote,
  (file) => import(`../${file}`),
  [
    ...Object.values(joinCalls(sessionRoutes, sessionSchemas)),
    ...Object.values(messagesCalls),
    ...Object.values(pharmacyCalls),
  ],
  {
    '/dash/messages/kinds': { empty: 'the kinds are fixed' },
    '/message-actions/:token': { empty: 'it’s one record', error: 'its heading says so' },
    '/unsubscribe/:token': { empty: 'it’s one record', error: 'its heading says so' },
  },
);
