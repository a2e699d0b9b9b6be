import { api } from '@clinic/app-kit';
import { saveFile } from './save-file.ts';

/** The services that keep personal data, with names for people. */
const keepers = [
  { name: 'account', ask: (email: string) => api.call('exportUser', { params: { email } }) },
  { name: 'appointments', ask: (email: string) => api.call('exportClinicData', { query: { email } }) },
  { name: 'orders', ask: (email: string) => api.call('exportPharmacyData', { query: { email } }) },
] as const;

type Thing = Awaited<ReturnType<(typeof keepers)[number]['ask']>>[number];

/**
 * Everything the clinic keeps about a person, as one JSON file. All or nothing: a copy that silently lacks one service's
 * data would be worse than a message to try again.
 *
 * @throws ApiProblem of the first part that couldn't be read
 */
export async function copyOfData(email: string, now = new Date()): Promise<string> {
  const parts = await Promise.all(keepers.map(async ({ name, ask }) => [name, byKind(await ask(email))] as const));
  return `${JSON.stringify({ person: email, copiedAt: now.toISOString(), ...Object.fromEntries(parts) }, undefined, 2)}\n`;
}

/** `{ user: [...], event: [...] }` */
function byKind(things: readonly Thing[]): Record<string, unknown[]> {
  const kinds: Record<string, unknown[]> = {};
  for (const { kind, data } of things) (kinds[kind] ??= []).push(data);
  return kinds;
}

/** Downloads the copy. */
export function saveCopy(text: string, email: string): void {
  saveFile(text, `my-data-${email.replaceAll(/[^\w.-]+/g, '-')}.json`, 'application/json');
}
