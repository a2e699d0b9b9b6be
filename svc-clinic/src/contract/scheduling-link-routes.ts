import { defineRoutes } from '@clinic/contracts/define-routes';

/**
 * Free times for other organisations' programs, as SMART Scheduling Links (HL7, 1.0.0); 404 unless the clinic publishes
 * them.
 */
export const schedulingLinkRoutes = defineRoutes('clinic', {
  getSchedulingManifest: {
    method: 'GET',
    // A literal $bulk-publish would be rejected by gateways of earlier releases.
    path: '/scheduling-links/:manifest',
    access: { kind: 'everyone' },
    errors: ['not_found'],
    forPrograms: true,
    summary: 'Name the files with free times, at $bulk-publish (SMART Scheduling Links)',
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
    decides: { 'params.file': 'filter' },
    unnoted: 'free times of the public directory',
  },
});
