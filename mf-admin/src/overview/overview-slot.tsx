import { defineSlotModule } from '@clinic/app-kit';
import { UserFigures } from './user-figures.tsx';

/** What this domain adds to /dash/overview; loaded with that page only. */
export default defineSlotModule<'overview'>({ Component: UserFigures });
