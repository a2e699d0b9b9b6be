import { gateway } from './gateway/area.ts';
import { scale } from './scale/area.ts';
import { services } from './services/area.ts';
import type { Area } from './support/area.ts';

/** Everything that is measured, in the order of a full run. */
export const areas: readonly Area[] = [gateway, services, scale];
