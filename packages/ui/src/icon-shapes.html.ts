import { iconShapes as firstShapes } from './icon-shapes.ts';
import { laterIconShapes } from './later-icon-shapes.ts';

/** In HTML all icons come at once. */
export const iconShapes = { ...firstShapes, ...laterIconShapes };
