import { testNewerAnswers } from '@clinic/app-kit/test-newer-answers';
import { calls } from '@clinic/contracts/calls';
import remote from '../remote.config.ts';

testNewerAnswers(remote, (file) => import(`../${file}`), Object.values(calls));
