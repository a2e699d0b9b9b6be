import { testNewerAnswers } from '@clinic/app-kit/test-newer-answers';
import { calls, joinCalls } from '@clinic/contracts/calls';
import { messagesRoutes } from '@clinic/svc-messages/contract';
import { messagesSchemas } from '@clinic/svc-messages/contract/schemas';
import remote from '../remote.config.ts';

testNewerAnswers(remote, (file) => import(`../${file}`), [
  ...Object.values(calls),
  ...Object.values(joinCalls(messagesRoutes, messagesSchemas)),
]);
