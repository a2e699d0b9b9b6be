import { testNewerAnswers } from '@clinic/app-kit/test-newer-answers';
import { clinicCalls } from '@clinic/svc-clinic/contract/calls';
import { identityCalls } from '@clinic/svc-identity/contract/calls';
import { pharmacyCalls } from '@clinic/svc-pharmacy/contract/calls';
import remote from '../remote.config.ts';

testNewerAnswers(
  remote,
  (file) => import(`../${file}`),
  [...Object.values(clinicCalls), ...Object.values(identityCalls), ...Object.values(pharmacyCalls)],
  {
    Unpin: 'saving is refused if the revision that it was decided about has changed',
    'Roll back': 'saving is refused if the revision that it was decided about has changed',
    'Stop the canary of': 'saving is refused if the revision that it was decided about has changed',
  },
);
