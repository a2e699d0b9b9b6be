import { testNewerAnswers } from '@clinic/app-kit/test-newer-answers';
import { sessionCalls } from '@clinic/contracts/session/calls';
import { clinicCalls } from '@clinic/svc-clinic/contract/calls';
import remote from '../remote.config.ts';

testNewerAnswers(remote, (file) => import(`../${file}`), [
  ...Object.values(sessionCalls),
  ...Object.values(clinicCalls),
]);
