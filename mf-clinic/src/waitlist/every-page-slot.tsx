import { defineSlotModule } from '@clinic/app-kit';
import { OpenOffers } from './open-offers.tsx';
import '../setup.ts';

/** This domain's part of every page: a time that is held for somebody on the waitlist. */
export default defineSlotModule<'every-page'>({ Component: OpenOffers });
