import { addCalls } from '@clinic/app-kit';
import { waitingRoomCalls } from '@clinic/svc-clinic/contract/waiting-room-calls';

// The table of all pages doesn’t have them.
addCalls(waitingRoomCalls);
