import { api, ApiProblem } from '@clinic/app-kit';
import { maxImportBatch } from '@clinic/svc-pharmacy/contract/limits';
import { columnNames, type BadField, type ImportLine } from '../csv/lines.ts';

/** Characters per request, below the service's limit of 100 KB: a character of a name may take three bytes. */
const mostCharacters = 30_000;

/** Lines sent in one request, always the same ones, so that a repeated request is identical. */
export type Part = readonly ImportLine[];

/** Splits the file into requests. */
export function partsOf(lines: readonly ImportLine[]): Part[] {
  const parts: ImportLine[][] = [];
  let room = 0;
  for (const line of lines) {
    const size = JSON.stringify(line.medicine).length;
    const last = parts.at(-1);
    if (last && last.length < maxImportBatch && size <= room) last.push(line);
    else {
      parts.push([line]);
      room = mostCharacters;
    }
    room -= size;
  }
  return parts;
}

/**
 * Has the server check some lines; nothing is stored.
 *
 * @returns all field errors
 * @throws ApiProblem if the check failed
 */
export async function checkPart(part: Part, signal: AbortSignal): Promise<BadField[]> {
  try {
    await api.call('checkMedicineImport', { body: { medicines: part.map(({ medicine }) => medicine) }, signal });
    return [];
  } catch (error) {
    const bad = badFieldsOf(error, part);
    const rest = withoutBad(part, bad);
    // The server only looks up ids of lines that are otherwise valid.
    return rest.length > 0 && rest.length < part.length && (error as ApiProblem).code === 'validation_failed'
      ? [...bad, ...(await checkPart(rest, signal))]
      : bad;
  }
}

/** Result of a part: how many were added, and the lines that were rejected after all. */
export interface SentPart {
  readonly added: number;
  readonly bad: readonly BadField[];
}

/**
 * Imports the valid lines among these.
 *
 * @param key - the same for the same part of the same import, so that a lost response never adds them twice
 * @throws ApiProblem if the outcome is unknown; repeating the call finds out
 */
export async function importPart(part: Part, key: string, signal: AbortSignal): Promise<SentPart> {
  try {
    const { added } = await api.call('importMedicines', {
      body: { medicines: part.map(({ medicine }) => medicine) },
      idempotencyKey: key,
      signal,
    });
    return { added, bad: [] };
  } catch (error) {
    // This part was stored before a reload, when more of its lines were new: the rest is stored already.
    if (error instanceof ApiProblem && error.code === 'idempotency_mismatch') return { added: 0, bad: [] };
    const bad = badFieldsOf(error, part);
    const rest = withoutBad(part, bad);
    if (rest.length === 0) return { added: 0, bad };
    const sent = await importPart(rest, key, signal);
    return { added: sent.added, bad: [...bad, ...sent.bad] };
  }
}

export function withoutBad(part: Part, bad: readonly BadField[]): Part {
  const lines = new Set(bad.map(({ line }) => line));
  return part.filter(({ line }) => !lines.has(line));
}

/** The server's field errors by line. @throws the error if it isn't about lines */
function badFieldsOf(error: unknown, part: Part): BadField[] {
  const errors = (error instanceof ApiProblem && error.problem.errors) || [];
  const bad = errors.flatMap(({ field, message }): BadField[] => {
    const [, place, name = ''] = /^medicines\.(\d+)(?:\.(\w+))?/.exec(field) ?? [];
    const line = place === undefined ? undefined : part[Number(place)];
    if (!line) return [];
    const value = (line.medicine as Readonly<Record<string, string | number | boolean | undefined>>)[name] ?? '';
    return [
      {
        line: line.line,
        field: (columnNames as Readonly<Record<string, string>>)[name] ?? 'Line',
        message,
        value: String(value),
      },
    ];
  });
  if (bad.length === 0) throw error;
  return bad;
}
