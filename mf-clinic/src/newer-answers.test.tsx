import { testNewerAnswers } from '@clinic/app-kit/test-newer-answers';
import { sessionCalls } from '@clinic/contracts/session/calls';
import { clinicCalls } from '@clinic/svc-clinic/contract/calls';
import remote from '../remote.config.ts';

testNewerAnswers(
  remote,
  (file) => import(`../${file}`),
  [...Object.values(sessionCalls), ...Object.values(clinicCalls)],
  {
    'Blocked,': 'it is about hours on a day, and saving is refused if they have changed',
    'Decide about': 'they are those that the new holiday was added with, and deciding is refused if one has changed',
  },
);
