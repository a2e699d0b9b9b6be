import { api } from '@clinic/app-kit';
import type { CallResponse } from '@clinic/contracts';
import { saveFile } from '@clinic/ui/save-file';
import { findDataHolders, titleOf } from '../deletion/data-holders.ts';

type Thing = CallResponse<'exportUser'>[number];

/**
 * Everything the clinic keeps about a person, as one JSON file. All or nothing: a copy that silently lacks one service's
 * data would be worse than a message to try again.
 *
 * @param userId - whose the address was on screen: somebody else may have it by now
 * @throws ApiProblem of the first part that couldn't be read; UnknownDataHolder if a service hasn't published what it keeps
 */
export async function copyOfData(email: string, userId: string | undefined, now = new Date()): Promise<string> {
  const { known, unknown } = await findDataHolders();
  const [missing] = unknown;
  if (missing !== undefined) throw new UnknownDataHolder(missing);
  // First, as services of other domains may be of a release that doesn't check whose address it is by now.
  const account = byKind(await api.call('exportUser', { params: { email }, query: { userId } }));
  const parts = await Promise.all(
    known.map(async ({ name, copy }) => [name.toLowerCase(), byKind(await copy({ email, userId }))] as const),
  );
  const copy = { person: email, copiedAt: now.toISOString(), account, ...Object.fromEntries(parts) };
  return `${JSON.stringify(copy, undefined, 2)}\n`;
}

/** A service that hasn't published its calls yet. Its message is for people. */
export class UnknownDataHolder extends Error {
  /** @param service - its name */
  constructor(service: string) {
    super(`${titleOf(service)} hasn’t started yet. Try again in a moment.`);
  }
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
