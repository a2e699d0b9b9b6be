import type { Value } from '../bson/values.ts';
import type { Path } from './element-path.ts';
import type { CompiledRegex } from './regex.ts';

/** Comparison with one value. */
export interface Comparison {
  type: 'COMPARE';
  path: Path;
  operator: 'eq' | 'lt' | 'lte' | 'gt' | 'gte';
  value: Value;
}

/** Equality to one of several values or a match of one of several regular expressions. */
export interface In {
  type: 'IN';
  path: Path;
  values: Value[];
  regexes: Regex[];
}

/** A regular expression; an identical stored regular expression also matches. */
export interface Regex {
  type: 'REGEX';
  path: Path;
  pattern: string;
  options: string;
  regex: CompiledRegex;
}

/** A condition on one field path. */
export type Leaf =
  | Comparison
  | In
  | Regex
  | { type: 'EXISTS'; path: Path }
  | { type: 'SIZE'; path: Path; size: number }
  | { type: 'ELEM_MATCH_OBJECT'; path: Path; child: Expression }
  | { type: 'ELEM_MATCH_VALUE'; path: Path; children: Expression[] };

/** A parsed filter. */
export type Expression =
  | Leaf
  | { type: 'AND' | 'OR' | 'NOR'; children: Expression[] }
  | { type: 'NOT'; child: Expression };

/** Whether this is a condition on one path, not a combination of others. */
export const isLeaf = (expression: Expression): expression is Leaf => 'path' in expression;

/** Adds the top-level fields that a filter reads. */
export function fieldsOf(filter: Expression, into = new Set<string>()): Set<string> {
  if (isLeaf(filter)) return into.add(filter.path.parts[0] ?? '');
  switch (filter.type) {
    case 'AND':
    case 'OR':
    case 'NOR':
      for (const child of filter.children) fieldsOf(child, into);
      return into;
    case 'NOT':
      return fieldsOf(filter.child, into);
  }
}
