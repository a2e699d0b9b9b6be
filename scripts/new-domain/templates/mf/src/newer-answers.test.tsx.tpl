import { testNewerAnswers } from '@clinic/app-kit/test-newer-answers';
import { calls, joinCalls } from '@clinic/contracts/calls';
import { {{camel}}Routes } from '@clinic/svc-{{name}}/contract';
import { {{camel}}Schemas } from '@clinic/svc-{{name}}/contract/schemas';
import remote from '../remote.config.ts';

testNewerAnswers(remote, (file) => import(`../${file}`), [
  ...Object.values(calls),
  ...Object.values(joinCalls({{camel}}Routes, {{camel}}Schemas)),
]);
