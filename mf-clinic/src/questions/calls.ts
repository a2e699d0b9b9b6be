import { addCalls } from '@clinic/app-kit';
import { questionCalls } from '@clinic/svc-clinic/contract/question-calls';

// The table of all pages doesn’t have them.
addCalls(questionCalls);
