import { addCalls } from '@clinic/app-kit';
import { messagesRoutes } from '@clinic/svc-messages/contract';
import './styles.css';

addCalls(messagesRoutes);
