import { erasureHandler, exportedPerson, type Handler } from '@clinic/service-kit';
import { historyOf } from '../record-change.ts';
import type { ClinicContext } from '../settings.ts';
import { erasePerson } from './erase-person.ts';
import { exportPerson } from './export-person.ts';

/** The calls about everything that is kept of one person. */
export function personalDataHandlers(context: ClinicContext) {
  const exportClinicData: Handler<'exportClinicData'> = async ({ query, caller }) => exportPerson(context, exportedPerson(query.email, caller));
  const eraseClinicData: Handler<'eraseClinicData'> = erasureHandler(context, (request, until) => erasePerson(context, request.body, historyOf(context, request), until));
  return { exportClinicData, eraseClinicData };
}
