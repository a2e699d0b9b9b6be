import { testNewerAnswers } from '@clinic/app-kit/test-newer-answers';
import { joinCalls } from '@clinic/contracts/calls';
import { sessionRoutes } from '@clinic/contracts/session/routes';
import { sessionSchemas } from '@clinic/contracts/session/schemas';
import { pharmacyCalls } from '@clinic/svc-pharmacy/contract/calls';
import remote from '../remote.config.ts';

testNewerAnswers(
  remote,
  (file) => import(`../${file}`),
  [...Object.values(joinCalls(sessionRoutes, sessionSchemas)), ...Object.values(pharmacyCalls)],
  {
    'Order again: order': 'it says what is in the cart now',
  },
);
