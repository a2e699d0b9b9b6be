import { testPageStates } from '@clinic/app-kit/test-page-states';
import { joinCalls } from '@clinic/contracts/calls';
import { sessionRoutes } from '@clinic/contracts/session/routes';
import { sessionSchemas } from '@clinic/contracts/session/schemas';
import { {{camel}}Calls } from '@clinic/svc-{{name}}/contract/calls';
import remote from '../remote.config.ts';

testPageStates(remote, (file) => import(`../${file}`), [
  ...Object.values(joinCalls(sessionRoutes, sessionSchemas)),
  ...Object.values({{camel}}Calls),
]);
