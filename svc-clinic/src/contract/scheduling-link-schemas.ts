import { z } from 'zod';

/** Files of the publication, and the type of the resources in each. */
export const schedulingFiles = {
  'locations.ndjson': 'Location',
  'practitioner-roles.ndjson': 'PractitionerRole',
  'schedules.ndjson': 'Schedule',
  'slots.ndjson': 'Slot',
} as const;
export type SchedulingFile = keyof typeof schedulingFiles;

const fileNames = Object.keys(schedulingFiles) as [SchedulingFile, ...SchedulingFile[]];

/** The manifest of a bulk publication. */
const manifest = z.object({
  /** When the data were read, an instant. */
  transactionTime: z.string(),
  /** The manifest's own address. */
  request: z.string(),
  output: z.array(z.object({ type: z.enum(Object.values(schedulingFiles)), url: z.string() })),
  error: z.array(z.never()),
});
export type SchedulingManifest = z.output<typeof manifest>;

/** Schemas of the calls for SMART Scheduling Links. */
export const schedulingLinkSchemas = {
  getSchedulingManifest: {
    params: z.object({ manifest: z.literal('$bulk-publish', { error: 'The manifest is at $bulk-publish' }) }),
    // Clients may request what changed since a time, and must accept getting everything.
    query: z.object({ _since: z.string().max(100).optional() }),
    response: manifest,
  },
  getSchedulingFile: {
    params: z.object({ file: z.enum(fileNames, { error: `The file must be one of ${fileNames.join(', ')}` }) }),
    response: z.string(),
  },
} as const;
