import { testNewerAnswers } from '@clinic/app-kit/test-newer-answers';
import { joinCalls } from '@clinic/contracts/calls';
import { sessionRoutes } from '@clinic/contracts/session/routes';
import { sessionSchemas } from '@clinic/contracts/session/schemas';
import { clinicCalls } from '@clinic/svc-clinic/contract/calls';
import remote from '../remote.config.ts';

testNewerAnswers(
  remote,
  (file) => import(`../${file}`),
  [...Object.values(joinCalls(sessionRoutes, sessionSchemas)), ...Object.values(clinicCalls)],
  {
    'Blocked,': 'it is about hours on a day, and saving is refused if they have changed',
    'Decide about': 'they are those that the new holiday was added with, and deciding is refused if one has changed',
  },
);
