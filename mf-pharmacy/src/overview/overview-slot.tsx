import { defineSlotModule } from '@clinic/app-kit';
import '../fonts/taka-sign.css';
import { PharmacyFigures } from './pharmacy-figures.tsx';
import '../calls.ts';

/** This domain's part of /dash/overview; loaded with that page only. */
export default defineSlotModule<'overview'>({ Component: PharmacyFigures });
