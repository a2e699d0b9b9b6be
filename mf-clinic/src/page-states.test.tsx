import { testPageStates } from '@clinic/app-kit/test-page-states';
import { sessionCalls } from '@clinic/contracts/session/calls';
import { clinicCalls } from '@clinic/svc-clinic/contract/calls';
import remote from '../remote.config.ts';

testPageStates(
  remote,
  (file) => import(`../${file}`),
  [...Object.values(sessionCalls), ...Object.values(clinicCalls)],
  {
    '/appoinment/:_id': { empty: 'it’s one doctor' },
    '/dash/schedules': { empty: 'it’s a choice and forms' },
  },
);
