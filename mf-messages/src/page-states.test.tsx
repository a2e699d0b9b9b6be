import { testPageStates } from '@clinic/app-kit/test-page-states';
import { sessionCalls } from '@clinic/contracts/session/calls';
import { messagesCalls } from '@clinic/svc-messages/contract/calls';
import { pharmacyCalls } from '@clinic/svc-pharmacy/contract/calls';
import remote from '../remote.config.ts';

testPageStates(
  remote,
  (file) => import(`../${file}`),
  [...Object.values(sessionCalls), ...Object.values(messagesCalls), ...Object.values(pharmacyCalls)],
  {
    '/dash/messages/kinds': { empty: 'the kinds are fixed' },
    '/message-actions/:token': { empty: 'it’s one record', error: 'its heading says so' },
    '/unsubscribe/:token': { empty: 'it’s one record', error: 'its heading says so' },
  },
);
