import { defineCalls } from '@clinic/contracts/define-calls';
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

/**
 * Free times for other organisations' programs, as SMART Scheduling Links (HL7, 1.0.0); 404 unless the clinic publishes
 * them.
 */
export const schedulingLinkCalls = defineCalls('clinic', {
  getSchedulingManifest: {
    method: 'GET',
    // A literal $bulk-publish would be rejected by gateways of earlier releases.
    path: '/scheduling-links/:manifest',
    access: { kind: 'everyone' },
    errors: ['not_found'],
    forPrograms: true,
    summary: 'Name the files with free times, at $bulk-publish (SMART Scheduling Links)',
    params: z.object({ manifest: z.literal('$bulk-publish', { error: 'The manifest is at $bulk-publish' }) }),
    // Clients may request what changed since a time, and must accept getting everything.
    query: z.object({ _since: z.string().max(100).optional() }),
    response: manifest,
    decides: { 'params.manifest': 'filter', 'query._since': 'filter' },
  },
  getSchedulingFile: {
    method: 'GET',
    path: '/scheduling-links/files/:file',
    access: { kind: 'everyone' },
    errors: ['not_found'],
    media: 'application/fhir+ndjson',
    forPrograms: true,
    summary:
      'Get locations, practitioner roles, schedules or free slots, one FHIR resource a line (SMART Scheduling Links)',
    params: z.object({ file: z.enum(fileNames, { error: `The file must be one of ${fileNames.join(', ')}` }) }),
    response: z.string(),
    decides: { 'params.file': 'filter' },
    unnoted: 'free times of the public directory',
  },
});
