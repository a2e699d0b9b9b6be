import type { Value } from '../bson/values.ts';

/**
 * Applies an operator to one field.
 * @param existing the field's value, undefined if it is missing
 * @param field its path, for messages
 * @returns the new value; undefined leaves a missing field missing
 */
export type Modifier = (existing: Value | undefined, field: string) => Value | undefined;
