import { testPageStates } from '@clinic/app-kit/test-page-states';
import { sessionCalls } from '@clinic/contracts/session/calls';
import { {{camel}}Calls } from '@clinic/svc-{{name}}/contract/calls';
import remote from '../remote.config.ts';

testPageStates(remote, (file) => import(`../${file}`), [
  ...Object.values(sessionCalls),
  ...Object.values({{camel}}Calls),
]);
