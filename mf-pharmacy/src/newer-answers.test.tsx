import { testNewerAnswers } from '@clinic/app-kit/test-newer-answers';
import { sessionCalls } from '@clinic/contracts/session/calls';
import { clinicCalls } from '@clinic/svc-clinic/contract';
import { pharmacyCalls } from '@clinic/svc-pharmacy/contract/calls';
import remote from '../remote.config.ts';

testNewerAnswers(
  remote,
  (file) => import(`../${file}`),
  [...Object.values(sessionCalls), ...Object.values(pharmacyCalls), clinicCalls.listAppointments],
  {
    'Order again: order': 'it says what is in the cart now',
  },
);
