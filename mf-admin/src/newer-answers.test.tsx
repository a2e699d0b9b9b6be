import { testNewerAnswers } from '@clinic/app-kit/test-newer-answers';
import { clinicCalls } from '@clinic/svc-clinic/contract/calls';
import { identityCalls } from '@clinic/svc-identity/contract/calls';
import { pharmacyCalls } from '@clinic/svc-pharmacy/contract/calls';
import remote from '../remote.config.ts';

testNewerAnswers(remote, (file) => import(`../${file}`), [
  ...Object.values(clinicCalls),
  ...Object.values(identityCalls),
  ...Object.values(pharmacyCalls),
]);
