import type { Document } from 'mongodb';

/** Fields that lead from a stage to those that feed it, in either engine of MongoDB. */
const inputs = ['inputStage', 'inputStages', 'outerStage', 'innerStage', 'thenStage', 'elseStage', 'shards'] as const;

/**
 * The stages of the winning plan, outermost first: of `find`, `aggregate` and the write commands, in all forms that
 * MongoDB returns. Plans that lost (`rejectedPlans`) don't count.
 *
 * @param explained - the response to `explain`
 * @throws Error if it has no plan
 */
export function winningStages(explained: Document): string[] {
  const planner = plannerOf(explained);
  if (!planner) throw new Error(`there is no plan in ${JSON.stringify(explained)}`);
  return stagesOf(planner['winningPlan']);
}

/** The planner's part: at the top, or in the first stage of a pipeline, which reads the collection. */
function plannerOf(explained: Document): Document | undefined {
  const stages = explained['stages'] as Document[] | undefined;
  const cursor = stages?.[0]?.['$cursor'] as Document | undefined;
  return (explained['queryPlanner'] ?? cursor?.['queryPlanner']) as Document | undefined;
}

function stagesOf(plan: unknown): string[] {
  if (Array.isArray(plan)) return plan.flatMap(stagesOf);
  if (typeof plan !== 'object' || plan === null) return [];
  const stage = plan as Document;
  // The slot-based engine wraps the plan it was compiled from.
  if (stage['queryPlan'] !== undefined) return stagesOf(stage['queryPlan']);
  const own: unknown = stage['stage'];
  return [...(typeof own === 'string' ? [own] : []), ...inputs.flatMap((field) => stagesOf(stage[field]))];
}

/** Names of the indexes that the winning plan reads. */
export function winningIndexes(explained: Document): string[] {
  const planner = plannerOf(explained);
  return planner
    ? [...JSON.stringify(planner['winningPlan']).matchAll(/"indexName":"([^"]*)"/g)].map(([, name = '']) => name)
    : [];
}

/** Stages that read an index. `EOF` reads nothing: the filter can't match, or the collection doesn't exist. */
const indexStages = /^(?:IXSCAN|COUNT_SCAN|DISTINCT_SCAN|IDHACK|EXPRESS_\w+|EOF)$/;

/**
 * Whether a query reads through an index only. Every leaf counts: an `$or` with one branch that scans is a scan.
 *
 * @param sorted - also that it doesn't sort in memory
 */
export function usesIndex(explained: Document, { sorted = false } = {}): boolean {
  const stages = winningStages(explained);
  return (
    stages.some((stage) => indexStages.test(stage)) &&
    !stages.includes('COLLSCAN') &&
    !(sorted && stages.includes('SORT'))
  );
}
