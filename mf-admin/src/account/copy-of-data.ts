import { api } from '@clinic/app-kit';
import { saveFile } from './save-file.ts';

/** The parts of the clinic that keep something about people, as people call them. */
const keepers = [
  { name: 'account', ask: (email: string) => api.call('exportUser', { params: { email } }) },
  { name: 'appointments', ask: (email: string) => api.call('exportClinicData', { query: { email } }) },
  { name: 'orders', ask: (email: string) => api.call('exportPharmacyData', { query: { email } }) },
] as const;

type Thing = Awaited<ReturnType<(typeof keepers)[number]['ask']>>[number];

/**
 * Everything that the clinic keeps about a person, as the text of one JSON file. It is whole or none: a copy that silently
 * lacks what one service keeps would be worse than the message to try again.
 *
 * @throws ApiProblem of the first part that could not be read
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

/** Has the browser save the copy. */
export function saveCopy(text: string, email: string): void {
  saveFile(text, `my-data-${email.replaceAll(/[^\w.-]+/g, '-')}.json`, 'application/json');
}
