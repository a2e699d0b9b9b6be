import { defineSlotModule } from '@clinic/app-kit';
import { NotificationsCard } from './notifications-card.tsx';
import '../setup.ts';

/** This domain's section of My Account. */
export default defineSlotModule<'account'>({ Component: NotificationsCard });
