import type { FieldError } from '@clinic/contracts';
import type { CallSchemas } from '@clinic/contracts/calls';
import type { z } from 'zod';
import { ProblemError } from './problem-error.ts';

/** The raw parts of a request. */
export interface RawParts {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
}

/**
 * Validates every part that the call describes and drops unknown fields.
 *
 * @throws ProblemError bad_id if only ids in the address are invalid, otherwise validation_failed with all field errors
 */
export function parseParts(schemas: Pick<CallSchemas, 'params' | 'query' | 'body'>, raw: RawParts): RawParts {
  const errors: FieldError[] = [];
  let onlyIds = true;
  const parse = (part: keyof RawParts): unknown => {
    const schema = schemas[part];
    if (!schema) return undefined;
    // Without a body, name each required field instead of sending one message about the whole.
    const result = schema.safeParse(part === 'body' ? (raw.body ?? {}) : raw[part]);
    if (result.success) return result.data;
    for (const issue of result.error.issues) {
      if (part === 'body' || !/^_?id$/.test(String(issue.path[0]))) onlyIds = false;
      errors.push({ field: fieldOf(issue), message: issue.message });
    }
    return undefined;
  };
  const parts = { params: parse('params'), query: parse('query'), body: parse('body') };
  if (errors.length === 0) return parts;
  throw new ProblemError(onlyIds ? 'bad_id' : 'validation_failed', { errors, detail: errors[0]?.message });
}

function fieldOf(issue: z.core.$ZodIssue): string {
  return issue.path.map(String).join('.');
}
