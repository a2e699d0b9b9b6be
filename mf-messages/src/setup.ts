import { addCalls } from '@clinic/app-kit';
import { messagesCalls } from '@clinic/svc-messages/contract';
import './styles.css';

addCalls(messagesCalls);
