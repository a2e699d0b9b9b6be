import { firstVisit } from './browser/first-visit.ts';
import { lighthouse } from './browser/lighthouse.ts';
import { navigation } from './browser/navigation.ts';
import { reading } from './browser/reading.ts';
import { redeployments } from './browser/redeployments.ts';
import { rendering } from './browser/rendering.ts';
import { gateway } from './gateway/area.ts';
import { build } from './machine/build.ts';
import { database } from './machine/database.ts';
import { reports } from './machine/reports.ts';
import { idle } from './machine/idle.ts';
import { live } from './machine/live.ts';
import { startUp } from './machine/start-up.ts';
import { messages } from './messages/area.ts';
import { scale } from './scale/area.ts';
import { services } from './services/area.ts';
import type { Area } from './support/area.ts';

/** All areas, in the order of a full run. */
export const areas: readonly Area[] = [
  gateway,
  services,
  scale,
  messages,
  reports,
  database,
  build,
  startUp,
  idle,
  live,
  reading,
  firstVisit,
  lighthouse,
  navigation,
  redeployments,
  rendering,
];
