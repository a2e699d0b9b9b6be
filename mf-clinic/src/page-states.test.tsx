import { testPageStates } from '@clinic/app-kit/test-page-states';
import { joinCalls } from '@clinic/contracts/calls';
import { sessionRoutes } from '@clinic/contracts/session/routes';
import { sessionSchemas } from '@clinic/contracts/session/schemas';
import { clinicCalls } from '@clinic/svc-clinic/contract/calls';
import remote from '../remote.config.ts';

testPageStates(
  remote,
  (file) => import(`../${file}`),
  [...Object.values(joinCalls(sessionRoutes, sessionSchemas)), ...Object.values(clinicCalls)],
  {
    '/appoinment/:_id': { empty: 'it’s one doctor' },
    '/dash/schedules': { empty: 'it’s a choice and forms' },
  },
);
