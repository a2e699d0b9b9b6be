import type { Route } from '../route.ts';

/**
 * Free times for other organisations' programs, as SMART Scheduling Links (HL7, 1.0.0); 404 unless the clinic publishes
 * them.
 */
export const schedulingLinkRoutes = {
  getSchedulingManifest: {
    service: 'clinic',
    method: 'GET',
    // A literal $bulk-publish would be rejected by gateways of earlier releases.
    path: '/scheduling-links/:manifest',
    access: { kind: 'everyone' },
    status: 200,
    errors: ['not_found'],
    forPrograms: true,
    summary: 'Name the files with free times, at $bulk-publish (SMART Scheduling Links)',
  },
  getSchedulingFile: {
    service: 'clinic',
    method: 'GET',
    path: '/scheduling-links/files/:file',
    access: { kind: 'everyone' },
    status: 200,
    errors: ['not_found'],
    media: 'application/fhir+ndjson',
    forPrograms: true,
    summary:
      'Get locations, practitioner roles, schedules or free slots, one FHIR resource a line (SMART Scheduling Links)',
  },
} as const satisfies Record<string, Route>;
