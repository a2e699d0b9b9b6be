import { readsNothing, testPageStates } from '@clinic/app-kit/test-page-states';
import { sessionCalls } from '@clinic/contracts/session/calls';
import { pharmacyCalls } from '@clinic/svc-pharmacy/contract/calls';
import remote from '../remote.config.ts';

testPageStates(
  remote,
  (file) => import(`../${file}`),
  [...Object.values(sessionCalls), ...Object.values(pharmacyCalls)],
  { '/dash/addmedicine': readsNothing('it’s a form') },
);
