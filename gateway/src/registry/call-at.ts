import { patternOf } from '../proxy/call-plan.ts';
import type { Services } from './services.ts';

/** The id of a service's call at a path, e.g. `bookAppointment`; `undefined` if no service has published one. */
export function callAt(services: Services, method: string, path: string): string | undefined {
  const calls = (services.find(path.split('/')[1] ?? '')?.publication?.calls ?? []).filter(
    (call) => call.method === method,
  );
  const found = calls.find((call) => call.path === path) ?? calls.find((call) => patternOf(call.path).test(path));
  return found?.id;
}
