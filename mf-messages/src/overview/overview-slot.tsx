import { defineSlotModule } from '@clinic/app-kit';
import { MessageFigures } from './message-figures.tsx';
import '../setup.ts';

/** This domain's part of /dash/overview; loaded with that page only. */
export default defineSlotModule<'overview'>({ Component: MessageFigures });
