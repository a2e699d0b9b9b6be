/** In HTML the whole page comes at once. */
export { LowerSections as LateSections } from './lower-sections.tsx';
