import { defineSlotModule } from '@clinic/app-kit';
import { UserFigures } from './user-figures.tsx';
import '../calls.ts';

/** This domain's part of /dash/overview; loaded with that page only. */
export default defineSlotModule<'overview'>({ Component: UserFigures });
