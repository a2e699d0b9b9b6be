import { schedulingFiles } from '../contract/scheduling-link-calls.ts';
import { file, isUnchanged, ProblemError, SettingsError, type Handler } from '@clinic/service-kit';
import { SharedAnswer } from '@clinic/service-kit/shared-answer';
import { clinicClock } from '../clinic-clock.ts';
import { collectionsOf } from '../collections.ts';
import { withHolidays } from '../schedule/holidays.ts';
import type { ClinicContext } from '../settings.ts';
import { makePublication, type Publication } from './publication.ts';

/** Seconds for which a publication is cached, here and by clients, which poll at most once a minute. */
const freshSeconds = 60;

const cacheControl = `public, max-age=${freshSeconds}`;

/** @throws SettingsError if free times are to be published, and nobody could follow the links */
export function checkSchedulingLinks(
  settings: Pick<ClinicContext['settings'], 'CLINIC_PUBLISH_SLOTS' | 'PUBLIC_URL'>,
): void {
  if (settings.CLINIC_PUBLISH_SLOTS && settings.PUBLIC_URL === undefined)
    throw new SettingsError(
      'PUBLIC_URL is not set: with CLINIC_PUBLISH_SLOTS=true it must be the address of the clinic’s site, for example PUBLIC_URL=https://clinic.example',
    );
}

/** Handlers of the calls for SMART Scheduling Links. */
export function schedulingLinkHandlers(context: ClinicContext) {
  const collections = collectionsOf(context.db);
  const { CLINIC_PUBLISH_SLOTS: isOn, CLINIC_PUBLISH_SLOTS_DAYS: days, PUBLIC_URL: publicUrl = '' } = context.settings;
  let latest: Publication | undefined;
  // Takes a few milliseconds per doctor, so at most once a minute however many clients ask.
  const fresh = new SharedAnswer(async () => {
    const clock = await withHolidays(clinicClock(context.settings), collections);
    latest = await makePublication(collections, clock, { publicUrl, days });
    return latest;
  });

  async function publication(): Promise<Publication> {
    if (!isOn) throw new ProblemError('not_found', { detail: 'This clinic doesn’t publish its free times.' });
    const age = latest ? Date.now() - latest.at.getTime() : Infinity;
    return latest && age < freshSeconds * 1_000 ? latest : fresh.ask();
  }

  const manifest: Handler<'getSchedulingManifest'> = async ({ req, res }) => {
    const { at } = await publication();
    const base = `${publicUrl}/scheduling-links`;
    const answer = {
      transactionTime: at.toISOString(),
      request: `${base}/$bulk-publish`,
      output: Object.entries(schedulingFiles).map(([name, type]) => ({ type, url: `${base}/files/${name}` })),
      error: [],
    };
    // Sends a 304 itself; the router then sends nothing.
    isUnchanged(req, res, JSON.stringify(answer), cacheControl);
    return answer;
  };

  const getFile: Handler<'getSchedulingFile'> = async ({ params, res }) => {
    const { files } = await publication();
    // Public, so scripts of other sites may read it.
    res.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
    return file(params.file, files[params.file], cacheControl);
  };

  return { getSchedulingManifest: manifest, getSchedulingFile: getFile };
}
